import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Replies of Commons that are too long, so that the rest comes in another one.
@Suite struct CommonsContinuationTests {
    private func commons(
        _ answer: @escaping @Sendable (HTTPRequest) -> String
    ) throws -> CommonsPhotoSource {
        try CommonsPhotoSource(
            application: "Tests/1", contact: "x@example.org",
            transport: AnsweringTransport(answer), retry: .never)
    }

    /// A page of a reply, with what the query asks for as far as this reply has it.
    private static func page(
        _ number: Int, hasInfo: Bool = false, longitude: Double? = nil
    ) -> String {
        var page = #"{"pageid":\#(number),"title":"File:\#(number).jpg""#
        if let longitude { page += #","coordinates":[{"lat":1,"lon":\#(longitude)}]"# }
        if hasInfo {
            page += """
                ,"imageinfo":[{"url":"https://upload.wikimedia.org/\(number).jpg","width":2000,"height":1000,
                "mime":"image/jpeg","extmetadata":{"LicenseShortName":{"value":"CC0"}}}]
                """
        }
        return page + "}"
    }

    private static func reply(_ pages: [String], continuing token: String? = nil) -> String {
        let rest = token.map { #""continue":{\#($0),"continue":"||"},"# } ?? ""
        return #"{\#(rest)"query":{"pages":[\#(pages.joined(separator: ","))]}}"#
    }

    @Test func `the details of files that come in parts are put together`() async throws {
        let commons = try commons { request in
            if request.queryValue("list") == "geosearch" {
                let files = (1...3).map {
                    #"{"pageid":\#($0),"title":"File:\#($0).jpg","lat":1,"lon":2.\#($0)}"#
                }
                return #"{"query":{"geosearch":[\#(files.joined(separator: ","))]}}"#
            }
            if request.queryValue("iicontinue") == nil {
                return Self.reply(
                    (1...3).map {
                        Self.page($0, hasInfo: $0 == 1, longitude: 2 + Double($0) / 10)
                    }, continuing: #""iicontinue":"2.jpg|2019""#)
            }
            return Self.reply((1...3).map { Self.page($0, hasInfo: $0 > 1) })
        }
        let center = Coordinate(latitude: 1, longitude: 2)
        let page = try await commons.photos(near: center, kilometers: 5)
        #expect(page.photos.map(\.identifier) == ["1", "2", "3"] && page.droppedCount == 0)
        #expect(page.photos.map(\.coordinate?.longitude) == [2.1, 2.2, 2.3])
        #expect(try await commons.details(ofPhoto: "2").title == "2")
    }

    @Test func `a query that goes on without end is left`() async throws {
        let commons = try commons { _ in
            Self.reply([Self.page(1)], continuing: #""iicontinue":"1.jpg|2019""#)
        }
        let error = await #expect(throws: PhotoSourceError.self) {
            try await commons.details(ofPhoto: "1")
        }
        guard case .malformedReply = error else { throw Unexpected(error) }
    }

    @Test func `only a file whose page is missing is gone`() async throws {
        let commons = try commons { request in
            switch request.queryValue("pageids") {
            case "1": #"{"query":{"pages":[{"pageid":1,"missing":true}]}}"#
            case "2": Self.reply([Self.page(2, hasInfo: true)])
            case "3":
                Self.reply([
                    Self.page(3, hasInfo: true).replacing("image/jpeg", with: "image/svg+xml")
                ])
            case "4": Self.reply([Self.page(4, hasInfo: true).replacing("CC0", with: "")])
            case "6":
                Self.reply([
                    Self.page(6, hasInfo: true)
                        .replacing(#""pageid""#, with: #""missing":false,"pageid""#)
                ])
            default: "{}"
            }
        }
        await #expect(throws: PhotoSourceError.gone(what: "The file 1")) {
            try await commons.details(ofPhoto: "1")
        }
        for identifier in ["2", "6"] {
            #expect(try await commons.details(ofPhoto: identifier).title == identifier)
        }
        for identifier in ["3", "4", "5"] {
            let error = await #expect(throws: PhotoSourceError.self) {
                try await commons.details(ofPhoto: identifier)
            }
            if case .gone = error { Issue.record("\(identifier)") }
        }
    }

    @Test func `of uploads whose positions come in parts each comes once`() async throws {
        let commons = try commons { request in
            if let asked = request.queryValue("pageids") {
                #expect(asked == "1|2")
                return Self.reply([1, 2].map { Self.page($0, hasInfo: true, longitude: 2) })
            }
            guard request.queryValue("cocontinue") != nil else {
                return Self.reply(
                    [Self.page(1, longitude: 2), Self.page(2)], continuing: #""cocontinue":"1|2""#)
            }
            return Self.reply([1, 2].map { Self.page($0, longitude: 2) })
        }
        #expect(try await commons.recentPhotos(limit: 10).map(\.identifier).sorted() == ["1", "2"])
    }
}
