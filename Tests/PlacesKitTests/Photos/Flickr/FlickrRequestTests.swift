import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct FlickrRequestTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)
    private let transport = StubTransport()
    private let point = Coordinate(latitude: 48.85, longitude: -2.35)

    private var flickr: FlickrPhotoSource {
        FlickrPhotoSource(
            key: "k+,@ é", transport: transport, retry: .never, userAgent: "Tests/1",
            now: { Self.now })
    }

    private func lastQuery() throws -> String {
        try #require(transport.requests.last?.url.query(percentEncoded: true))
    }

    @Test func `a call goes to Flickr over HTTPS with everything reserved encoded`() async throws {
        transport.answer("flickr.photos.search", json: FlickrFixtures.noPhotos)
        _ = try await flickr.recentPhotos(limit: 20)
        let request = try #require(transport.requests.first)
        #expect(
            request.url.absoluteString.hasPrefix(
                "https://api.flickr.com/services/rest/?method=flickr.photos.search"
                    + "&api_key=k%2B%2C%40%20%C3%A9&format=json&nojsoncallback=1&has_geo=1"
                    + "&min_upload_date=1699913600&sort=date-posted-desc"))
        #expect(request.headers["User-Agent"] == "Tests/1")
        #expect(request.queryValue("per_page") == "20")
        #expect(try lastQuery().contains("extras=description%2Clicense%2Cdate_upload"))
    }

    @Test(arguments: [
        (-1e300, 1_075_593_600), (0, 1_075_593_600), (Double.nan, 1_075_593_600),
        (1_700_000_000.9, 1_699_913_600), (1e300, 253_402_300_799),
        (Double.infinity, 253_402_300_799),
    ])
    func `a clock that is wrong by any time asks for what Flickr can have`(
        now: Double, earliest: Int
    ) async throws {
        let flickr = FlickrPhotoSource(
            key: "k", transport: transport, retry: .never,
            now: { Date(timeIntervalSince1970: now) })
        transport.answer("flickr.photos.search", json: FlickrFixtures.noPhotos)
        transport.answer("flickr.places.getTopPlacesList", json: #"{"places":{},"stat":"ok"}"#)
        _ = try await flickr.recentPhotos(limit: 20)
        #expect(try lastQuery().contains("&min_upload_date=\(earliest)&"))
        await #expect(throws: PhotoSourceError.self) { try await flickr.places() }
        #expect(try lastQuery().contains("&min_upload_date=\(earliest)&"))
    }

    @Test(arguments: [
        ("hP_s5s9VVr5Qcg", "place_id=hP_s5s9VVr5Qcg"), ("woe:44418", "woe_id=44418"),
        ("cell:488:-24", "bbox=-2.4%2C48.8%2C-2.3%2C48.9"),
        ("cell:899:1799", "bbox=179.9%2C89.9%2C180%2C90"),
    ])
    func `photos of a place are searched by what its identifier means`(
        identifier: String, parameter: String
    ) async throws {
        transport.answer("flickr.photos.search", json: FlickrFixtures.search)
        let photos = try await flickr.photos(in: PlaceRecord(identifier: identifier, name: "P"))
        #expect(photos.count == 2)
        #expect(try lastQuery().contains("&\(parameter)&"))
        #expect(try lastQuery().contains("&per_page=50&"))
        #expect(transport.requests.count == 3, "in place of the third page comes the second")
    }

    @Test(arguments: [
        "", "woe:", "cell:1:9223372036854775807", "cell:-901:0", "cell:x:0", "area 48.8 2.3",
        "woe:1 2", "woe:1:2", "woe:0", "0", "Paris, France",
    ])
    func `a place that cannot be Flickr's is not asked for`(identifier: String) async {
        await #expect(throws: PhotoSourceError.self) {
            try await flickr.photos(in: PlaceRecord(identifier: identifier, name: "P"))
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func `photos near a point are searched by page within what Flickr reaches`() async throws
    {
        transport.answer("flickr.photos.search", json: FlickrFixtures.search)
        let page = try await flickr.photos(near: point, kilometers: 5, page: 9_999, perPage: 21)
        let query = try lastQuery()
        #expect(query.contains("&lat=48.85&lon=-2.35&radius=5&radius_units=km&"))
        #expect(query.hasSuffix("&per_page=21&page=190"))
        #expect(page.usablePages == 200)
        #expect(page.droppedCount == 2)
    }

    @Test func `photos in a box are searched by its edges, across the antimeridian in two parts`()
        async throws
    {
        transport.answer("flickr.photos.search", json: FlickrFixtures.search)
        let box = CoordinateBox(
            southwest: Coordinate(latitude: -18, longitude: 177.25),
            northeast: Coordinate(latitude: -16, longitude: -179))
        let page = try await flickr.photos(in: .box(box), page: 1, perPage: 20)
        #expect(
            transport.requests.map { $0.queryValue("bbox") } == [
                "177.25,-18,180,-16", "-180,-18,-179,-16",
            ])
        #expect(transport.requests.allSatisfy { $0.queryValue("per_page") == "10" })
        #expect(page.photos.map(\.identifier) == ["101", "104"], "each once")
        #expect(page.droppedCount == 4)
    }

    @Test(arguments: [
        (0.0, 1, 21), (32.0, 1, 21), (.nan, 1, 21), (5.0, 0, 21), (5.0, 1, 0), (5.0, Int.min, -1),
    ])
    func `a search that makes no sense is not sent`(
        radius: Double, page: Int, perPage: Int
    ) async {
        await #expect(throws: PhotoSourceError.self) {
            try await flickr.photos(near: point, kilometers: radius, page: page, perPage: perPage)
        }
        await #expect(throws: PhotoSourceError.self) {
            let nowhere = Coordinate(latitude: .nan, longitude: 0)
            return try await flickr.photos(near: nowhere, kilometers: 5)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func `long lists are read page by page without repetitions`() async throws {
        func answer(_ ids: Range<Int>, pages: Int) {
            let photos = ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
            transport.answer(
                "flickr.photos.search",
                json:
                    #"{"photos":{"pages":\#(pages),"perpage":250,"photo":[\#(photos)]},"stat":"ok"}"#
            )
        }
        answer(0..<250, pages: 9)
        answer(240..<490, pages: 9)
        let photos = try await flickr.recentPhotos(limit: 400)
        #expect(photos.map(\.identifier) == (0..<400).map(String.init))
        #expect(transport.requests.map { $0.queryValue("page") } == ["1", "2"])

        answer(240..<490, pages: 9)
        answer(0..<3, pages: 1)
        #expect(
            try await flickr.recentPhotos(limit: .max).count == 253, "the second page is the last")
        #expect(try await flickr.recentPhotos(limit: .max).count == 3)
        #expect(try await flickr.recentPhotos(limit: 0).isEmpty)
        #expect(try await flickr.recentPhotos(limit: .min).isEmpty)
    }

    @Test func `a long list that shifts by whole pages while it is read is whole`() async throws {
        func answer(_ page: Int, _ ids: Range<Int>) {
            let photos = ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
            let list = #"{"page":\#(page),"pages":90,"perpage":250,"photo":[\#(photos)]}"#
            transport.answer("flickr.photos.search", json: #"{"photos":\#(list),"stat":"ok"}"#)
        }
        answer(1, 0..<250)
        answer(2, 0..<250)
        answer(3, 250..<500)
        let photos = try await flickr.recentPhotos(limit: 400)
        #expect(photos.map(\.identifier) == (0..<400).map(String.init))

        for page in 4...20 { answer(page, 0..<250) }
        #expect(try await flickr.recentPhotos(limit: 400).count == 250)
        let pages = transport.requests.dropFirst(3).compactMap { $0.queryValue("page") }
        #expect(pages == ["1", "2", "3", "4", "5", "6"], "five times nothing new")
    }

    @Test func `a picture is fetched from its address`() async throws {
        let address = "https://live.staticflickr.com/1/2_3.jpg"
        let url = try #require(URL(string: address))
        transport.answer(address, .value(HTTPResponse(body: .picture("2"), url: url)))
        let data = try await flickr.data(for: PhotoVariant(name: "m", url: url))
        #expect(data == .picture("2"))
        #expect(transport.requests.first?.queryValue("api_key") == nil)
    }
}
