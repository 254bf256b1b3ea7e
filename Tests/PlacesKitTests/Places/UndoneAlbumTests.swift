import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Albums after an undo or a redo, where others have changed or loaded them since.
@MainActor @Suite(.endsWaiting) struct UndoneAlbumTests {
    enum Change: CaseIterable {
        case remove, move, delete

        /// Changes an album of the photo p.
        @MainActor func make(on pin: Pin, in view: PlacesLibrary, to point: Coordinate) throws {
            switch self {
            case .remove:
                try view.remove(#require(pin.photos.first { $0.uniqueID == "p" }), from: pin)
            case .move: try view.move(pin, to: point)
            case .delete: try view.delete(pin)
            }
        }
    }

    private let paris = Coordinate(latitude: 48.85, longitude: 2.35)
    private let rome = Coordinate(latitude: 41.9, longitude: 12.5)

    private func record(_ identifier: String, tags: [String] = []) -> PhotoRecord {
        var record = PlacesKitTests.record(identifier)
        record.tags = tags
        return record
    }

    private func identifiers(_ photos: some Sequence<Photo>) -> [String] {
        photos.map(\.uniqueID).sorted()
    }

    /// A library with an album of the photos p and q in Paris, which a view loaded; p may also be kept as fetched.
    private func withAlbum(
        isFetched: Bool = false,
        _ body:
            @MainActor (TestSource, PlacesLibrary, _ desk: PlacesLibrary, Pin) async throws -> Void
    ) async throws {
        let source = TestSource([record("p", tags: ["old"]), record("q")])
        try await LibraryFixture.with(source) { library, _ in
            if isFetched { try await library.fetchRecentPhotos(limit: 1) }
            let desk = library.makeView()
            let pin = try desk.dropPin(at: paris)
            try await desk.loadAlbum(of: pin)
            #expect(pin.albumState == .ready)
            try await body(source, library, desk, pin)
            try desk.context.checkIntegrity()
        }
    }

    @Test(arguments: [Change.remove, .move], [true, false])
    func `what comes back to no album, for others deleted its pin, has nothing of one`(
        change: Change, isFetched: Bool
    ) async throws {
        try await withAlbum(isFetched: isFetched) { _, library, desk, pin in
            try change.make(on: pin, in: desk, to: rome)
            try library.delete(try same(pin, in: library))
            try await desk.undo()
            library.context.refreshAllObjects()
            let photos = try library.context.fetch(Photo.self)
            #expect(identifiers(photos) == (isFetched ? ["p"] : []))
            for photo in photos {
                #expect(photo.pins.isEmpty && photo.picture == nil)
                #expect(photo.pictureState == .unwanted)
            }
        }
    }

    @Test(arguments: [Change.remove, .delete], [true, false])
    func `an album says that it lacks a photo which others ended, and loading it brings that back`(
        change: Change, isFetched: Bool
    ) async throws {
        try await withAlbum(isFetched: isFetched) { source, library, desk, one in
            source.with { $0.photos = [record("p")] }
            let two = try desk.dropPin(at: rome)
            try await desk.loadAlbum(of: two)
            try change.make(on: one, in: desk, to: rome)
            source.with { $0.photos = [record("z")] }
            try await library.newCollection(of: try same(two, in: library))
            try await desk.undo()
            let found = try same(one, in: desk)
            #expect(found.albumState == (isFetched ? .downloading(missing: 1) : .notSearched))
            source.with { $0.photos = [record("p"), record("q")] }
            try await desk.loadAlbum(of: found)
            #expect(found.albumState == .ready && found.page == 1)
            #expect(identifiers(found.photos) == ["p", "q"])
            #expect(found.photos.allSatisfy { $0.picture != nil })
            #expect(source.with { $0.pagesAsked }.count == (isFetched ? 3 : 4))
        }
    }

    @Test func `an album does not lack a photo that a person deleted`() async throws {
        try await withAlbum { source, library, desk, one in
            let two = try desk.dropPin(at: rome)
            try await desk.loadAlbum(of: two)
            try desk.delete(one)
            let photo = try #require(try library.context.find(Photo.self, \.uniqueID, "p"))
            try await library.delete(photo)
            try await desk.undo()
            let found = try same(one, in: desk)
            #expect(found.albumState == .ready && identifiers(found.photos) == ["q"])
        }
    }

    @Test func `a photo that comes back has the tags that it names, whoever told of others since`()
        async throws
    {
        try await withAlbum { source, library, desk, pin in
            try desk.move(pin, to: rome)
            source.with { $0.photos = [record("p", tags: ["new"])] }
            try await library.fetchRecentPhotos()
            try await desk.undo()
            library.context.refreshAllObjects()
            let photos = try library.context.fetch(Photo.self)
            #expect(identifiers(photos) == ["p", "q"])
            for photo in photos {
                #expect(Set(photo.tags.map(\.name)) == Set(photo.tagNames + [""]))
            }
            #expect(try same(pin, in: desk).albumState == .ready)
        }
    }

    @Test func `a move that is done again takes the old album along`() async throws {
        try await withAlbum { _, library, desk, pin in
            try desk.move(pin, to: rome)
            try await desk.undo()
            #expect(pin.albumState == .ready && identifiers(pin.photos) == ["p", "q"])
            try await desk.redo()
            #expect(pin.coordinate == rome && pin.albumState == .notSearched)
            library.context.refreshAllObjects()
            #expect(try library.context.count(Photo.self) == 0)
        }
    }

    @Test func `a pin that goes back has no photos of the point where its album was loaded since`()
        async throws
    {
        try await withAlbum { source, _, desk, pin in
            try desk.move(pin, to: rome)
            source.with { $0.photos = [record("r")] }
            try await desk.loadAlbum(of: pin)
            #expect(identifiers(pin.photos) == ["r"])
            try await desk.undo()
            #expect(pin.coordinate == paris && pin.albumState == .notSearched)
            #expect(identifiers(try desk.context.fetch(Photo.self)) == ["p", "q"])
            source.with { $0.photos = [record("p"), record("q")] }
            try await desk.loadAlbum(of: pin)
            #expect(pin.albumState == .ready && identifiers(pin.photos) == ["p", "q"])
        }
    }
}
