import Foundation
import PlacesKit
import Testing

@testable import PlacesKitTests
@testable import PlacesPhotos

@Suite struct FlickrDecodingTests {
    private func page(_ json: String) throws -> PhotoPage {
        let reply = try FlickrReply(body: Data(json.utf8), method: "flickr.photos.search")
        return try PhotoPage(flickr: reply, askedFor: 1, perPage: 100)
    }

    private func photo(_ fields: String) throws -> PhotoRecord? {
        PhotoRecord(flickr: try LenientJSON(parsing: Array("{\(fields)}".utf8)))
    }

    @Test func `elements without an id are dropped and counted, the others kept`() throws {
        let page = try page(FlickrFixtures.search)
        #expect(page.photos.map(\.identifier) == ["101", "104"])
        #expect(page.droppedCount == 2)
        #expect(page.page == 2)
    }

    @Test func `an element that stands twice comes once, and is not dropped as unusable`() throws {
        let page = try page(
            #"{"photos":{"photo":[{"id":"1","title":"a"},{"id":"2"},{"id":1,"title":"b"}]},"stat":"ok"}"#
        )
        #expect(page.photos.map(\.identifier) == ["1", "2"])
        #expect(page.photos.first?.title == "a")
        #expect(page.droppedCount == 0)
    }

    @Test func `every field of a list element is read`() throws {
        let photo = try #require(try page(FlickrFixtures.search).photos.first)
        #expect(photo.title == "Dusk")
        #expect(photo.plainCaption == "By the river & sea")
        #expect(photo.owner == PhotoOwner(identifier: "7@N00", name: "Ada"))
        #expect(photo.uploaded == Date(timeIntervalSince1970: 1_543_987_394))
        #expect(photo.taken?.description == "2018-08-25 16:34:33")
        #expect(photo.coordinate == Coordinate(latitude: 48.85, longitude: 2.35))
        #expect(photo.placeIdentifier == "woe:615702")
        #expect(photo.license?.name == "CC BY 2.0")
        #expect(
            photo.license?.url?.absoluteString == "https://creativecommons.org/licenses/by/2.0/")
        #expect(photo.creditLine == "Ada, CC BY 2.0")
        #expect(photo.pageURL?.absoluteString == "https://www.flickr.com/photos/7@N00/101/")
        #expect(photo.tags == ["paris", "river", "dusk"])
    }

    @Test func `every field of a photo's information is read`() throws {
        let reply = try FlickrReply(body: Data(FlickrFixtures.info.utf8), method: "m")
        let photo = try #require(PhotoRecord(flickr: try reply.content("photo")))
        #expect(photo.displayTitle == "A note")
        #expect(photo.owner == PhotoOwner(identifier: "9@N00", name: "Grace H"))
        #expect(photo.taken?.description == "2011")
        #expect(photo.tags == ["green", "robot"])
        #expect(photo.placeNames?.fullName == "Hota, Riyadh, Saudi Arabia")
        #expect(photo.coordinate == Coordinate(latitude: 23.34, longitude: 46.99))
        #expect(photo.pageURL?.absoluteString == "https://www.flickr.com/photos/grace/201/")
    }

    private func sizes(_ photo: PhotoRecord?) -> [String]? {
        photo?.variants.map { "\($0.name) \($0.longestEdge ?? 0) \($0.url)" }
    }

    @Test func `sizes listed are taken over HTTPS, and no others made up`() throws {
        let photo = try #require(try page(FlickrFixtures.search).photos.first)
        let live = "https://live.staticflickr.com/65535"
        #expect(
            sizes(photo) == [
                "sq 75 https://farm8.staticflickr.com/7458/101_abc_s.jpg",
                "m 500 \(live)/101_abc.jpg", "h 1600 \(live)/101_xyz_h.jpg",
                "o 0 \(live)/101_def_o.png",
            ])
        #expect(photo.variants.filter(\.isCropped).map(\.name) == ["sq"])
    }

    @Test func `where no size is listed, the usual ones are built`() throws {
        let photo = try photo(#""id":"1","secret":"2","server":"3""#)
        let file = "https://live.staticflickr.com/3/1_2"
        #expect(
            sizes(photo) == [
                "sq 75 \(file)_s.jpg", "t 100 \(file)_t.jpg", "q 150 \(file)_q.jpg",
                "s 240 \(file)_m.jpg", "n 320 \(file)_n.jpg", "m 500 \(file).jpg",
                "l 1024 \(file)_b.jpg",
            ])
        #expect(photo?.variants.filter(\.isCropped).map(\.name) == ["sq", "q"])
    }

    @Test func `a photo without secret or server has no addresses but stays`() throws {
        #expect(try photo(#""id":"1","server":"2""#)?.variants == [])
        #expect(try photo(#""id":"1","secret":"2""#)?.variants == [])
        #expect(try photo(#""id":"","secret":"2""#) == nil)
    }

    @Test func `hostile parts stay inside their path segment`() throws {
        let photo = try photo(
            #""id":"1/../2","secret":"a b?","server":"x/y","url_m":"file:///etc/passwd""#)
        let url = try #require(photo?.variants.first { $0.name == "m" }?.url.absoluteString)
        #expect(url == "https://live.staticflickr.com/x%2Fy/1%2F..%2F2_a%20b%3F.jpg")
    }

    @Test(arguments: [
        #""latitude":0,"longitude":0,"accuracy":0"#, #""latitude":"0","longitude":"0""#,
        #""latitude":"8.07","longitude":"77.55","accuracy":"0""#, #""latitude":"","longitude":"""#,
        #""latitude":91,"longitude":2,"accuracy":16"#, #""latitude":48"#,
    ])
    func `what is no location gives no coordinate`(fields: String) throws {
        #expect(try photo(#""id":"1","# + fields)?.coordinate == nil)
    }

    @Test(arguments: [
        (#""woeid":"0","place_id":"0""#, nil), (#""woeid":0,"place_id":"a.B-1""#, "a.B-1"),
        (#""woeid":"1 2","place_id":"a:b""#, nil), (#""woeid":615702"#, "woe:615702"),
    ])
    func `a place that Flickr could not be asked for is none`(
        fields: String, expected: String?
    ) throws {
        #expect(try photo(#""id":"1","# + fields)?.placeIdentifier == expected)
    }

    @Test(arguments: [
        ("\"2018-08-25 16:34:33\"", "\"0\"", "0", "2018-08-25 16:34:33"),
        ("\"2018-08-25 16:34:33\"", "4", "\"0\"", "2018-08"),
        ("\"2018-00-00 00:00:00\"", "6", "0", "2018"),
        ("\"2018-01-01 00:00:00\"", "8", "0", "circa 2018"),
        ("\"2018-08-25 16:34:33\"", "0", "\"1\"", nil), ("\"0000-00-00 00:00:00\"", "0", "0", nil),
        ("\"-0001-11-30 00:00:00\"", "0", "0", nil),
        ("\"2018-00-00 00:00:00\"", "0", "0", nil), ("\"yesterday\"", "0", "0", nil),
        ("null", "0", "0", nil), ("\"2018-08-25\"", "0", "0", "2018-08-25 00:00:00"),
        ("\"9-9-9-9-9-99999999999999999999\"", "0", "0", nil),
    ])
    func `the date taken is local time, as fine as it is known, or nil`(
        taken: String, granularity: String, unknown: String, expected: String?
    ) throws {
        let photo = try photo(
            #""id":"1","datetaken":\#(taken),"datetakengranularity":\#(granularity),"#
                + #""datetakenunknown":\#(unknown)"#)
        #expect(photo?.taken?.description == expected)
    }

    @Test(arguments: ["\"2013\"", "0", "-1", "\"x\"", "null", "99999999999999"])
    func `an upload date Flickr cannot have given is nil`(value: String) throws {
        #expect(try photo(#""id":"1","dateupload":\#(value)"#)?.uploaded == nil)
    }

    @Test func `an unknown license is kept under its number`() throws {
        #expect(try photo(#""id":"1","license":99"#)?.license?.name == "Flickr license 99")
        #expect(try photo(#""id":"1""#)?.license == nil)
    }

    @Test(arguments: [
        (#""pages":287542,"perpage":21"#, 190), (#""pages":3,"perpage":21"#, 3),
        (#""pages":0,"perpage":21"#, 0), (#""pages":"7","perpage":"9000""#, 1),
        (#""pages":-4,"perpage":0"#, 0), (#""pages":9,"per_page":1000"#, 4), ("\"x\":1", 1),
    ])
    func `usable pages end where Flickr stops answering`(paging: String, usable: Int) throws {
        let page = try page(#"{"photos":{\#(paging),"photo":[{"id":"1"}]},"stat":"ok"}"#)
        #expect(page.usablePages == usable)
    }

    @Test func `a list without photos is empty, a reply without a list malformed`() throws {
        #expect(try page(FlickrFixtures.noPhotoKey).photos.isEmpty)
        #expect(try page(FlickrFixtures.noPhotos).usablePages == 0)
        #expect(throws: PhotoSourceError.self) { try page(#"{"stat":"ok"}"#) }
        #expect(throws: PhotoSourceError.self) { try page(#"{"photos":[],"stat":"ok"}"#) }
    }
}
