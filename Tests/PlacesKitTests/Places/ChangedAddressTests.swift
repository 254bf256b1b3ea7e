import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@MainActor @Suite(.endsWaiting) struct ChangedAddressTests {
    /// The record of a photo whose pictures have other addresses than ``record``'s.
    private func moved(_ identifier: String) throws -> PhotoRecord {
        var moved = record(identifier)
        for index in moved.variants.indices {
            let name = "\(identifier)-new-\(moved.variants[index].name)"
            moved.variants[index].url = try #require(URL(string: "test://pictures/\(name)"))
        }
        return moved
    }

    /// A library with viewed photos whose addresses lead nowhere; their source tells others of "1".
    private func withDeadAddresses(
        _ body: @MainActor (TestSource, PlacesLibrary, LibraryFixture) async throws -> Void
    ) async throws {
        try await LibraryFixture.with { fixture in
            let source = TestSource([try moved("1")])
            source.with {
                for name in ["1-small", "1-large", "2-small", "2-large"] {
                    $0.failingPictures[name] = 99
                }
                $0.pictureFailure = PhotoSourceError.http(status: 404, retryAfter: nil)
            }
            try await body(source, try await fixture.open(source), fixture)
        }
    }

    @Test func `a picture whose address is dead is shown from its photo's present one`()
        async throws
    {
        try await withDeadAddresses { source, library, _ in
            let photo = try library.view(record("1"))
            #expect(try await library.picture(of: photo) == .picture("1-new-large"))
            #expect(photo.dataURL == (try moved("1")).variants[1].url)
            #expect(!library.context.hasChanges)
            #expect(try await library.picture(of: photo) == .picture("1-new-large"))
            #expect(source.with { $0.picturesAsked } == ["1-large", "1-new-large"])
        }
    }

    @Test func `a thumbnail whose address is dead is stored from its photo's present one`()
        async throws
    {
        try await withDeadAddresses { source, library, _ in
            let photo = try library.view(record("1"))
            #expect(try await library.thumbnail(of: photo) == .picture("1-new-small"))
            #expect(photo.thumbnail == .picture("1-new-small"))
            #expect(photo.thumbnailURL == (try moved("1")).variants[0].url)
            #expect(source.with { $0.picturesAsked } == ["1-small", "1-new-small"])
        }
    }

    @Test func `a favorite whose address is dead is kept from its photo's present one`()
        async throws
    {
        try await withDeadAddresses { source, library, fixture in
            let photo = try library.view(record("1"))
            try await library.setFavorite(true, for: photo)
            #expect(fixture.imageFiles.count == 1)
            #expect(photo.dataURL == (try moved("1")).variants[1].url)
            source.with { $0.failure = PhotoSourceError.notConnected(reason: "no network") }
            #expect(try await library.picture(of: photo) == .picture("1-new-large"))
        }
    }

    @Test func `only the source's own word says that a photo was removed`() async throws {
        try await withDeadAddresses { source, library, _ in
            let photo = try library.view(record("2"))
            for isRemoved in [false, true] {
                source.with { $0.gonePhotos = isRemoved ? ["2"] : [] }
                let calls: [@MainActor () async throws -> Void] = [
                    { _ = try await library.picture(of: photo) },
                    { _ = try await library.thumbnail(of: photo) },
                    { try await library.setFavorite(true, for: photo) },
                ]
                for call in calls {
                    let error = await #expect(throws: PhotoSourceError.self) { try await call() }
                    #expect(error?.meansGone == isRemoved, "\(String(describing: error))")
                }
            }
            #expect(!photo.isDeleted)
        }
    }
}
