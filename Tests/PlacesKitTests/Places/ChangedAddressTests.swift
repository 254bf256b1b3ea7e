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
        try await withDeadAddresses { source, library, fixture in
            let photo = try library.view(record("2"))
            for isRemoved in [false, true] {
                fixture.clock.advance(by: .seconds(601))
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

    @Test(arguments: ["the same address", "another one that is dead", "that it was removed"])
    func `what a source tells of a photo with a dead address holds for ten minutes`(
        answer: String
    ) async throws {
        try await withDeadAddresses { source, library, fixture in
            source.with {
                ($0.failingPictures["1-new-small"], $0.failingPictures["1-new-large"]) = (99, 99)
                $0.gonePhotos = answer == "that it was removed" ? ["1"] : []
                if answer == "the same address" { $0.photos = [] }
            }
            let photo = try library.view(record("1"))
            for count in 1...2 {
                for _ in 0..<3 {
                    await #expect(throws: PhotoSourceError.self) {
                        try await library.thumbnail(of: photo)
                    }
                    await #expect(throws: PhotoSourceError.self) {
                        try await library.picture(of: photo)
                    }
                }
                #expect(source.with { $0.detailsAsked }.count == count)
                fixture.clock.advance(by: .seconds(601))
            }
        }
    }

    @Test func `a library that stores no address asks for it once all the same`() async throws {
        try await withDeadAddresses { source, library, fixture in
            _ = try library.view(record("1"))
            try await library.close()
            fixture.options.document.isReadOnly = true
            let reader = try await fixture.open(source)
            let photo = try #require(try reader.context.fetch(FetchRequest<Photo>()).first)
            for _ in 0..<3 {
                #expect(try await reader.picture(of: photo) == .picture("1-new-large"))
            }
            #expect(source.with { $0.picturesAsked } == ["1-large", "1-new-large"])
            #expect(source.with { $0.detailsAsked } == ["1"])
        }
    }

    @Test func `an album and a row that shows its photo ask once where its picture is`()
        async throws
    {
        for isRowFirst in [true, false] {
            try await withDeadAddresses { source, library, _ in
                source.with {
                    ($0.photos, $0.gonePhotos) = ([record("1"), record("2")], ["2"])
                }
                let photo = try library.view(record("2"))
                let pin = try library.dropPin(at: Coordinate(latitude: 48.85, longitude: 2.35))
                if !isRowFirst { try await library.loadAlbum(of: pin) }
                let error = await #expect(throws: PhotoSourceError.self) {
                    try await library.thumbnail(of: photo)
                }
                #expect(error?.meansGone == true)
                if isRowFirst { try await library.loadAlbum(of: pin) }
                #expect(pin.photos.map(\.uniqueID) == ["1"])
                #expect(pin.albumState == .incomplete(failed: 1))
                #expect(source.with { $0.detailsAsked }.sorted() == ["1", "2"])
            }
        }
    }

    @Test func `of a picture that never had an address nobody says that it has it no more`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            var bare = record("1")
            bare.variants = []
            let source = TestSource([bare])
            let library = try await fixture.open(source)
            let photo = try library.view(bare)
            let error = await #expect(throws: PhotoSourceError.self) {
                try await library.picture(of: photo)
            }
            let text = String(describing: error)
            #expect(text.contains("tells no address") && !text.contains("any more"), "\(text)")
            #expect(error?.meansGone == false)
            source.with { $0.photos = [record("1")] }
            fixture.clock.advance(by: .seconds(601))
            #expect(try await library.picture(of: photo) == .picture("1-large"))
        }
    }
}
