import Foundation
import PlacesKit
import Testing

@testable import PlacesKitTests
@testable import PlacesPhotos

@Suite struct FlickrReplyTests {
    private func reply(_ text: String) throws -> FlickrReply {
        try FlickrReply(body: Data(text.utf8), method: "flickr.test")
    }

    @Test(arguments: [
        #"{"a":")"}"#, #"jsonFlickrApi({"a":")"})"#, " foo.bar$1( {\"a\":\")\"} ) ;\n",
        "\u{FEFF}{\"a\":\")\"}",
    ])
    func `a reply is read with and without the function call around it`(text: String) throws {
        #expect(try reply(text).root["a"].text == ")")
    }

    @Test func `an error inside a function call is seen`() {
        let error = PhotoSourceError.service(
            FlickrErrorCode.failure(
                method: "flickr.test", code: 100, message: "Invalid API Key"))
        #expect(throws: error) {
            try reply("jsonFlickrApi(\(FlickrFixtures.fail(100, "Invalid API Key")))")
        }
    }

    @Test(arguments: [
        ("<html><body><h1>Oops</h1></body></html>", "HTML or XML", 0, 1),
        ("{\"a\":1,\n \"b\":tru}", "damaged", 13, 2),
        ("{\"a\":1,\n\"b\":[", "damaged", 14, 2),
        ("cb({\"a\":x})", "damaged", 8, 1),
        ("", "empty", 0, 1),
        ("  \n", "empty", 3, 2),
    ])
    func `a reply that is not JSON says what it is and where reading stopped`(
        text: String, nature: String, byte: Int, line: Int
    ) {
        do {
            _ = try reply(text)
            Issue.record("it was read")
        } catch let PhotoSourceError.malformedReply(what, position) {
            #expect(what.contains(nature))
            #expect(what.contains("flickr.test"))
            // Foundation points at the end of a damaged word on one system, at its start on another.
            #expect(abs((position?.byte ?? -9) - byte) <= 4, "\(String(describing: position))")
            #expect(position?.line == line)
        } catch {
            Issue.record(error)
        }
    }

    @Test(arguments: ["[]", "7", "\"x\"", "null"])
    func `JSON that is no object is malformed`(text: String) {
        #expect(throws: PhotoSourceError.self) { try reply(text) }
    }

    @Test func `a reply nested without end is an error, not a crash`() {
        #expect(throws: PhotoSourceError.self) { try reply(String(repeating: "[", count: 100_000)) }
    }

    @Test func `a reply without a status is read, as some have none`() throws {
        #expect(try reply(FlickrFixtures.topPlaces).content("places")["total"].int == 2)
    }

    @Test(arguments: [
        ("flickr.photos.search", 10, "", true), ("flickr.photos.getInfo", 10, "", false),
        ("m", 105, "Service currently unavailable", true), ("m", 106, "", true),
        ("m", 201, "", true),
        ("m", 0, "Sorry, the Flickr API service is not currently available.", true),
        ("m", 0, "", false), ("m", 1, "Photo not found", false), ("m", 100, "", false),
        ("m", 112, "", false), ("m", 4711, "", false),
    ])
    func `the code, the method and the message tell whether to try again`(
        method: String, code: Int, message: String, isRetryable: Bool
    ) {
        let failure = FlickrErrorCode.failure(method: method, code: code, message: message)
        #expect(failure.isRetryable == isRetryable)
    }
}
