import Foundation
import PlacesKitTesting
import Testing

@testable import PlacesKit

/// What happens to places, regions and photographers when two things are done to them at once.
@MainActor @Suite(.endsWaiting) struct OverlappingWorkTests {
    /// A library with an old photo of place 0 in region 0, which is due to be pruned.
    private func withOldPhoto(
        _ source: any PhotoSource,
        _ body: @MainActor (LibraryFixture, PlacesLibrary, Photo, PausedClock) async throws -> Void
    ) async throws {
        try await LibraryFixture.with { fixture in
            let (pause, now) = (PausedClock(), fixture.options.now)
            fixture.options.now = {
                pause.pass()
                return now()
            }
            let library = try await fixture.open(source)
            try await library.fetchRecentPhotos()
            let photo = try #require(try library.context.find(Photo.self, \.uniqueID, "old"))
            #expect(photo.region?.name == "Region 0")
            fixture.clock.advance(by: .seconds(8 * 86_400))
            try await body(fixture, library, photo, pause)
        }
    }

    /// Gives others the time to do something that they may have to wait with.
    private func give(_ turns: Int = 2_000, until condition: () -> Bool) async {
        for _ in 0..<turns where !condition() { await Task.yield() }
    }

    private func source() -> TestSource {
        let source = TestSource([record("old", in: "place 0")])
        source.with { $0.regions["place 0"] = "Region 0" }
        return source
    }

    @Test func `what is marked or viewed while others are pruned keeps place and photographer`()
        async throws
    {
        try await withOldPhoto(source()) { _, library, photo, pause in
            pause.arm()
            let pruning = Task { try await library.prune() }
            try await wait { pause.isHolding }
            try await library.setFavorite(true, for: photo)
            let other = try library.view(record("new", in: "place 0"))
            pause.release()
            #expect(try await pruning.value == PlacesLibrary.Pruning())
            for photo in [photo, other] {
                #expect(photo.takenAt?.identifier == "place 0" && photo.region?.name == "Region 0")
                #expect(photo.takenBy?.identifier == "ada")
            }
            try library.context.checkIntegrity()
        }
    }

    @Test func `a place whose region is found while others are pruned keeps it`() async throws {
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let (started, starter) = AsyncStream<Void>.makeStream()
        let names = PlaceNames(locality: "City", region: "Region 0", country: "Land")
        let source = FakePhotoSource()
        source.answerRecentPhotos(.value([record("old", in: "place 0")]))
        source.answerRecentPhotos(.value([record("new", in: "place 1")]))
        source.answerPlaceNames(.value(names))
        source.answerPlaceNames(
            .run {
                starter.finish()
                for await _ in gate {}
                return names
            })
        try await withOldPhoto(source) { _, library, old, pause in
            let fetching = Task { try await library.fetchRecentPhotos() }
            for await _ in started {}
            let photo = try #require(try library.context.find(Photo.self, \.uniqueID, "new"))
            let place = try #require(photo.takenAt)
            pause.arm()
            let pruning = Task { try await library.prune() }
            try await wait { pause.isHolding }
            opener.finish()
            await give { place.isRegionKnown }
            pause.release()
            #expect(try await pruning.value.photos == 1)
            #expect(try await fetching.value.namedPlaces == 1)
            #expect(old.isDeleted && place.region?.name == "Region 0")
            #expect(photo.region === place.region && place.isRegionKnown)
            #expect(try library.topRegions().objects.map(\.photoCount) == [1])
        }
    }

    @Test func `photos that are added while their place is being named get its region`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            let (gate, opener) = AsyncStream<Void>.makeStream()
            let (started, starter) = AsyncStream<Void>.makeStream()
            let source = FakePhotoSource()
            source.answerRecentPhotos(.value([record("1")]))
            source.answerPlaceNames(
                .run {
                    starter.finish()
                    for await _ in gate {}
                    return PlaceNames(locality: "Paris", region: "Île-de-France")
                })
            let library = try await fixture.open(source)
            let fetching = Task { try await library.fetchRecentPhotos() }
            for await _ in started {}
            let place = try #require(try library.context.fetch(Place.self).first)

            let pause = PausedClock()
            pause.arm()
            let adding = Task {
                try await library.inBackground { _, importer in
                    _ = try importer.add(record("2"))
                    pause.pass()
                }
            }
            try await wait { pause.isHolding }
            opener.finish()
            await give { place.isRegionKnown }
            pause.release()
            _ = try await (adding.value, fetching.value)
            #expect(place.photos.count == 2 && place.region?.name == "Île-de-France")
            #expect(place.photos.allSatisfy { $0.region === place.region })
        }
    }

    @Test func `changes that wait for each other are made in the order in which they were begun`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            let library = try await fixture.open(TestSource())
            var order: [Int] = []
            let tasks = (0..<5).map { number in
                Task {
                    try await library.inBackground { _, importer in
                        _ = try importer.add(record("\(number)"))
                    }
                    order.append(number)
                }
            }
            tasks[2].cancel()
            for task in tasks { _ = await task.result }
            #expect(order == [0, 1, 3, 4])
            #expect(try library.context.count(Photo.self) == 4)
        }
    }
}
