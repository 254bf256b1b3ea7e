import Foundation
import PlacesKit
import Testing

@testable import PlacesPhotos

/// Addresses, and the header that says when to ask again.
@Suite struct HTTPAddressTests {
    @Test(arguments: [
        ("7", nil, 7), (" 0 ", nil, 0), ("-3", nil, 0),
        ("99999999999999999999", nil, 1_000_000_000),
        ("soon", nil, nil),
        ("Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2015 07:26:30 GMT", 90),
        ("Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2015 08:28:00 GMT", 0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", nil, 0),
    ])
    func `Retry-After is read as seconds or as a date`(
        value: String, sent: String?, seconds: Int?
    ) {
        var headers = ["retry-after": value]
        headers["date"] = sent
        let response = HTTPResponse(status: 429, headers: headers, body: Data())
        #expect(response.retryAfter == seconds.map { .seconds($0) })
    }

    @Test(arguments: [
        ("https://live.staticflickr.com/1/2_3_b.jpg", "https://live.staticflickr.com/1/2_3_b.jpg"),
        ("http://farm8.staticflickr.com/x", "https://farm8.staticflickr.com/x"),
        ("https://x.org", "https://x.org"),
        ("https://x.org/a%20b?c=d&e", "https://x.org/a%20b?c=d&e"),
        ("https:///x", nil), ("https://", nil), ("https://-x.org/", nil), ("ftp://x.org/", nil),
        ("https://x.org/a b", nil), ("https://x.org/%2", nil), ("https://x.org/%zz", nil),
        ("https://x.org/é", nil), ("https://a@x.org/", nil), ("https://x.org:80/", nil), ("", nil),
        ("https://x.org/[]", nil), ("https://x.org/a\nb", nil),
    ])
    func `only what is certain to be a URL over HTTPS is an address`(text: String, address: String?)
    {
        #expect(HTTPAddress(text)?.text == address)
    }

    @Test func `every address is a URL, whatever it is made of`() throws {
        var random = SplitMix64(seed: 3)
        let bytes = (0x20...0x7E).map { UInt8($0) }
        var accepted = 0
        for round in 0..<5_000 {
            let tail = (0..<random.below(12)).map { _ in random.pick(bytes) }
            let text = "https://a" + String(decoding: tail, as: UTF8.self)
            guard let address = HTTPAddress(text) else { continue }
            accepted += 1
            let url = try #require(URL(string: address.text), "round \(round): \(text)")
            #expect(url.absoluteString == address.text)
        }
        #expect(accepted > 300)
    }

    @Test(arguments: [
        ("https://x.org/a", "_b.jpg", "https://x.org/a_b.jpg"),
        ("http://x.org/", "b", "https://x.org/b"),
        ("https://x.org", ".evil.com", nil), ("https://x.org/a", "/b", nil),
        ("https://x.org/a", "é", nil), ("https://x.org/a", "%2", nil),
    ])
    func `an address goes on within its path only`(start: String, rest: String, address: String?) {
        let appended = HTTPAddress(start)?.appending(rest)
        #expect(appended?.text == address)
        guard let appended, let whole = address.flatMap(HTTPAddress.init) else { return }
        #expect(LazyURL(appended) == LazyURL(whole))
        #expect(Set([LazyURL(appended), LazyURL(whole)]).count == 1)
        #expect(LazyURL(appended).url == LazyURL(whole).url)
    }

    @Test func `percent-encoding keeps what is unreserved, and the @ of a segment`() {
        #expect(PercentEncoding.query("aZ09-._~@+é") == "aZ09-._~%40%2B%C3%A9")
        #expect(PercentEncoding.pathSegment("1@N0/é") == "1@N0%2F%C3%A9")
    }
}
