import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct PhotoPagesTests {
    private let source = FakePhotoSource()
    private let area = CoordinateArea.circle(
        center: Coordinate(latitude: 1, longitude: 2), kilometers: 3)

    private func answer(_ page: Int, of pages: Int, _ ids: ClosedRange<Int>, cap: Int? = nil) {
        let photos = ids.map { PhotoRecord(identifier: "\($0)") }
        source.answerPhotosInArea(
            .value(PhotoPage(page: page, usablePages: pages, photos: photos, cap: cap)))
    }

    private func collect() async throws -> [PhotoPage] {
        var pages: [PhotoPage] = []
        for try await page in source.pages(of: area, perPage: 3) { pages.append(page) }
        return pages
    }

    private func identifiers(_ pages: [PhotoPage]) -> [[String]] {
        pages.map { $0.photos.map(\.identifier) }
    }

    @Test func `each photo comes once, and the last page says that there is no more`() async throws
    {
        answer(1, of: 3, 1...3)
        answer(2, of: 3, 3...5)
        answer(3, of: 3, 4...5)
        let pages = try await collect()
        #expect(identifiers(pages) == [["1", "2", "3"], ["4", "5"], []])
        #expect(pages.map(\.ending) == [nil, nil, .complete])
        #expect(source.calls.count == 3)
        #expect(source.calls.last == .photosInArea(area, page: 3, perPage: 3))
    }

    @Test func `the last page says that the source has more than it hands out`() async throws {
        answer(1, of: 1, 1...3, cap: 3)
        #expect(try await collect().map(\.ending) == [.cap(photos: 3)])
    }

    @Test func `an empty search is one empty page`() async throws {
        source.answerPhotosInArea(.value(PhotoPage(page: 1, usablePages: 0, photos: [])))
        let pages = try await collect()
        #expect(identifiers(pages) == [[]])
        #expect(pages.map(\.ending) == [.complete])
    }

    @Test func `a source that repeats itself is left`() async throws {
        answer(1, of: 90, 1...3)
        answer(2, of: 90, 4...6)
        for page in 3...9 { answer(page, of: 90, 4...6) }
        let pages = try await collect()
        #expect(identifiers(pages) == [["1", "2", "3"], ["4", "5", "6"], [], [], [], [], []])
        #expect(pages.map(\.ending) == [nil, nil, nil, nil, nil, nil, .repetition])
    }

    @Test(arguments: 1...4)
    func `pages that shift by their whole length while they are read lose no photo`(
        pagesPublished: Int
    ) async throws {
        for page in 1...4 { answer(page, of: 9, (3 * page - 2)...(3 * page)) }
        for page in 5...(6 + pagesPublished) {
            let first = 3 * (page - pagesPublished) - 2
            answer(page, of: 6 + pagesPublished, first...(first + 2))
        }
        let pages = try await collect()
        #expect(identifiers(pages).flatMap(\.self) == (1...18).map(String.init))
        #expect(pages.last?.ending == .complete && pages.count == 6 + pagesPublished)
    }

    @Test func `empty pages and repeated ones in turn are an end together`() async throws {
        answer(1, of: 90, 1...3)
        answer(2, of: 90, 1...3)
        answerEmpty(3...4)
        answer(5, of: 90, 1...3)
        answerEmpty(6...20)
        let pages = try await collect()
        #expect(pages.count == 6)
        #expect(pages.last?.ending == .repetition)
    }

    @Test func `a page before the one asked for is the end`() async throws {
        answer(1, of: 9, 1...3)
        answer(1, of: 9, 7...9)
        #expect(try await collect().map(\.ending) == [nil, .repetition])
    }

    @Test func `a page without photos amid others does not end the search`() async throws {
        answer(1, of: 3, 1...3)
        source.answerPhotosInArea(.value(PhotoPage(page: 2, usablePages: 3, photos: [])))
        answer(3, of: 3, 4...5)
        #expect(identifiers(try await collect()) == [["1", "2", "3"], [], ["4", "5"]])
    }

    /// Adds pages without photos, from which so many elements each were dropped.
    private func answerEmpty(_ pages: ClosedRange<Int>, dropped: Int = 0) {
        for page in pages {
            source.answerPhotosInArea(
                .value(
                    PhotoPage(
                        page: page, usablePages: 1_000, photos: [], droppedCount: dropped)))
        }
    }

    @Test func `a search whose pages stay empty ends, and the last page says after how many`()
        async throws
    {
        answer(1, of: 1_000, 1...3)
        answerEmpty(2...40)
        let pages = try await collect()
        #expect(identifiers(pages) == [["1", "2", "3"], [], [], [], [], []])
        #expect(pages.map(\.ending) == [nil, nil, nil, nil, nil, .emptiness(pages: 5)])
    }

    @Test func `a page with photos begins the count of empty ones anew`() async throws {
        answerEmpty(1...4)
        answer(5, of: 1_000, 1...3)
        answerEmpty(6...9)
        answer(10, of: 10, 4...5)
        let pages = try await collect()
        #expect(pages.count == 10)
        #expect(pages.last?.ending == .complete)
    }

    @Test func `pages whose photos were all unreadable are not empty`() async throws {
        answerEmpty(1...30, dropped: 3)
        answer(31, of: 31, 1...3)
        let pages = try await collect()
        #expect(pages.count == 31)
        #expect(pages.last?.ending == .complete)
    }

    @Test func `an empty page at the end of the search is no emptiness`() async throws {
        answerEmpty(1...4)
        source.answerPhotosInArea(.value(PhotoPage(page: 5, usablePages: 5, photos: [])))
        #expect(try await collect().map(\.ending) == [nil, nil, nil, nil, .complete])
    }

    @Test func `of a photo that stands twice on a page, or again on a later one, the first comes`()
        async throws
    {
        let pages = [
            [("1", "a"), ("2", "b"), ("1", "c")], [("2", "d"), ("3", "e"), ("3", "f")],
        ]
        for (index, photos) in pages.enumerated() {
            source.answerPhotosInArea(
                .value(
                    PhotoPage(
                        page: index + 1, usablePages: 2,
                        photos: photos.map { PhotoRecord(identifier: $0.0, title: $0.1) })))
        }
        let found = try await collect()
        #expect(found.map { $0.photos.map(\.title) } == [["a", "b"], ["e"]])
        #expect(found.last?.ending == .complete)
    }

    @Test func `after a failure the same page is asked for again`() async throws {
        answer(1, of: 2, 1...3)
        source.answerPhotosInArea(.failure(PhotoSourceError.notConnected(reason: "test")))
        answer(2, of: 2, 4...6)
        var pages = source.pages(of: area, perPage: 3).makeAsyncIterator()
        _ = try await pages.next()
        await #expect(throws: PhotoSourceError.self) { try await pages.next() }
        #expect(try await pages.next()?.page == 2)
        #expect(try await pages.next() == nil)
    }

    @Test func `the pages of a sample world are all its photos there`() async throws {
        let source = SamplePhotoSource()
        let paris = Coordinate(latitude: 48.857, longitude: 2.352)
        let areas: [CoordinateArea] = [
            .circle(center: paris, kilometers: 3),
            .box(CoordinateBox(center: paris, degrees: 0.02)),
            .box(CoordinateBox(center: paris, degrees: 3)),
        ]
        let all = try await source.recentPhotos(limit: .max)
        for area in areas {
            var found: [PhotoRecord] = []
            for try await page in source.pages(of: area, perPage: 20) { found += page.photos }
            #expect(found == all.filter { $0.coordinate.map(area.contains) ?? false })
            #expect(!found.isEmpty)
        }
    }
}
