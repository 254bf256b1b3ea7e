import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct FlickrErrorTests {
    private static let key = "5ecre7+k@y"
    private static let search = "flickr.photos.search"
    private let transport = StubTransport()

    private var flickr: FlickrPhotoSource {
        FlickrPhotoSource(key: Self.key, transport: transport, retry: .never)
    }

    private func errorOfRecentPhotos() async -> PhotoSourceError? {
        await #expect(throws: PhotoSourceError.self) { try await flickr.recentPhotos(limit: 5) }
    }

    @Test func `a missing key says what to do, before anything is sent`() async throws {
        let error = try #require(
            #expect(throws: PhotoSourceError.self) {
                try FlickrPhotoSource(environment: ["FLICKR_API_KEY": " \n"], transport: transport)
            })
        #expect(error.description.contains("set the environment variable FLICKR_API_KEY"))
        let keyless = FlickrPhotoSource(key: "", transport: transport)
        await #expect(throws: error) { try await keyless.places() }
        #expect(transport.requests.isEmpty)
    }

    @Test func `the key of the environment is used`() async throws {
        transport.answer(Self.search, json: FlickrFixtures.noPhotos)
        let flickr = try FlickrPhotoSource(
            environment: ["FLICKR_API_KEY": "abc\n"], transport: transport, retry: .never)
        _ = try await flickr.recentPhotos(limit: 1)
        #expect(transport.requests.first?.queryValue("api_key") == "abc")
    }

    @Test func `an error in a reply of status 200 is typed, with the key taken out`() async {
        transport.answer(
            Self.search, json: FlickrFixtures.fail(100, "Invalid API Key (\(Self.key))"))
        #expect(
            await errorOfRecentPhotos()
                == .service(
                    PhotoSourceError.ServiceFailure(
                        provider: "Flickr", method: Self.search, code: "100",
                        message: "Invalid API Key (<redacted>)", isRetryable: false,
                        remedy: "check the API key, as Flickr takes no call with this one")))
    }

    @Test func `a code that is temporary for searches only is tried again for searches only`() async
    {
        let base = ScriptedTransport { _ in
            HTTPResponse(body: Data(FlickrFixtures.fail(10, "Sorry").utf8))
        }
        let retry = RetryPolicy(
            attempts: 3, attemptTime: nil, totalTime: nil, clock: ManualClock(isImmediate: true))
        let flickr = FlickrPhotoSource(key: Self.key, transport: base, retry: retry)
        await #expect(throws: PhotoSourceError.self) { try await flickr.details(ofPhoto: "1") }
        #expect(base.started == 1)
        await #expect(throws: PhotoSourceError.self) { try await flickr.recentPhotos(limit: 5) }
        #expect(base.started == 4)
    }

    @Test func `HTML and damaged JSON are malformed replies`() async {
        let page = "<html><body>Hold on</body></html>"
        transport.answer(Self.search, .value(HTTPResponse(body: Data(page.utf8))))
        transport.answer(Self.search, json: String(FlickrFixtures.search.prefix(400)))
        for _ in 0..<2 {
            let error = await errorOfRecentPhotos()
            guard case .malformedReply(_, position: .some) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test func `what passes is tried again, as often as the policy says`() async throws {
        transport.answer(Self.search, json: FlickrFixtures.fail(105, "Service unavailable"))
        transport.answer(Self.search, .value(HTTPResponse(status: 502, body: Data())))
        transport.answer(
            Self.search,
            .value(
                HTTPResponse(
                    headers: ["Content-Type": "text/html"], body: Data("<html></html>".utf8))))
        transport.answer(Self.search, json: FlickrFixtures.search)
        let clock = ManualClock(isImmediate: true)
        let flickr = FlickrPhotoSource(
            key: Self.key, transport: transport,
            retry: RetryPolicy(attemptTime: nil, totalTime: nil, clock: clock))
        #expect(try await flickr.recentPhotos(limit: 5).count == 2)
        #expect(clock.sleeps.count == 3)
    }

    /// Replies of 3,000 bytes and more that are none, with the types that they are given.
    static let wrong: [(type: String?, body: String)] = [
        ("text/xml", "<rsp stat=\"fail\">" + String(repeating: "<err/>", count: 500) + "</rsp>"),
        (nil, "<html>" + String(repeating: "<p>Hold on</p>", count: 300)),
        ("application/json", " \n<html>" + String(repeating: "<p>Hold on</p>", count: 300)),
        ("text/plain", String(repeating: "upstream connect error ", count: 200)),
        (
            "application/json",
            #"{"photos":{"photo":["# + String(repeating: #"{"id":"1"},"#, count: 300)
        ),
        (
            "application/json",
            FlickrFixtures.fail(105, String(repeating: "Service unavailable ", count: 200))
        ),
        ("application/json", String(repeating: " ", count: 3_000)),
    ]

    @Test(arguments: wrong.indices)
    func `a long reply that is none is tried again, whatever it is called`(
        index: Int
    ) async throws {
        let (type, body) = Self.wrong[index]
        let headers = type.map { ["Content-Type": $0] } ?? [:]
        transport.answer(
            Self.search, .value(HTTPResponse(headers: headers, body: Data(body.utf8))))
        transport.answer(Self.search, json: FlickrFixtures.noPhotos)
        let flickr = FlickrPhotoSource(
            key: Self.key, transport: transport,
            retry: RetryPolicy(
                attemptTime: nil, totalTime: nil, clock: ManualClock(isImmediate: true)))
        #expect(try await flickr.recentPhotos(limit: 5).isEmpty)
        #expect(transport.requests.count == 2)
    }

    @Test func `a rejected key is not tried again`() async throws {
        transport.answer(Self.search, json: FlickrFixtures.fail(100, "Invalid API Key"))
        let flickr = FlickrPhotoSource(
            key: Self.key, transport: transport,
            retry: RetryPolicy(attemptTime: nil, totalTime: nil))
        await #expect(throws: PhotoSourceError.self) { try await flickr.recentPhotos(limit: 5) }
        #expect(transport.requests.count == 1)
    }

    @Test func `sources with one key share a budget, which tells what is left`() async throws {
        transport.answer(Self.search, json: FlickrFixtures.noPhotos)
        let key = "budget-\(UInt64.random(in: 0 ... .max))"
        let first = FlickrPhotoSource(key: key, transport: transport, retry: .never)
        let second = FlickrPhotoSource(key: key + " ", transport: transport, retry: .never)
        _ = try await first.recentPhotos(limit: 5)
        _ = try await second.recentPhotos(limit: 5)
        #expect(first.budget.state.used == 2)
        #expect(second.budget.state.used == 2)
    }

    @Test func `status 429 carries how long to wait`() async {
        transport.answer(
            Self.search,
            .value(HTTPResponse(status: 429, headers: ["Retry-After": "12"], body: Data())))
        #expect(await errorOfRecentPhotos() == .http(status: 429, retryAfter: .seconds(12)))
    }

    @Test func `a transport's own errors become ours, also a cancellation of its own`()
        async throws
    {
        struct Strange: Error { let address = "api_key=\(FlickrErrorTests.key)" }
        transport.answer(Self.search, .failure(Strange()))
        transport.answer(Self.search, .failure(PhotoSourceError.notConnected(reason: Self.key)))
        transport.answer(Self.search, .failure(URLError(.cancelled)))
        transport.answer(Self.search, .failure(CancellationError()))
        let strange = await errorOfRecentPhotos()
        #expect(strange == .notConnected(reason: "Strange"))
        #expect(await errorOfRecentPhotos() == .notConnected(reason: "<redacted>"))
        // Nobody has cancelled this task.
        #expect(await errorOfRecentPhotos() == .notConnected(reason: "URLError -999"))
        #expect(await errorOfRecentPhotos() == .notConnected(reason: "CancellationError"))
    }

    @Test func `the key shows in no description of the source`() throws {
        var dumped = ""
        dump(flickr, to: &dumped)
        let shown = [dumped, String(describing: flickr), String(reflecting: flickr), "\([flickr])"]
        for text in shown { #expect(!text.contains("5ecre7")) }
    }

    @Test func `a removed picture is gone, whether by status or by placeholder`() async throws {
        let address = "https://live.staticflickr.com/1/2_3.jpg"
        let url = try #require(URL(string: address))
        let placeholder = URL(string: "https://combo.staticflickr.com/photo_unavailable.gif")
        transport.answer(address, .value(HTTPResponse(status: 404, body: Data())))
        transport.answer(address, .value(HTTPResponse(status: 410, body: Data())))
        transport.answer(address, .value(HTTPResponse(body: Data("GIF".utf8), url: placeholder)))
        for _ in 0..<3 {
            await #expect(throws: PhotoSourceError.gone(what: "The picture 2_3.jpg")) {
                try await flickr.data(for: PhotoVariant(name: "m", url: url))
            }
        }
    }

    @Test func `a picture that is nothing, a web page or not on HTTPS is refused`() async throws {
        let address = "https://live.staticflickr.com/1/2_3.jpg"
        let html = ["content-type": "text/html; charset=utf-8"]
        transport.answer(address, .value(HTTPResponse(body: Data())))
        transport.answer(address, .value(HTTPResponse(headers: html, body: Data("<html>".utf8))))
        for _ in 0..<2 {
            let url = try #require(URL(string: address))
            let error = await #expect(throws: PhotoSourceError.self) {
                try await flickr.data(for: PhotoVariant(name: "m", url: url))
            }
            guard case .noPicture("The picture 2_3.jpg", _) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        for insecure in ["http://example.org/x.jpg", "sample:1/square", "file:///etc/passwd"] {
            let url = try #require(URL(string: insecure))
            let error = await #expect(throws: PhotoSourceError.self) {
                try await flickr.data(for: PhotoVariant(name: "m", url: url))
            }
            guard case .invalidRequest = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(transport.requests.count == 2)
    }
}
