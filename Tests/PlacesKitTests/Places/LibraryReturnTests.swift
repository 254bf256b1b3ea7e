import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What fails elsewhere comes back to the actor of the library, as what succeeds does.
@MainActor @Suite(.endsWaiting) struct LibraryReturnTests {
    private let offline = PhotoSourceError.notConnected(reason: "offline")

    private func failing() -> TestSource {
        let source = TestSource([record("1")])
        source.with { $0.failure = offline }
        return source
    }

    @Test func `what a source fails to list`() async throws {
        try await LibraryFixture.with(failing()) { library, _ in
            do {
                try await library.loadTopPlaces()
                Issue.record("The source was reached.")
            } catch {
                #expect(isOnMainQueue && !library.activity.isWaiting)
            }
            do {
                _ = try await library.browsePlaces()
                Issue.record("The source was reached.")
            } catch {
                #expect(isOnMainQueue)
            }
            do {
                _ = try await library.browsePhotos(of: PlaceRecord(identifier: "1", name: "1"))
                Issue.record("The source was reached.")
            } catch {
                #expect(isOnMainQueue)
            }
            do {
                try await library.fetchRecentPhotos()
                Issue.record("The source was reached.")
            } catch {
                #expect(isOnMainQueue)
            }
        }
    }

    @Test func `albums that cannot be loaded, of which the next one follows`() async throws {
        try await LibraryFixture.with(failing()) { library, _ in
            for _ in 0..<2 { try library.dropPin(at: Coordinate(latitude: 1, longitude: 2)) }
            #expect(try await library.resumeAlbums().count == 2)
            #expect(isOnMainQueue)
            let pin = try #require(try library.pins().objects.first)
            do {
                try await library.loadAlbum(of: pin)
                Issue.record("The source was reached.")
            } catch {
                #expect(isOnMainQueue && !library.isLoadingAlbum(of: pin))
            }
        }
    }

    @Test func `pictures that cannot be fetched`() async throws {
        try await LibraryFixture.with(failing()) { library, _ in
            let photo = try library.view(record("1"))
            do {
                _ = try await library.picture(of: photo)
                Issue.record("The source was reached.")
            } catch {
                #expect(isOnMainQueue)
            }
            do {
                _ = try await library.thumbnail(of: photo)
                Issue.record("The source was reached.")
            } catch {
                #expect(isOnMainQueue)
            }
            do {
                try await library.setFavorite(true, for: photo)
                Issue.record("The source was reached.")
            } catch {
                #expect(isOnMainQueue && !library.activity.isWaiting)
            }
        }
    }

    @Test func `pictures that cannot be removed, and a folder that cannot be opened`() async throws
    {
        try await LibraryFixture.with(TestSource()) { library, fixture in
            let photo = try library.view(record("1"))
            let folder = fixture.folder.appending(path: "Library.images")
            try? FileManager.default.removeItem(at: folder)
            try Data().write(to: folder)
            do {
                try await library.delete(photo)
                Issue.record("There was a folder.")
            } catch {
                #expect(isOnMainQueue)
            }
            try await library.close()
            do {
                _ = try await fixture.open(TestSource())
                Issue.record("There was a folder.")
            } catch {
                #expect(isOnMainQueue)
            }
        }
    }

    @Test func `a fetch that is reported, and the end of all fetches`() async throws {
        try await LibraryFixture.with(failing()) { library, fixture in
            var reports: [Bool] = []
            let fetching = Task {
                do {
                    try await library.fetchRecentPhotos(every: .seconds(600)) { _ in
                        reports.append(isOnMainQueue)
                    }
                } catch {
                    reports.append(isOnMainQueue)
                }
            }
            try await wait { reports == [true] }
            await fixture.clock.waitForSleepers()
            fetching.cancel()
            await fetching.value
            #expect(reports == [true, true])
        }
    }
}
