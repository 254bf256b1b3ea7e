import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Pins and albums under anything that a user, a network and a crash do to them, in any order.
@MainActor @Suite(.endsWaiting) struct RandomAlbumTests {
    /// What holds at every moment.
    private func check(_ library: PlacesLibrary, _ place: String) throws {
        for photo in try library.context.fetch(Photo.self) {
            let isKept =
                photo.isFavorite || photo.lastViewed != nil || photo.fetched != nil
            #expect(!photo.pins.isEmpty || isKept, "\(place): a photo that nobody has")
            #expect(
                (photo.pictureState == .ready) == (photo.picture != nil),
                "\(place): a picture that is \(photo.pictureState)")
            if photo.pins.isEmpty {
                #expect(photo.pictureState == .unwanted, "\(place): a download that nobody wants")
            }
        }
        for pin in try library.pins().objects {
            #expect(pin.photos.count <= 21, "\(place): an album that is too large")
        }
        try library.context.checkIntegrity()
    }

    private func step(
        _ library: PlacesLibrary, _ source: TestSource, _ generator: inout SeededGenerator,
        _ loads: inout [Task<Void, any Error>]
    ) async throws {
        let pins = Array(try library.pins().objects)
        let pin = pins.randomElement(using: &generator)
        let point = Coordinate(
            latitude: Double(Int.random(in: -9...9, using: &generator)), longitude: 7)
        switch Int.random(in: 0..<14, using: &generator) {
        case 0 where pins.count < 4: try library.dropPin(at: point)
        case 1: if let pin { try library.move(pin, to: point) }
        case 2: if let pin, pins.count > 2 { try library.delete(pin) }
        case 3, 4:
            if let pin { loads.append(Task { try await library.loadAlbum(of: pin) }) }
        case 5: if let pin { loads.append(Task { try await library.newCollection(of: pin) }) }
        case 6:
            if let pin, let photo = pin.photos.randomElement(using: &generator) {
                try library.remove(photo, from: pin)
            }
        case 7:
            if let photo = pin?.photos.randomElement(using: &generator) {
                try library.view(photo)
            }
        case 8: loads.randomElement(using: &generator)?.cancel()
        case 9:
            let isOffline = Int.random(in: 0..<3, using: &generator) == 0
            source.with {
                $0.failure = isOffline ? PhotoSourceError.notConnected(reason: "offline") : nil
            }
        case 10, 11: _ = await loads.randomElement(using: &generator)?.result
        default:
            // Downloads come this far before the next thing happens, or less far.
            let count =
                source.with { $0.picturesAsked.count }
                + Int.random(
                    in: 0..<20, using: &generator)
            for _ in 0..<2_000 where source.with({ $0.picturesAsked.count }) < count {
                await Task.yield()
            }
        }
    }

    /// How many seeds are tried: one, or as many as `PLACESKIT_RANDOM_ALBUMS` says.
    private nonisolated static var seeds: ClosedRange<UInt64> {
        let count = ProcessInfo.processInfo.environment["PLACESKIT_RANDOM_ALBUMS"]
        return 1...max(1, count.flatMap { UInt64($0) } ?? 1)
    }

    @Test(arguments: seeds)
    func `whatever happens to albums, nothing is kept that nobody has, and all is there in the end`(
        seed: UInt64
    ) async throws {
        try await LibraryFixture.with { fixture in
            var generator = SeededGenerator(seed: seed)
            let source = TestSource((0..<50).map { record("\($0)") })
            for round in 0..<2 {
                let library = try await fixture.open(source)
                source.with { $0.failure = nil }
                let pin = try library.dropPin(at: Coordinate(latitude: 1, longitude: 2))
                try await library.loadAlbum(of: pin)
                #expect(pin.albumState == .ready, "seed \(seed), round \(round)")
                var loads: [Task<Void, any Error>] = []
                for number in 0..<35 {
                    try await step(library, source, &generator, &loads)
                    try check(library, "seed \(seed), round \(round), step \(number)")
                }
                for load in loads {
                    load.cancel()
                    _ = await load.result
                }
                try check(library, "seed \(seed), round \(round)")
            }
            source.with { $0.failure = nil }
            let library = try await fixture.open(source)
            #expect(try await library.resumeAlbums().isEmpty)
            try check(library, "seed \(seed), at the end")
            for pin in try library.pins().objects {
                #expect(pin.albumState == .ready, "seed \(seed)")
            }
        }
    }
}
