import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesPhotos

@Suite struct CommonsDecodingTests {
    private func reply(_ json: String, headers: [String: String] = [:]) throws -> CommonsReply {
        try CommonsReply(HTTPResponse(headers: headers, body: Data(json.utf8)))
    }

    private func photo(
        _ metadata: String, info: String = "", page: String = ""
    ) throws -> PhotoRecord? {
        let json = """
            {"pageid":7,"title":"File:Pont Neuf, 2.0.jpg"\(page),"imageinfo":[{
            "url":"https://upload.wikimedia.org/wikipedia/commons/a/ab/Pont_Neuf.jpg?utm_source=x",
            "mime":"image/jpeg","width":2000,"height":1500,"user":"Ada"\(info),
            "extmetadata":{"LicenseShortName":{"value":"CC BY 4.0"}\(metadata)}}]}
            """
        return PhotoRecord(
            commons: CommonsPage(parts: [try LenientJSON(parsing: Array(json.utf8))]),
            language: "en")
    }

    @Test func `all that the description page says is read`() throws {
        let photo = try #require(
            try photo(
                """
                ,"Artist":{"value":"<bdi><a href=\\"//x\\">Ada &amp; Bob</a>\\n</bdi>"},
                "ImageDescription":{"value":{"_type":"lang","de":"Brücke","en":"A <b>bridge</b>"}},
                "DateTimeOriginal":{"value":"2009-11-14 14:07"},"License":{"value":"cc-by-4.0"},
                "LicenseUrl":{"value":"//creativecommons.org/licenses/by/4.0"},
                "CommonsMetadataExtension":{"value":1.2},"Credit":{"value":null}
                """,
                info: #","timestamp":"2019-06-02T23:28:55Z","descriptionurl":"http://x.org/p""#,
                page: #","coordinates":[{"lat":1,"lon":2},{"lat":48.5,"lon":2.5,"primary":true}]"#))
        #expect(photo.identifier == "7")
        #expect(photo.title == "Pont Neuf, 2.0")
        #expect(photo.plainCaption == "A bridge")
        #expect(photo.owner == PhotoOwner(identifier: "Ada", name: "Ada & Bob"))
        #expect(photo.uploaded == Date(timeIntervalSince1970: 1_559_518_135))
        #expect(photo.taken?.description == "2009-11-14 14:07")
        #expect(photo.coordinate == Coordinate(latitude: 48.5, longitude: 2.5))
        #expect(photo.license?.identifier == "cc-by-4.0")
        #expect(
            photo.license?.url?.absoluteString == "https://creativecommons.org/licenses/by/4.0")
        #expect(photo.creditLine == "Ada & Bob, CC BY 4.0, via Wikimedia Commons")
        #expect(photo.pageURL?.absoluteString == "https://x.org/p")
    }

    @Test(arguments: [
        "2019-02-30T00:00:00Z", "2019-06-02T25:61:61Z", "99999-06-02T23:28:55Z",
        "0000-00-00T00:00:00Z", "2019-06-02T23:28:99Z", "2019-06-02T23:28Z",
        "2019:06:02 23:28:55Z", "2019-06-02T23:28:55", "2019-06-02", "yesterday",
    ])
    func `a date of upload that is of no real day is nil`(text: String) throws {
        let photo = try #require(try photo("", info: #","timestamp":"\#(text)""#))
        #expect(photo.uploaded == nil)
    }

    @Test func `what is hidden on the page stays hidden`() throws {
        let photo = try photo(
            """
            ,"Artist":{"value":"Unknown author<span style=\\"display: none;\\">Unknown author</span>"},
            "ObjectName":{"value":"<div class='fn'>\\nDusk<style>.x{}</style>\\n</div>"}
            """)
        #expect(photo?.owner.name == "Unknown author")
        #expect(photo?.title == "Dusk")
    }

    /// The sizes of a file, by what its reply says of thumbnails.
    private func sizes(
        _ info: String = "", page: String = "", width: Int = 2_000, mime: String = "image/jpeg"
    ) throws -> [String] {
        let json = """
            {"pageid":7,"title":"File:P.jpg","imageinfo":[{"url":"https://x.org/p.jpg?utm=1",
            "mime":"\(mime)","width":\(width),"height":1000\(info)}]\(page)}
            """
        let page = CommonsPage(parts: [try LenientJSON(parsing: Array(json.utf8))])
        return CommonsVariants.variants(ofPage: page).map {
            "\($0.name) \($0.width ?? 0)x\($0.height ?? 0) \($0.url)"
        }
    }

    @Test func `thumbnails have the addresses that the reply gives, whatever these look like`()
        throws
    {
        let sizes = try sizes(
            """
            ,"thumburl":"//thumb.wikimedia.org/7/xyz?expires=9&signature=960px-","thumbwidth":960,
            "thumbheight":480,"responsiveUrls":{"1.5":"http://thumb.wikimedia.org/7/b",
            "2":"https://thumb.wikimedia.org/7/c?signature=2"}
            """,
            page: """
                ,"thumbnail":{"source":"https://thumb.wikimedia.org/7/a","width":330,"height":165}
                """)
        #expect(
            sizes == [
                "330px 330x165 https://thumb.wikimedia.org/7/a",
                "960px 960x480 https://thumb.wikimedia.org/7/xyz?expires=9&signature=960px-",
                "1440px 1440x720 https://thumb.wikimedia.org/7/b",
                "1920px 1920x960 https://thumb.wikimedia.org/7/c?signature=2",
                "original 2000x1000 https://x.org/p.jpg?utm=1",
            ])
    }

    @Test func `no address is made up where the reply gives none`() throws {
        let original = "original 2000x1000 https://x.org/p.jpg?utm=1"
        #expect(try sizes() == [original])
        let bad = #","thumburl":"ftp://x.org/960px-p.jpg","responsiveUrls":[]"#
        #expect(try sizes(bad, page: #","thumbnail":null"#) == [original])
        #expect(try sizes(mime: "image/tiff").isEmpty)
    }

    @Test func `one address of two densities is that of the larger picture`() throws {
        let info = """
            ,"thumburl":"https://x.org/a","thumbwidth":960,"thumbheight":480,
            "responsiveUrls":{"1.5":"https://x.org/b","2":"https://x.org/b","3":null,"x":"https://x.org/c"}
            """
        #expect(
            try sizes(info).map { $0.prefix { $0 != " " } }
                == ["960px", "1920px", "original"])
    }

    @Test func `a file with very many thumbnails has each width and each address once`() throws {
        // Two have one width, and eight in a row one address: that of 2,000 is alone, and its width is that of 1,999.
        let dense = (1...2_000).map { number in
            #""\#(1 + Double(2 * number + 1) / 3_840)":"https://x.org/\#(number / 8)""#
        }
        let info = """
            ,"thumburl":"https://x.org/a","thumbwidth":960,"thumbheight":1,
            "responsiveUrls":{\(dense.joined(separator: ","))}
            """
        let sizes = try sizes(info, width: 1_000_000).map { $0.split(separator: " ") }
        #expect(sizes.count == 2_000 / 8 + 2)
        for part in [0, 2] { #expect(Set(sizes.map { $0[part] }).count == sizes.count) }
    }

    @Test func `sizes that cannot be are no sizes`() throws {
        for number in ["0", "-1", "1e300", "9223372036854775807", "null", "[]", "\"nan\""] {
            let info = """
                ,"thumburl":"https://x.org/a","thumbwidth":\(number),"thumbheight":1,
                "responsiveUrls":{"nan":"https://x.org/b","1e300":"https://x.org/c","-2":"https://x.org/d"}
                """
            let names = try sizes(info).map { $0.prefix { $0 != " " } }
            #expect(["original", "960px original"].contains(names.joined(separator: " ")))
        }
    }

    @Test func `a height that cannot be is worked out from the width`() throws {
        for number in ["0", "-7", "null"] {
            let info = #","thumburl":"https://x.org/a","thumbwidth":960,"thumbheight":\#(number)"#
            #expect(try sizes(info).first == "960px 960x480 https://x.org/a")
        }
    }

    @Test func `thumbnails as wide as the file are left out, but for files that are not shown`()
        throws
    {
        let info = """
            ,"thumburl":"https://x.org/p.jpg?utm=2","thumbwidth":800,"thumbheight":1000,
            "responsiveUrls":{"2":"https://x.org/p.jpg"}
            """
        #expect(try sizes(info, width: 800) == ["original 800x1000 https://x.org/p.jpg?utm=1"])
        #expect(
            try sizes(info, width: 800, mime: "image/tiff")
                == ["800px 800x1000 https://x.org/p.jpg?utm=2"])
    }

    @Test func `what is no photo is left out`() throws {
        let whole = """
            {"pageid":7,"title":"File:X.jpg","imageinfo":[{"mime":"image/jpeg","width":8,"height":9,
            "url":"https://x.org/a","extmetadata":{"LicenseShortName":{"value":"PD"}}}]}
            """
        func read(replacing old: String = "", with new: String = "") throws -> PhotoRecord? {
            let json = old.isEmpty ? whole : whole.replacingOccurrences(of: old, with: new)
            return PhotoRecord(
                commons: CommonsPage(parts: [try LenientJSON(parsing: Array(json.utf8))]),
                language: "en")
        }
        #expect(try read() != nil)
        #expect(try read(replacing: "image/jpeg", with: "audio/ogg") == nil)
        #expect(try read(replacing: "image/jpeg", with: "image/svg+xml") == nil)
        #expect(try read(replacing: "8", with: "0") == nil)
        #expect(try read(replacing: "https://x.org/a", with: "x:y") == nil)
        #expect(try read(replacing: "LicenseShortName", with: "Nothing") == nil)
        #expect(try read(replacing: "pageid", with: "missing") == nil)
    }

    @Test(arguments: [
        ("2018-06-26 12:42:34", "2018-06-26 12:42:34"), ("2009-11-14 14:07", "2009-11-14 14:07"),
        ("2009-03-17", "2009-03-17"), ("1973", "1973"), ("cir. 1948", "circa 1948"), ("", nil),
        ("1891<div style=\"display: none;\">date QS:P,+1891-00-00T00:00:00Z/9</div>", "1891"),
        (
            "circa 1617 <div style=\"display: none;\">date QS:P,+1617-00-00T00:00:00Z/9,P1480,Q5727902</div>",
            "circa 1617"
        ),
        ("<time datetime=\"2020-02\">2020-02</time>", "2020-02"), ("in summer", nil),
        ("2018-06-26T12:42:34.5", "2018-06-26 12:42:34"), ("2018-06-26 24:00:00", "2018-06-26"),
        ("2018-06-26 12:42:60", "2018-06-26 12:42"), ("2018-06-00", "2018-06"),
        ("2020-02-30", nil), ("date QS:P,+2020-05-00T00:00:00Z/10", "2020-05"),
    ])
    func `dates are read in the forms that are in use`(html: String, text: String?) {
        #expect(CommonsDate.taken(html)?.description == text)
    }

    @Test func `an error in a reply of status 200 is typed`() throws {
        let error = #expect(throws: PhotoSourceError.self) {
            try reply(#"{"error":{"code":"maxlag","info":"Waiting &amp; waiting","lag":0.4}}"#)
        }
        #expect(error?.isRetryable == true)
        #expect(error?.retryAfter == .seconds(5))
        #expect("\(error.map { "\($0)" } ?? "")".contains("“Waiting & waiting”"))
        let fault = #expect(throws: PhotoSourceError.self) {
            try reply(#"{"errors":[{"code":"outofrange","text":"too large"}]}"#)
        }
        #expect(fault?.isRetryable == false)
        #expect(throws: PhotoSourceError.self) { try reply("<html></html>") }
        #expect(throws: PhotoSourceError.self) { try reply("[]") }
    }

    @Test func `what follows is asked for by all that the reply gives, older versions never`()
        throws
    {
        let more = try reply(#"{"continue":{"gaicontinue":"2026|X","continue":"gaicontinue||"}}"#)
        #expect(more.continuation.map(\.value) == ["2026|X", "gaicontinue||"])
        #expect(
            try reply(#"{"continue":{"iistart":"2025","continue":"||"}}"#).continuation.isEmpty)
        #expect(try reply(#"{"batchcomplete":true}"#).continuation.isEmpty)
        #expect(try reply(#"{"batchcomplete":true}"#).pages.isEmpty)
    }

    @Test func `files that share a copied position come last`() throws {
        let hits = CommonsHits(
            try reply(
                """
                {"query":{"geosearch":[
                {"pageid":1,"title":"File:A.jpg","lat":1,"lon":2},
                {"pageid":2,"title":"File:B.ogg","lat":1,"lon":2.1},
                {"pageid":3,"title":"File:C.JPG","lat":1,"lon":2},
                {"pageid":4,"title":"File:D.png","lat":1,"lon":2},
                {"pageid":5,"title":"File:E.tif","lat":1,"lon":2.2},
                {"pageid":5,"title":"File:E.tif","lat":1,"lon":2.3},
                {"pageid":6,"title":"File:noname","lat":1,"lon":2.3}, null]}}
                """))
        #expect(hits.identifiers == ["5", "1", "3", "4"])
        #expect(!hits.isCapped)
    }
}
