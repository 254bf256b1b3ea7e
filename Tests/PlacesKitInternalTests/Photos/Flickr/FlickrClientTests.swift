import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesKitTests
@testable import PlacesPhotos

/// Calls of Flickr over a real connection.
@Suite struct FlickrClientTests {
    private static let key = "5ecre7+k@y"

    @Test func `a refused connection is an error through all layers, without the key`() async throws
    {
        let server = try LoopbackServer { _ in .nothing }
        server.stop()
        let client = FlickrClient(
            key: FlickrKey(Self.key), userAgent: "Tests", transport: URLSessionTransport(),
            retry: .never, budget: RequestBudget(limit: 10, per: .seconds(1)),
            endpoint: "https://127.0.0.1:\(server.port)/")
        let error = await #expect(throws: PhotoSourceError.self) { try await client.call("m", []) }
        guard case .notConnected(let reason) = error else { throw Unexpected(error) }
        #expect(!reason.contains("5ecre7"))
    }
}
