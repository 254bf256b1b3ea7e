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
}
