import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@MainActor @Suite(.endsWaiting) struct EmptyPageTests {
    private let paris = Coordinate(latitude: 48.85, longitude: 2.35)
    private let source = FakePhotoSource()

    private func answer(_ page: Int, of pages: Int, _ photos: [String], dropped: Int = 0) {
        source.answerPhotosInArea(
            .value(
                PhotoPage(
                    page: page, usablePages: pages, photos: photos.map { record($0) },
                    droppedCount: dropped)))
    }

    /// Lets a body load an album of two photos, of which the source has two pages.
    private func withAlbum(
        _ body: @MainActor (PlacesLibrary, Pin) async throws -> Void
    ) async throws {
        source.answerData(.value(.picture("x")))
        answer(1, of: 1, ["a", "b"])
        try await LibraryFixture.with(source) { library, _ in
            let pin = try library.dropPin(at: paris)
            try await library.loadAlbum(of: pin)
            try await body(library, pin)
        }
    }

    private var pagesAsked: [Int] {
        source.calls.compactMap {
            if case .photosInArea(_, let page, _) = $0 { page } else { nil }
        }
    }

    @Test(arguments: [(pages: 2, dropped: 0), (pages: 2, dropped: 21), (pages: 1, dropped: 21)])
    func `a first page that is empty by mistake leaves the album, and is asked for again`(
        pages: Int, dropped: Int
    ) async throws {
        try await withAlbum { library, pin in
            answer(1, of: pages, [], dropped: dropped)
            if pages > 1 { answer(2, of: pages, []) }
            await #expect(throws: PhotoSourceError.self) {
                try await library.newCollection(of: pin)
            }
            #expect(pin.albumState == .ready && pin.wantedPage == 1)
            #expect(pin.photos.map(\.uniqueID).sorted() == ["a", "b"])
            #expect(pin.photos.allSatisfy { $0.picture != nil })
            answer(1, of: 2, ["c"])
            try await library.loadAlbum(of: pin)
            #expect(pin.albumState == .ready && pin.photos.map(\.uniqueID) == ["c"])
            #expect(pagesAsked == (pages > 1 ? [1, 1, 2, 1] : [1, 1, 1]))
        }
    }

    @Test func `the second page takes the place of a first one that is empty by mistake`()
        async throws
    {
        try await withAlbum { library, pin in
            answer(1, of: 2, [])
            answer(2, of: 2, ["c"])
            try await library.newCollection(of: pin)
            #expect(pin.albumState == .ready && pin.photos.map(\.uniqueID) == ["c"])
            #expect(pin.page == 2 && pin.usablePages == 2 && pin.wantedPage == nil)
        }
    }

    @Test func `a first page that is empty because there are no photos empties the album`()
        async throws
    {
        for pages in 0...1 {
            try await withAlbum { library, pin in
                answer(1, of: pages, [])
                try await library.newCollection(of: pin)
                #expect(pin.albumState == .empty && pin.photos.isEmpty, "\(pages) pages")
            }
        }
    }

    @Test func `an album of a page that is empty by mistake is not said to be empty`() async throws
    {
        try await LibraryFixture.with(source) { library, _ in
            let pin = try library.dropPin(at: paris)
            answer(1, of: 1, [], dropped: 21)
            await #expect(throws: PhotoSourceError.self) { try await library.loadAlbum(of: pin) }
            #expect(pin.albumState == .notSearched)
        }
    }
}
