import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Pages as Flickr really sends them: shorter than asked for, with odd numbers, or the last one again.
@Suite struct FlickrPagingTests {
    private let point = CoordinateArea.circle(
        center: Coordinate(latitude: 1, longitude: 2), kilometers: 3)

    private let acrossTheMeridian = CoordinateArea.box(
        CoordinateBox(
            southwest: Coordinate(latitude: -20, longitude: 175),
            northeast: Coordinate(latitude: -10, longitude: -175)))

    private func flickr(
        _ answer: @escaping @Sendable (HTTPRequest, _ page: Int, _ perPage: Int) -> String
    ) -> FlickrPhotoSource {
        let transport = AnsweringTransport { request in
            func number(_ name: String) -> Int { request.queryValue(name).flatMap { Int($0) } ?? 0 }
            return answer(request, number("page"), number("per_page"))
        }
        return FlickrPhotoSource(
            key: "k", transport: transport, retry: .never,
            budget: RequestBudget(limit: .max, per: .seconds(1)))
    }

    private static func reply(
        _ identifiers: some Sequence<String>, page: String, pages: Int, perPage: Int
    ) -> String {
        let photos = identifiers.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        return """
            {"photos":{"page":\(page),"pages":\(pages),"perpage":\(perPage),"photo":[\(photos)]},
            "stat":"ok"}
            """
    }

    @Test func `across the 180th meridian all pages that are said to be there are other ones`()
        async throws
    {
        let flickr = flickr { request, page, perPage in
            let side = request.queryValue("bbox")?.hasPrefix("-") == true ? "west" : "east"
            return Self.reply(
                (0..<perPage).map { "\(side) \(page) \($0)" }, page: "\(page)",
                pages: 100_000 / perPage, perPage: perPage)
        }
        var pages: [PhotoPage] = []
        for try await page in flickr.pages(of: acrossTheMeridian, perPage: 250) {
            pages.append(page)
        }
        #expect(pages.map(\.page) == Array(1...32))
        #expect(pages.allSatisfy { $0.usablePages == 32 && $0.photos.count == 250 })
        #expect(pages.last?.ending == .cap(photos: 4_000))
        let far = try await flickr.photos(in: acrossTheMeridian, page: 9_999, perPage: 21)
        #expect(far.page == 400 && far.usablePages == 400 && far.photos.count == 20)
    }

    @Test(arguments: [(3, 2), (0, 4), (2, 0), (0, 0)])
    func `across the 180th meridian pages of one photo have each photo once`(
        east: Int, west: Int
    ) async throws {
        let flickr = flickr { request, page, perPage in
            let isWest = request.queryValue("bbox")?.hasPrefix("-") == true
            let (side, count) = isWest ? ("west", west) : ("east", east)
            // Behind the last page Flickr repeats it.
            let shown = count == 0 ? [] : ["\(side) \(min(page, count))"]
            return Self.reply(shown, page: "\(page)", pages: count, perPage: perPage)
        }
        var pages: [PhotoPage] = []
        for try await page in flickr.pages(of: acrossTheMeridian, perPage: 1) { pages.append(page) }
        let expected = (0..<east).map { "east \($0 + 1)" } + (0..<west).map { "west \($0 + 1)" }
        #expect(pages.flatMap(\.photos).map(\.identifier) == expected)
        #expect(pages.count == max(1, expected.count))
        #expect(pages.allSatisfy { $0.usablePages == expected.count })
        let beyond = try await flickr.photos(in: acrossTheMeridian, page: 9_999, perPage: 1)
        #expect(beyond.photos.isEmpty && beyond.ending == .complete)
    }

    @Test func `across the 180th meridian pages of one photo end where Flickr's do`() async throws {
        let flickr = flickr { request, page, perPage in
            let side = request.queryValue("bbox")?.hasPrefix("-") == true ? "west" : "east"
            return Self.reply(
                ["\(side) \(page)"], page: "\(page)", pages: 3_000, perPage: perPage)
        }
        let last = try await flickr.photos(in: acrossTheMeridian, page: 9_999, perPage: 1)
        #expect(last.page == 4_000 && last.usablePages == 4_000)
        #expect(last.photos.map(\.identifier) == ["west 1000"])
        #expect(last.ending == .cap(photos: 4_000))
    }

    @Test func `a page that is empty once, although there are more, is asked for again`()
        async throws
    {
        let count = SharedCounter()
        let flickr = flickr { _, page, perPage in
            let isEmpty = count.next() == 1
            return Self.reply(
                isEmpty ? [] : (0..<perPage).map { "\(page) \($0)" }, page: "\(page)", pages: 9,
                perPage: perPage)
        }
        #expect(try await flickr.photos(in: point, page: 1, perPage: 21).photos.count == 21)
        #expect(count.next() == 3, "asked twice")
    }

    @Test func `an empty page does not end a list that has others`() async throws {
        let flickr = flickr { _, page, perPage in
            Self.reply(
                page < 4 ? [] : ["\(page)"], page: "\(page)", pages: 9, perPage: perPage)
        }
        #expect(try await flickr.recentPhotos(limit: 2).map(\.identifier) == ["4", "5"])
    }

    @Test func `a list ends after five empty pages, each asked for twice`() async throws {
        let count = SharedCounter()
        let flickr = flickr { _, page, perPage in
            _ = count.next()
            return Self.reply([], page: "\(page)", pages: 100, perPage: perPage)
        }
        #expect(try await flickr.recentPhotos(limit: 2).isEmpty)
        #expect(count.next() == 11)
    }

    @Test func `a page of nothing but unusable elements does not end a list`() async throws {
        let flickr = flickr { _, page, perPage in
            Self.reply([page == 1 ? "" : "2"], page: "\(page)", pages: 2, perPage: perPage)
        }
        #expect(try await flickr.recentPhotos(limit: 2).map(\.identifier) == ["2"])
    }

    @Test func `a search without results is asked once`() async throws {
        let count = SharedCounter()
        let flickr = flickr { _, page, perPage in
            _ = count.next()
            return Self.reply([], page: "\(page)", pages: 0, perPage: perPage)
        }
        #expect(try await flickr.photos(in: point, page: 1, perPage: 21).usablePages == 0)
        #expect(count.next() == 2)
    }

    @Test(arguments: [(50, 50), (100, 100), (250, 250), (300, 300), (2_000, 937)])
    func `what Flickr leaves out of its pages is made up for by later ones`(
        limit: Int, count: Int
    ) async throws {
        let flickr = flickr { _, page, perPage in
            let numbers = ((page - 1) * perPage..<min(page * perPage, 1_000)).filter {
                $0 % 16 != 3
            }
            return Self.reply(
                numbers.map(String.init), page: "\(page)", pages: (999 + perPage) / perPage,
                perPage: perPage)
        }
        let photos = try await flickr.recentPhotos(limit: limit)
        #expect(
            photos.map(\.identifier)
                == (0..<1_000).filter { $0 % 16 != 3 }.prefix(count).map(String.init))
    }

    @Test func `pages that Flickr shortens are followed by the next ones`() async throws {
        let flickr = flickr { _, page, _ in
            Self.reply(
                (0..<25).map { "\(page * 25 + $0)" }, page: "\(page)", pages: 8, perPage: 25)
        }
        #expect(try await flickr.recentPhotos(limit: 110).count == 110)
        #expect(try await flickr.recentPhotos(limit: 1_000).count == 200)
    }

    @Test(arguments: ["0", "-1", "null", #""x""#])
    func `a page whose number cannot be is the one asked for`(number: String) async throws {
        let flickr = flickr { _, page, perPage in
            Self.reply(
                (0..<perPage).map { "\(page) \($0)" }, page: number, pages: 4, perPage: perPage)
        }
        var pages: [PhotoPage] = []
        for try await page in flickr.pages(of: point, perPage: 3) { pages.append(page) }
        #expect(pages.map(\.page) == [1, 2, 3, 4])
        #expect(pages.last?.ending == .complete)
    }
}
