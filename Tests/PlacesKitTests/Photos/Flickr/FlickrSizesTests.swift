import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct FlickrSizesTests {
    /// A search that was asked for all sizes, with a photo that has those named.
    private func flickr(
        sizes: [(extra: String, suffix: String, edge: Int)]
    ) -> FlickrPhotoSource {
        let urls = sizes.map {
            let file = "https://live.staticflickr.com/7423/101_abc\($0.suffix).jpg"
            return #","url_\#($0.extra)":"\#(file)","height_\#($0.extra)":\#($0.edge),"#
                + #""width_\#($0.extra)":\#($0.edge)"#
        }
        let reply = """
            {"photos":{"page":1,"pages":1,"perpage":21,"photo":[
            {"id":"101","secret":"abc","server":"7423"\(urls.joined())}]},"stat":"ok"}
            """
        return FlickrPhotoSource(
            key: "sizes", transport: AnsweringTransport { _ in reply }, retry: .never)
    }

    @Test func `a small photo is asked for in its largest size, not in one that it lacks`()
        async throws
    {
        let flickr = flickr(sizes: [
            ("sq", "_s", 75), ("t", "_t", 100), ("q", "_q", 150), ("s", "_m", 240),
            ("n", "_n", 320), ("m", "", 400),
        ])
        let photo = try #require(try await flickr.recentPhotos(limit: 1).first)
        #expect(photo.variant(atLeast: 1_024)?.url.lastPathComponent == "101_abc.jpg")
        #expect(
            ImageRequest(photo, atLeast: 1_024).ladder.map(\.name) == ["m", "n", "s", "t"])
    }

    @Test func `a tiny photo has no larger size than itself`() async throws {
        let flickr = flickr(sizes: [("sq", "_s", 75), ("t", "_t", 100), ("s", "_m", 200)])
        let photo = try #require(try await flickr.recentPhotos(limit: 1).first)
        #expect(photo.variants.map(\.name) == ["sq", "t", "s"])
        #expect(photo.variant(atLeast: 1_024)?.longestEdge == 200)
    }
}
