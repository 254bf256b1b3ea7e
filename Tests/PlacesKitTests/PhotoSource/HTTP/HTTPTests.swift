import Foundation
import Testing

@testable import PlacesKit

@Suite struct HTTPTests {
    @Test(arguments: [
        ("7", nil, 7), (" 0 ", nil, 0), ("-3", nil, 0), ("99999999999999999999", nil, nil),
        ("soon", nil, nil),
        ("Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2015 07:26:30 GMT", 90),
        ("Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2015 08:28:00 GMT", 0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", nil, nil),
    ])
    func `Retry-After is read as seconds or as a date`(
        value: String, sent: String?, seconds: Int?
    ) {
        var headers = ["retry-after": value]
        headers["date"] = sent
        let response = HTTPResponse(status: 429, headers: headers, body: Data())
        #expect(response.retryAfter == seconds.map { .seconds($0) })
    }

    @Test func `a request's description hides the key and nothing else`() throws {
        let url = try #require(URL(string: "https://example.org/?api_key=SECRET&method=m&x=1"))
        let request = HTTPRequest(url: url, headers: ["X": "SECRET2"])
        #expect("\(request)" == "GET https://example.org/?api_key=<redacted>&method=m&x=1")
        var dumped = ""
        dump([request], to: &dumped)
        #expect(!dumped.contains("SECRET"))
        #expect(!String(reflecting: [request]).contains("SECRET"))
    }
}
