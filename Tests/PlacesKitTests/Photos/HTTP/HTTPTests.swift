import Foundation
import PlacesKit
import Testing

@Suite struct HTTPTests {

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
