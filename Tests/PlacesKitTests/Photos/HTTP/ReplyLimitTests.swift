import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// How much the sources take of a reply, whatever carries it.
@Suite struct ReplyLimitTests {
    private let limits = ReplyLimits(reply: 1_000, picture: 500)

    /// A transport that has gathered a whole body.
    private func transport(_ count: Int) -> Answering {
        Answering { _ in HTTPResponse(body: .picture(of: count, repeating: 32)) }
    }

    private func flickr(_ transport: any HTTPTransport) -> FlickrPhotoSource {
        FlickrPhotoSource(
            key: "test", transport: transport, retry: .never, limits: limits)
    }

    private func commons(_ transport: any HTTPTransport) throws -> CommonsPhotoSource {
        try CommonsPhotoSource(
            application: "Tests/1.0", contact: "https://example.org", transport: transport,
            retry: .never, limits: limits)
    }

    private func picture() throws -> PhotoVariant {
        PhotoVariant(name: "q", url: try #require(URL(string: "https://example.org/1.jpg")))
    }

    @Test func `limits are 64 MB for replies and 32 MB for pictures unless set`() {
        #expect(ReplyLimits() == ReplyLimits(reply: 64_000_000, picture: 32_000_000))
    }

    @Test func `a list that is longer than the limit is refused, even by a transport that took it`()
        async throws
    {
        for source in [flickr(transport(1_001)), try commons(transport(1_001))] as [any PhotoSource]
        {
            await #expect(throws: PhotoSourceError.tooLarge(limit: 1_000), "\(source.name)") {
                try await source.recentPhotos(limit: 10)
            }
        }
    }

    @Test func `a picture that is longer than the limit is refused`() async throws {
        let picture = try picture()
        for source in [flickr(transport(501)), try commons(transport(501))] as [any PhotoSource] {
            await #expect(throws: PhotoSourceError.tooLarge(limit: 500), "\(source.name)") {
                try await source.data(for: picture)
            }
        }
        #expect(try await flickr(transport(500)).data(for: picture).count == 500)
    }

    @Test func `a transport is told how much a reply may have`() async throws {
        let asked = Answering { request in
            HTTPResponse(body: .picture("\(request.bodyLimit)"))
        }
        #expect(try await flickr(asked).data(for: try picture()) == .picture("500"))
    }

    @Test func `an endless reply ends Flickr's call, which is not tried again`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackReply(raw: Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
                .endlessly(repeating: [UInt8](repeating: 32, count: 10_000))
        }
        let source = FlickrPhotoSource(
            key: "test", transport: server.transport(),
            retry: RetryPolicy(attemptTime: nil, totalTime: nil, jitter: { 0 }), limits: limits)
        await #expect(throws: PhotoSourceError.tooLarge(limit: 1_000)) {
            try await source.recentPhotos(limit: 10)
        }
        #expect(server.requestCount == 1)
    }

    @Test func `the error says the limit, and that asking again does not help`() {
        let error = PhotoSourceError.tooLarge(limit: 500)
        #expect(error.description.contains("500 bytes"))
        #expect(!error.isRetryable)
    }
}

private struct Answering: HTTPTransport {
    let answer: @Sendable (HTTPRequest) -> HTTPResponse

    func send(_ request: HTTPRequest) async throws -> HTTPResponse { answer(request) }
}
