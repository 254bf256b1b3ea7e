import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// The key shows nowhere, whatever a transport does with it.
@Suite struct FlickrSecrecyTests {
    private static let key = "5eCre7+k@y"
    /// The key as it is, in either case, and percent-encoded in part, as a whole, and twice.
    private static let spellings = [
        "5eCre7+k@y", "5ecre7+k@y", "5ECRE7+K@Y", "5eCre7%2Bk%40y", "5eCre7%2bk@y",
        "5ECRE7%2BK%40Y",
        "%35%65%43%72%65%37%2B%6B%40%79", "5eCre7%252Bk%2540y", "%2535eCre7%25252Bk@y",
    ]
    private let transport = StubTransport()

    private var flickr: FlickrPhotoSource {
        FlickrPhotoSource(key: Self.key, transport: transport, retry: .never)
    }

    /// All that an error or a value shows of itself.
    private func shown(_ value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        let error = value as? any Error
        return [
            String(describing: value), String(reflecting: value), dumped, "\([value])",
            error?.localizedDescription ?? "", error.map { "\($0 as NSError)" } ?? "",
        ].joined(separator: "\n")
    }

    /// The error that a caller has for an error of a transport.
    private func error(for error: any Error) async -> any Error {
        transport.answer("flickr.photos.search", .failure(error))
        return await #expect(throws: (any Error).self) { try await flickr.recentPhotos(limit: 1) }
            ?? CancellationError()
    }

    @Test(arguments: spellings)
    func `no error of a transport shows the key, in whichever text it stands`(
        spelling: String
    ) async {
        let text = "x\(spelling)y"
        let errors: [PhotoSourceError] = [
            .missingKey(provider: text, remedy: text), .invalidRequest(reason: text),
            .service(
                .init(
                    provider: text, method: text, code: text, message: text, isRetryable: false,
                    remedy: text)),
            .unavailable(reason: .methodReturnsNothing(provider: text, method: text)),
            .unavailable(reason: .notSupported(provider: text, operation: text)),
            .unavailable(reason: .unreadable(provider: text, reason: text)),
            .notConnected(reason: text), .tooManyRedirects(host: text),
            .malformedReply(what: text, position: nil), .noPicture(what: text, came: text),
            .gone(what: text),
        ]
        for error in errors {
            let shown = shown(await self.error(for: error))
            #expect(!shown.contains(spelling))
            #expect(shown.contains("x<redacted>y"))
        }
    }

    @Test func `an error that is not ours is known by its type, whatever lies beneath it`()
        async throws
    {
        struct Inner: Error { let address = "https://x.org/?api_key=\(FlickrSecrecyTests.key)" }
        struct Outer: LocalizedError {
            let underlying: any Error = Inner()
            var errorDescription: String? { FlickrSecrecyTests.key }
        }
        let nested = NSError(
            domain: Self.key, code: 7,
            userInfo: [NSUnderlyingErrorKey: Inner(), NSLocalizedDescriptionKey: Self.key])
        let address = try #require(URL(string: "https://x.org/?api_key=\(Self.key)"))
        let url = URLError(
            .cannotConnectToHost,
            userInfo: [
                NSURLErrorFailingURLErrorKey: address,
                NSLocalizedDescriptionKey: Self.key, NSUnderlyingErrorKey: nested,
            ])
        for error in [Outer(), nested, url] as [any Error] {
            let shown = shown(await self.error(for: error))
            #expect(!shown.contains("5eCre7"))
            #expect(shown.contains("could not be reached"))
        }
    }

    @Test func `a service that quotes the key in another spelling does not show it`() async {
        let fail = FlickrFixtures.fail(100, "Invalid API Key (5ECRE7%2BK%40Y)")
        transport.answer("flickr.photos.search", json: fail)
        let error = await #expect(throws: PhotoSourceError.self) {
            try await flickr.recentPhotos(limit: 1)
        }
        guard case .service(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.message == "Invalid API Key (<redacted>)")
    }

    @Test func `a picture's address that holds the key is not quoted`() async throws {
        for scheme in ["http", "https"] {
            let address = "\(scheme)://x.org/5ECRE7+K@Y?api_key=5ECRE7%2BK%40Y"
            transport.answer(
                address, .value(HTTPResponse(body: Data("5ECRE7+K@Y".utf8))))
            let url = try #require(URL(string: address))
            let error = await #expect(throws: PhotoSourceError.self) {
                try await flickr.data(for: PhotoVariant(name: "m", url: url))
            }
            #expect(!shown(try #require(error)).contains("5ECRE7"))
        }
    }

    @Test func `a source shows neither its key nor what its transport holds`() async throws {
        struct Signing: HTTPTransport {
            let key = FlickrSecrecyTests.key
            func send(_ request: HTTPRequest) async throws -> HTTPResponse { .success }
        }
        let folder = URL(filePath: "/recordings")
        let recorded = RecordedTransport(
            folder: folder, recording: Signing(), secrets: [Self.key])
        let source = FlickrPhotoSource(key: Self.key, transport: recorded, retry: .never)
        for value in [recorded, source, [source], Optional(recorded) as Any] as [Any] {
            #expect(!shown(value).contains("5eCre7"))
        }
        #expect("\(recorded)".contains("/recordings"))
        #expect(shown(source).contains("Flickr"))
    }

    @Test func `no request or reply shows the value of a key, however the parameter is spelled`()
        throws
    {
        for name in ["api_key", "API_KEY", "%61pi_key", "access_token", "key", "auth_token"] {
            let address = "https://x.org/a?page=1&\(name)=\(Self.key)&x=2#y"
            let url = try #require(URL(string: address))
            let request = HTTPRequest(url: url, headers: ["Authorization": Self.key])
            #expect("\(request)" == "GET https://x.org/a?page=1&\(name)=<redacted>&x=2#y")
            let response = HTTPResponse(
                status: 302, headers: ["Location": address], body: Data(Self.key.utf8), url: url)
            for value in [request, [request], response, [response]] as [Any] {
                #expect(!shown(value).contains("5eCre7"), "\(name)")
            }
        }
        let plain = try #require(URL(string: "https://x.org/?monkey=1&keys=2&key"))
        #expect("\(HTTPRequest(url: plain))" == "GET https://x.org/?monkey=1&keys=2&key")
    }

    @Test func `a request that nobody scripted is named without its key`() async throws {
        let url = try #require(URL(string: "https://x.org/?api_key=\(Self.key)"))
        let error = await #expect(throws: PhotoSourceError.self) {
            try await transport.send(HTTPRequest(url: url))
        }
        #expect(!shown(try #require(error)).contains("5eCre7"))
    }
}
