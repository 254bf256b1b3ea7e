import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What happens to places, regions and photographers when two things are done to them at once.
@MainActor @Suite(.endsWaiting) struct OverlappingWorkTests {
    /// A library with an old photo of place 0 in region 0, which is due to be pruned.
    private func withOldPhoto(
        _ source: any PhotoSource,
        _ body: @MainActor (LibraryFixture, PlacesLibrary, Photo, PausedClock) async throws -> Void
    ) async throws {
        try await LibraryFixture.with { fixture in
            let pause = fixture.pausedClock()
            let library = try await fixture.open(source)
            try await library.fetchRecentPhotos()
            let photo = try #require(try library.context.find(Photo.self, \.uniqueID, "old"))
            #expect(photo.region?.name == "Region 0")
            fixture.clock.advance(by: .seconds(8 * 86_400))
            try await body(fixture, library, photo, pause)
        }
    }

    /// Gives others the time to do something that they may have to wait with.
    static func give(_ turns: Int = 2_000, until condition: () -> Bool) async {
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
            let pruned = try await pruning.value
            #expect(pruned.photos == 0 && pruned.places == 0)
            #expect(pruned.regions == 0 && pruned.photographers == 0)
            for photo in [photo, other] {
                #expect(photo.takenAt?.identifier == "place 0" && photo.region?.name == "Region 0")
                #expect(photo.takenBy?.identifier == "ada")
            }
            try library.context.checkIntegrity()
        }
    }

    @Test func `tags that lost their last photo go also where the work behind that fails`()
        async throws
    {
        let source = source()
        try await withOldPhoto(source) { _, library, _, pause in
            // Two pages are said to be there, and both are empty.
            source.with { ($0.photos, $0.usablePages) = ([], 2) }
            let pin = try library.dropPin(at: Coordinate(latitude: 1, longitude: 2))
            pause.arm()
            let pruning = Task { try await library.prune() }
            try await wait { pause.isHolding }
            let loading = Task { try await library.loadAlbum(of: pin) }
            try await wait { source.with { $0.pagesAsked } == [1, 2] }
            await Self.give(50) { false }
            pause.release()
            #expect(try await pruning.value.photos == 1)
            await #expect(throws: PhotoSourceError.self) { try await loading.value }
            library.context.refreshAllObjects()
            #expect(try library.context.count(PhotoTag.self) == 0)
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
            await Self.give(200) { place.isRegionKnown }
            pause.release()
            #expect(try await pruning.value.photos == 1)
            #expect(try await fetching.value.namedPlaces == 1)
            #expect(old.isDeleted && place.region?.name == "Region 0")
            #expect(photo.region === place.region && place.isRegionKnown)
            #expect(try library.topRegions().objects.map(\.photoCount) == [1])
        }
    }

    @Test func `a photo that is moved by a fetch and by a viewing is in the region of its place`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            let pause = fixture.pausedClock()
            let source = TestSource((0..<3).map { record("\($0)", in: "place \($0)") })
            source.with {
                $0.regions = ["place 0": "Region A", "place 1": "Region A", "place 2": "Region B"]
            }
            let library = try await fixture.open(source)
            try await library.fetchRecentPhotos()
            source.with { $0.photos = [record("0", in: "place 1")] }
            pause.arm()
            let fetching = Task { try await library.fetchRecentPhotos() }
            try await wait { pause.isHolding }
            let photo = try library.view(record("0", in: "place 2"))
            #expect(photo.region?.name == "Region B")
            pause.release()
            _ = try await fetching.value
            #expect(photo.takenAt?.identifier == "place 1" && photo.region?.name == "Region A")
            #expect(try library.topRegions().objects.map(\.photoCount) == [2, 1])
            try library.context.checkIntegrity()
        }
    }

    @Test func `an album that is replaced while its photos are fetched again has the new ones`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            let pause = fixture.pausedClock()
            let source = TestSource((0..<42).map { record("\($0)") })
            let library = try await fixture.open(source)
            let pin = try library.dropPin(at: Coordinate(latitude: 1, longitude: 2))
            try await library.loadAlbum(of: pin)
            pause.arm()
            let fetching = Task { try await library.fetchRecentPhotos(limit: 21) }
            try await wait { pause.isHolding }
            let replacing = Task { try await library.newCollection(of: pin) }
            await Self.give(200) { pin.page == 2 }
            pause.release()
            _ = try await fetching.value
            try await replacing.value
            let numbers = (21..<42).map { "\($0)" }
            #expect(Set(pin.photos.map(\.uniqueID)) == Set(numbers))
            #expect(pin.page == 2 && pin.albumState == .ready)
            try library.context.checkIntegrity()
        }
    }

    @Test func `a pin that is deleted while its photos are fetched takes their pictures along`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            let pause = fixture.pausedClock()
            let library = try await fixture.open(TestSource([record("1")]))
            let pin = try library.dropPin(at: Coordinate(latitude: 1, longitude: 2))
            try await library.loadAlbum(of: pin)
            pause.arm()
            let fetching = Task { try await library.fetchRecentPhotos() }
            try await wait { pause.isHolding }
            try library.delete(pin)
            pause.release()
            _ = try await fetching.value
            let photos = try library.context.fetch(Photo.self)
            #expect(photos.map(\.uniqueID) == ["1"])
            #expect(photos.allSatisfy { $0.picture == nil && $0.pictureState == .unwanted })
        }
    }
}
