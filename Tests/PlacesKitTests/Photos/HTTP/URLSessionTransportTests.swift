import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `URLSession` over real sockets.
@Suite struct URLSessionTransportTests {
    private let transport = URLSessionTransport()

    /// A transport that is not the first to give up where a busy process is slow to go on.
    private static let patientTransport: URLSessionTransport = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 3_600
        return URLSessionTransport(configuration: configuration)
    }()

    private func send(
        _ path: String = "/", to server: LoopbackServer, headers: [String: String] = [:],
        over transport: URLSessionTransport? = nil
    ) async throws -> HTTPResponse {
        try await (transport ?? self.transport).send(
            HTTPRequest(url: try #require(server.url(path)), headers: headers))
    }

    private func kind(_ error: PhotoSourceError?) -> String {
        switch error {
        case .notConnected: "notConnected"
        case .malformedReply: "malformedReply"
        default: "\(String(describing: error))"
        }
    }

    @Test func `a refused connection is notConnected, and does not quote the address`() async throws
    {
        let server = try LoopbackServer { _ in .nothing }
        server.stop()
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/?api_key=SECRET"))
        let error = await #expect(throws: PhotoSourceError.self) {
            try await transport.send(HTTPRequest(url: url))
        }
        #expect(kind(error) == "notConnected")
        #expect(!"\(String(describing: error))".contains("SECRET"))
        #expect(error?.isRetryable == true)
    }

    @Test func `cancelling a call in flight throws CancellationError`() async throws {
        let server = try LoopbackServer { _ in .silence }
        let task = Task { try await send(to: server, over: Self.patientTransport) }
        try await wait { server.requestCount > 0 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `cancelling between the bytes of a body throws CancellationError`() async throws {
        let body = Data(repeating: 65, count: 100_000)
        let server = try LoopbackServer { _ in
            LoopbackReply(body: body).inPieces(of: 1_000, every: .seconds(30))
        }
        let task = Task { try await send(to: server, over: Self.patientTransport) }
        try await wait { server.requestCount > 0 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a task cancelled before it calls throws CancellationError`() async throws {
        let url = try #require(URL(string: "https://127.0.0.1:1/"))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await transport.send(HTTPRequest(url: url))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `status, header fields and body of a reply arrive whatever the status`() async throws
    {
        let server = try LoopbackServer { request in
            LoopbackReply(
                status: 429, headers: ["Retry-After": "3"],
                body: Data((request.headers["user-agent"] ?? "").utf8))
        }
        let response = try await send(to: server, headers: ["User-Agent": "PlacesKitTests"])
        #expect(response.status == 429)
        #expect(response.header("retry-AFTER") == "3")
        #expect(response.body == Data("PlacesKitTests".utf8))
        #expect(response.statusFailure == .http(status: 429, retryAfter: .seconds(3)))
    }

    @Test func `a slow reply arrives whole`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackReply(body: Data("slowly but surely".utf8))
                .delayed(by: .milliseconds(20)).inPieces(of: 9, every: .milliseconds(1))
        }
        #expect(try await send(to: server).body == Data("slowly but surely".utf8))
    }

    @Test func `a reply that drips for too long is cut off`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackReply(body: Data(repeating: 65, count: 10_000))
                .inPieces(of: 1, every: .milliseconds(10))
        }
        let limited = transport.limitingTime(to: .milliseconds(100))
        let url = try #require(server.url("/"))
        await #expect(throws: PhotoSourceError.timedOut(after: .milliseconds(100))) {
            try await limited.send(HTTPRequest(url: url))
        }
    }

    @Test func `a broken connection is an error that can be tried again`() async throws {
        let whole = LoopbackReply(body: Data(repeating: 65, count: 50_000))
        // NB: A connection cut inside the header crashes `URLSession` of Swift 6.3 on Linux; see
        // https://github.com/swiftlang/swift-corelibs-foundation/issues/5285
        let replies: [LoopbackReply] = [
            .nothing, whole.cut(after: 40_000),
            LoopbackReply(body: Data("short".utf8), declaredLength: 500),
        ]
        for (index, reply) in replies.enumerated() {
            let server = try LoopbackServer { _ in reply }
            let error = await #expect(throws: PhotoSourceError.self, "\(index)") {
                try await send(to: server)
            }
            #expect(kind(error) == "notConnected", "\(index)")
            #expect(error?.isRetryable == true, "\(index)")
        }
    }

    @Test func `a longer body than declared is cut to its length`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackReply(body: Data("abcdef".utf8), declaredLength: 3)
        }
        #expect(try await send(to: server).body == Data("abc".utf8))
    }

    @Test func `a body without an end is refused once it is longer than the request allows`()
        async throws
    {
        let piece = [UInt8](repeating: 65, count: 100_000)
        let head = "HTTP/1.1 200 OK\r\n"
        let bodies = [
            LoopbackReply(raw: Array((head + "\r\n").utf8)).endlessly(repeating: piece),
            LoopbackReply(raw: Array((head + "Transfer-Encoding: chunked\r\n\r\n").utf8))
                .endlessly(repeating: Array("186A0\r\n".utf8) + piece + Array("\r\n".utf8)),
            // Zeros, 2,064 of them in 13 bytes.
            LoopbackReply(
                raw: Array((head + "Content-Encoding: deflate\r\n\r\n").utf8)
                    + [0x78, 0x9C] + EndlessZeros.beginning
            )
            .endlessly(repeating: EndlessZeros.rest),
            LoopbackReply(raw: Array((head + "Content-Length: 1000001\r\n\r\n").utf8)),
            LoopbackReply(raw: Array("HTTP/1.1 500 Oh\r\n\r\n".utf8)).endlessly(repeating: piece),
        ]
        for (index, body) in bodies.enumerated() {
            let server = try LoopbackServer { _ in body }
            let url = try #require(server.url("/"))
            await #expect(throws: PhotoSourceError.tooLarge(limit: 1_000_000), "\(index)") {
                try await Self.patientTransport.send(HTTPRequest(url: url, bodyLimit: 1_000_000))
            }
        }
    }

    @Test func `a body as long as the request allows arrives`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackReply(body: Data(repeating: 65, count: 100_000))
        }
        let url = try #require(server.url("/"))
        let whole = HTTPRequest(url: url, bodyLimit: 100_000)
        #expect(try await transport.send(whole).body.count == 100_000)
        await #expect(throws: PhotoSourceError.tooLarge(limit: 99_999)) {
            try await transport.send(HTTPRequest(url: url, bodyLimit: 99_999))
        }
    }

    @Test func `a reply that asks for a password arrives as it is`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackReply(
                status: 401, headers: ["WWW-Authenticate": "Basic realm=\"Photos\""],
                body: Data("no".utf8))
        }
        let response = try await send(to: server, over: Self.patientTransport)
        #expect(response.status == 401)
        #expect(response.body == Data("no".utf8))
    }

    @Test func `a short reply that unfolds to more than is allowed keeps nobody else waiting`()
        async throws
    {
        let unfolding =
            Array("HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n".utf8)
            + [0x78, 0x9C] + EndlessZeros.beginning
            + [[UInt8]](repeating: EndlessZeros.rest, count: 10_000).joined()
        let server = try LoopbackServer { request in
            request.target == "/zeros" ? LoopbackReply(raw: unfolding) : .json("{}")
        }
        let url = try #require(server.url("/zeros"))
        for _ in 0..<4 {
            await #expect(throws: PhotoSourceError.tooLarge(limit: 10_000)) {
                try await Self.patientTransport.send(HTTPRequest(url: url, bodyLimit: 10_000))
            }
            #expect(
                try await send(to: server, over: Self.patientTransport).body == Data("{}".utf8))
        }
    }

    @Test func `a redirect is followed, and its address told`() async throws {
        let server = try LoopbackServer { request in
            request.target == "/photo.jpg"
                ? .redirect(to: "/photo_unavailable.gif") : .image(Data("GIF".utf8))
        }
        let response = try await send("/photo.jpg", to: server)
        #expect(response.url?.lastPathComponent == "photo_unavailable.gif")
    }

    @Test func `a server that recovers is asked until it does`() async throws {
        let server = try LoopbackServer { request in
            switch request.number {
            case 1: .status(500)
            case 2: .nothing
            case 3: .status(429, headers: ["Retry-After": "2"])
            default: .json(#"{"stat":"ok"}"#)
            }
        }
        let clock = ManualClock(isImmediate: true)
        let retrying = RetryingTransport(
            transport, policy: RetryPolicy(totalTime: nil, clock: clock, jitter: { 0 }))
        let url = try #require(server.url("/"))
        #expect(try await retrying.send(HTTPRequest(url: url)).status == 200)
        // NB: curl itself asks again, once, if a kept connection was closed without a byte.
        #expect((4...5).contains(server.requestCount))
        #expect(clock.sleeps.contains(.seconds(2)))
    }
}

/// Deflated zeros without an end (RFC 1951): a block with fixed codes, whose first byte is repeated for ever.
private enum EndlessZeros {
    /// The block's head, a zero, and 258 more.
    static let beginning: [UInt8] = bytes("010" + zero + again)
    /// Eight times 258 zeros, which fill whole bytes.
    static let rest: [UInt8] = bytes(String(repeating: again, count: 8))

    private static let zero = "00110000"
    /// The last 258 bytes' length code, and the distance 1.
    private static let again = "11000101" + "00000"

    /// Bits in the order in which a stream has them, which is from the lowest of each byte.
    private static func bytes(_ bits: String) -> [UInt8] {
        stride(from: 0, to: bits.count, by: 8).map { start in
            bits.dropFirst(start).prefix(8).reversed().reduce(0) { $0 << 1 | ($1 == "1" ? 1 : 0) }
        }
    }
}
