import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct CommonsSourceTests {
    private let transport = StubTransport()
    private let point = Coordinate(latitude: 48.85, longitude: -0.00001)

    private func commons(attempts: Int = 1) throws -> CommonsPhotoSource {
        try CommonsPhotoSource(
            application: "Tests/1", contact: "https://example.org/\ntests", transport: transport,
            retry: RetryPolicy(
                attempts: attempts, attemptTime: nil, totalTime: nil,
                clock: ManualClock(isImmediate: true)))
    }

    @Test func `whoever does not say who asks is not let through`() {
        for (application, contact) in [("", "x@example.org"), ("Tests/1", " \n")] {
            #expect(throws: PhotoSourceError.self) {
                try CommonsPhotoSource(
                    application: application, contact: contact, transport: transport)
            }
        }
    }

    @Test func `a search lists files first, then asks for the details of a page`() async throws {
        let world = try await StandInWorld()
        let standIn = CommonsStandIn(world: world)
        let server = try LoopbackServer { standIn.answer($0) }
        let recorder = RequestLog(server.transport())
        let commons = try CommonsPhotoSource(
            application: "Tests/1", contact: "https://example.org/tests", transport: recorder,
            retry: .never)
        let area = CoordinateArea.circle(center: StandInWorld.paris, kilometers: 4)
        let first = try await commons.photos(in: area, page: 1, perPage: 10)
        let second = try await commons.photos(in: area, page: 2, perPage: 10)
        #expect(first.photos.count == 10)
        #expect(first.usablePages == second.usablePages)
        #expect(recorder.requests.count == 3, "the list is asked for once")
        let list = try #require(recorder.requests.first)
        #expect(list.queryValue("gscoord") == "48.857|2.352")
        #expect(list.queryValue("gsradius") == "4000")
        #expect(list.queryValue("gsnamespace") == "6")
        #expect(list.headers["User-Agent"] == "Tests/1 (https://example.org/tests) PlacesKit")
        #expect(list.headers["Referer"] == "https://example.org/tests")
        let details = try #require(recorder.requests.last)
        #expect(details.queryValue("pageids")?.split(separator: "|").count == 10)
        #expect(details.queryValue("iiurlwidth") == "960")
        #expect(details.queryValue("pithumbsize") == "330")
        let photo = try #require(first.photos.first)
        #expect(photo.variants.map(\.name) == ["330px", "960px", "original"])
        #expect(photo.variant(atLeast: 150)?.url.host() == "thumb.wikimedia.org")
    }

    @Test func `radii and boxes that Commons refuses are not sent`() async throws {
        let commons = try commons()
        let box = CoordinateBox(center: point, degrees: 1)
        for area in [CoordinateArea.circle(center: point, kilometers: 11), .box(box)] {
            await #expect(throws: PhotoSourceError.self) {
                try await commons.photos(in: area, page: 1, perPage: 5)
            }
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func `a page that is not there is gone`() async throws {
        for identifier in ["no number", "0", "-3", "+3", "03"] {
            await #expect(throws: PhotoSourceError.gone(what: "The file \(identifier)")) {
                try await commons().details(ofPhoto: identifier)
            }
        }
    }

    @Test func `a busy server is asked again, a refusal is not`() async throws {
        let busy = #"{"error":{"code":"ratelimited","info":"slow down"}}"#
        for (reply, count) in [(busy, 3), (#"{"error":{"code":"blocked","info":""}}"#, 1)] {
            let base = ScriptedTransport { _ in HTTPResponse(body: Data(reply.utf8)) }
            let commons = try CommonsPhotoSource(
                application: "Tests/1", contact: "x@example.org", transport: base,
                retry: RetryPolicy(
                    attempts: 3, attemptTime: nil, totalTime: nil,
                    clock: ManualClock(isImmediate: true)))
            await #expect(throws: PhotoSourceError.self) {
                try await commons.recentPhotos(limit: 3)
            }
            #expect(base.started == count)
        }
    }

    @Test(arguments: [
        "<html>" + String(repeating: "<p>Our servers are under maintenance</p>", count: 200),
        #"{"query":{"pages":["# + String(repeating: #"{"pageid":1},"#, count: 500),
        #"{"error":{"code":"internal_api_error_DBQueryError","info":""#
            + String(repeating: "a query failed ", count: 400) + #""}}"#,
    ])
    func `a long reply that is none is tried again`(body: String) async throws {
        let base = ScriptedTransport { number in
            HTTPResponse(
                headers: ["Content-Type": "application/json"],
                body: Data((number == 1 ? body : #"{"batchcomplete":true}"#).utf8))
        }
        let commons = try CommonsPhotoSource(
            application: "Tests/1", contact: "x@example.org", transport: base,
            retry: RetryPolicy(
                attempts: 3, attemptTime: nil, totalTime: nil,
                clock: ManualClock(isImmediate: true)))
        #expect(try await commons.recentPhotos(limit: 3).isEmpty)
        #expect(base.started == 2)
    }

    @Test func `a picture that is a page of explanations is refused`() async throws {
        let url = try #require(URL(string: "https://upload.wikimedia.org/x.jpg"))
        let variant = PhotoVariant(name: "x", url: url)
        let html = HTTPResponse(headers: ["Content-Type": "text/html"], body: Data("<p>".utf8))
        transport.answer(url.absoluteString, .value(html))
        transport.answer(url.absoluteString, .value(HTTPResponse(status: 404, body: Data())))
        let commons = try commons()
        await #expect(
            throws: PhotoSourceError.noPicture(
                what: "The picture x.jpg", came: "text/html of 3 bytes beginning with “<p>”")
        ) {
            try await commons.data(for: variant)
        }
        await #expect(throws: PhotoSourceError.gone(what: "The picture x.jpg")) {
            try await commons.data(for: variant)
        }
    }
}

/// Notes what passes through.
private final class RequestLog: HTTPTransport {
    private let stub = StubTransport()
    private let base: any HTTPTransport

    init(_ base: any HTTPTransport) { self.base = base }

    var requests: [HTTPRequest] { stub.requests }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        _ = try? await stub.send(request)
        return try await base.send(request)
    }
}
