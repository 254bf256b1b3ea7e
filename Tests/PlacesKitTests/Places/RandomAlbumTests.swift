import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Pins, albums and tags under anything that a user, a network and a crash do to them, in any order.
@MainActor @Suite(.endsWaiting) struct RandomAlbumTests {
    /// The lists of tags and deleted photos as somebody sees them all the time, and what they must
    /// show.
    @MainActor private struct Watch {
        let library: PlacesLibrary
        /// Another view, in which changes are undone and redone.
        let desk: PlacesLibrary
        /// Whether that happened: what comes back into an album that a load replaced meanwhile is one too many there.
        var hasUndone = false
        let tags: [TagOrder: ListController<PhotoTag>]
        let deleted: ListController<DeletedPhoto>
        /// The photos that the person deleted, and wants to be gone.
        var buried: Set<String>

        init(_ library: PlacesLibrary, buried: Set<String>) throws {
            self.library = library
            desk = library.makeView()
            tags = [.name: try library.tags(), .photoCount: try library.tags(by: .photoCount)]
            deleted = try library.deletedPhotos()
            self.buried = buried
        }

        /// Shows what the other view did, and takes over which photos are deleted by it.
        mutating func lookAgain() throws {
            library.context.refreshAllObjects()
            buried = Set(try library.context.fetch(DeletedPhoto.self).map(\.uniqueID))
        }

        /// Compares the lists with what the photos say, each photo asked by itself.
        func check(_ place: String) async throws {
            // What a fetch brought back while it was deleted goes at the end of that fetch.
            await OverlappingWorkTests.give {
                (try? library.context.find(Photo.self, \.uniqueID, in: buried).isEmpty) == true
            }
            library.context.processPendingChanges()
            var counts: [String: Int] = [:]
            for photo in try library.context.fetch(Photo.self) {
                let names = Set(photo.tagNames.map { $0.lowercased() } + [""])
                #expect(Set(photo.tags.map(\.name)) == names, "\(place): tags of a photo")
                #expect(!buried.contains(photo.uniqueID), "\(place): a photo that was deleted")
                for name in names { counts[name, default: 0] += 1 }
            }
            for (order, list) in tags {
                let expected = counts.sorted {
                    order == .photoCount && $0.value != $1.value
                        ? $0.value > $1.value : $0.key < $1.key
                }
                #expect(list.objects.map(\.name) == expected.map(\.key), "\(place): by \(order)")
                #expect(list.objects.map(\.photoCount) == expected.map(\.value), "\(place)")
            }
            #expect(Set(deleted.objects.map(\.uniqueID)) == buried, "\(place): deleted photos")
        }
    }

    /// What holds at every moment.
    private func check(
        _ library: PlacesLibrary, _ place: String, hasUndone: Bool = false
    ) throws {
        for photo in try library.context.fetch(Photo.self) {
            let isKept =
                photo.isFavorite || photo.lastViewed != nil || photo.fetched != nil
            #expect(!photo.pins.isEmpty || isKept, "\(place): a photo that nobody has")
            #expect(
                (photo.pictureState == .ready) == (photo.picture != nil),
                "\(place): a picture that is \(photo.pictureState)")
            #expect(
                photo.pins.isEmpty == (photo.pictureState == .unwanted),
                "\(place): \(photo.pictureState) in \(photo.pins.count) albums")
        }
        for pin in try library.pins().objects {
            #expect(hasUndone || pin.photos.count <= 21, "\(place): an album that is too large")
            #expect(
                pin.albumState != .ready || pin.photos.allSatisfy { $0.picture != nil },
                "\(place): an album that is not ready")
        }
        try library.context.checkIntegrity()
    }

    private func step(
        _ library: PlacesLibrary, _ source: TestSource, _ watch: inout Watch,
        _ generator: inout SeededGenerator, _ loads: inout [Task<Void, any Error>]
    ) async throws {
        let pins = Array(try library.pins().objects)
        let pin = pins.randomElement(using: &generator)
        let point = Coordinate(
            latitude: Double(Int.random(in: -9...9, using: &generator)), longitude: 7)
        switch Int.random(in: 0..<25, using: &generator) {
        case 0 where pins.count < 4: try library.dropPin(at: point)
        case 1: if let pin { try library.move(pin, to: point) }
        case 2: if let pin, pins.count > 2 { try library.delete(pin) }
        case 3, 4:
            if let pin { loads.append(Task { try await library.loadAlbum(of: pin) }) }
        case 5: if let pin { loads.append(Task { try await library.newCollection(of: pin) }) }
        case 6:
            if let pin, let photo = pin.photos.randomElement(using: &generator) {
                let identifier = photo.uniqueID
                try library.remove(photo, from: pin)
                if photo.isDeleted { watch.buried.insert(identifier) }
            }
        case 7:
            if let photo = pin?.photos.randomElement(using: &generator) {
                try library.view(photo)
            }
        case 14: loads.append(Task { try await library.fetchRecentPhotos(limit: 30) })
        case 15:
            // The source has other words for some photos, and spells them in its own way.
            for _ in 0..<8 {
                let number = Int.random(in: 0..<50, using: &generator)
                let tags = (0..<2).map { _ in "Tag \(Int.random(in: 0..<9, using: &generator))" }
                source.with { $0.photos[number].tags = tags }
            }
        case 16, 17:
            let photos = try library.context.fetch(Photo.self)
            if let photo = photos.randomElement(using: &generator) {
                watch.buried.insert(photo.uniqueID)
                try await library.delete(photo)
            }
        case 18:
            let forgotten = watch.buried.randomElement(using: &generator).map { [$0] } ?? []
            #expect(try library.forgetDeletions(of: forgotten) == forgotten.count)
            watch.buried.subtract(forgotten)
        case 19:
            let identifier = "\(Int.random(in: 0..<50, using: &generator))"
            let record = source.with { $0.photos.first { $0.identifier == identifier } }
            if let record {
                try library.view(record)
                watch.buried.remove(identifier)
            }
        case 20:
            let photos = try library.context.fetch(Photo.self)
            guard let photo = photos.randomElement(using: &generator) else { break }
            // What comes back into an album that a load replaced meanwhile is one too many there.
            guard photo.pins.isEmpty || loads.isEmpty else { break }
            let view = library.makeView()
            try await view.delete(
                try view.context.existingObject(Photo.self, with: photo.objectID))
            try await view.undo()
            library.context.refreshAllObjects()
        case 21, 22:
            let desk = watch.desk
            desk.context.refreshAllObjects()
            guard let pin = try desk.pins().objects.randomElement(using: &generator) else { break }
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: try desk.move(pin, to: point)
            case 1 where pins.count > 2: try desk.delete(pin)
            default:
                if let photo = pin.photos.randomElement(using: &generator) {
                    try desk.remove(photo, from: pin)
                }
            }
            try watch.lookAgain()
        case 23, 24:
            let isRedo = Int.random(in: 0..<3, using: &generator) == 0
            try await isRedo ? watch.desk.redo() : watch.desk.undo()
            watch.hasUndone = true
            try watch.lookAgain()
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
            let source = TestSource(
                (0..<50).map { number in
                    var record = record("\(number)")
                    record.tags = ["tag \(number % 9)", "TAG \(number % 4)"]
                    return record
                })
            var buried: Set<String> = []
            for round in 0..<2 {
                let library = try await fixture.open(source)
                source.with { $0.failure = nil }
                let pin = try library.dropPin(at: Coordinate(latitude: 1, longitude: 2))
                try await library.loadAlbum(of: pin)
                var watch = try Watch(library, buried: buried)
                #expect(pin.albumState == .ready, "seed \(seed), round \(round)")
                var loads: [Task<Void, any Error>] = []
                for number in 0..<60 {
                    try await step(library, source, &watch, &generator, &loads)
                    let place = "seed \(seed), round \(round), step \(number)"
                    try check(library, place, hasUndone: watch.hasUndone)
                    try await watch.check(place)
                }
                for load in loads {
                    load.cancel()
                    _ = await load.result
                }
                try check(
                    library, "seed \(seed), round \(round)", hasUndone: watch.hasUndone)
                try await library.prune()
                try await watch.check("seed \(seed), round \(round)")
                let tags = try library.context.count(PhotoTag.self)
                #expect(tags == watch.tags[.name]?.objects.count, "seed \(seed): unused tags")
                buried = watch.buried
            }
            source.with { $0.failure = nil }
            let library = try await fixture.open(source)
            #expect(try await library.resumeAlbums().isEmpty)
            try check(library, "seed \(seed), at the end", hasUndone: true)
            try await Watch(library, buried: buried).check("seed \(seed), at the end")
            for pin in try library.pins().objects {
                #expect(pin.albumState == .ready, "seed \(seed)")
            }
        }
    }
}
