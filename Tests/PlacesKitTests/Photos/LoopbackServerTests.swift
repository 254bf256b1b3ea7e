import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite(.endsWaiting) struct LoopbackServerTests {
    @Test func `a transport keeps its server`() async throws {
        func make() throws -> any HTTPTransport {
            try LoopbackServer { _ in .json("{}") }.transport()
        }
        let transport = try make()
        let url = try #require(URL(string: "https://example.org/"))
        #expect(try await transport.send(HTTPRequest(url: url)).body == Data("{}".utf8))
    }

    @Test(arguments: [-1, 0, 1]) func `pieces have a byte at least`(length: Int) async throws {
        let server = try LoopbackServer { _ in
            var reply = LoopbackReply.json("{}")
            reply.pieceLength = length
            return reply
        }
        let url = try #require(URL(string: "https://example.org/"))
        let response = try await server.transport().send(HTTPRequest(url: url))
        #expect(response.body == Data("{}".utf8))
    }

    @Test func `a piece may be longer than what a socket takes at once`() async throws {
        let body = Data(repeating: 7, count: 16 << 20)
        let server = try LoopbackServer { _ in
            LoopbackReply(body: body).inPieces(of: .max, every: .zero)
        }
        let url = try #require(URL(string: "https://example.org/"))
        let response = try await server.transport().send(HTTPRequest(url: url))
        #expect(response.body == body)
    }
}
