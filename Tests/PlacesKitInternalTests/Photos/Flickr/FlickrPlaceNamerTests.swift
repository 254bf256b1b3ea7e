import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesKitTests
@testable import PlacesPhotos

/// Questions about a place by several photos at the same time.
@Suite(.endsWaiting) struct FlickrPlaceNamerTests {
    private static let location = "flickr.photos.geo.getLocation"
    private let transport = StubTransport()

    private var namer: FlickrPlaceNamer {
        FlickrPlaceNamer(
            client: FlickrClient(
                key: FlickrKey("namer"), userAgent: "Tests", transport: transport, retry: .never,
                budget: RequestBudget(limit: 10, per: .seconds(1))))
    }

    @Test(arguments: [1, 2])
    func `what one photo lacks says nothing of another that is asked by at the same time`(
        code: Int
    ) async throws {
        let gate = Gate()
        transport.answer(
            Self.location,
            .run {
                await gate.wait()
                return HTTPResponse(body: Data(FlickrFixtures.fail(code, "none").utf8))
            })
        transport.answer(Self.location, json: FlickrFixtures.location("Lyon"))
        let namer = namer
        let first = Task { try await namer.names(of: .woeID("7"), byPhoto: "1") }
        try await wait { transport.requests.count == 1 }
        let second = Task { try await namer.names(of: .woeID("7"), byPhoto: "2") }
        try await wait { namer.questions.waiterCount == 2 }
        gate.open()
        if code == FlickrErrorCode.notFound {
            await #expect(throws: PhotoSourceError.gone(what: "Photo 1")) { try await first.value }
        } else {
            #expect(try await first.value == nil)
        }
        #expect(try await second.value?.locality == "Lyon")
        #expect(transport.requests.compactMap { $0.queryValue("photo_id") } == ["1", "2"])
    }
}
