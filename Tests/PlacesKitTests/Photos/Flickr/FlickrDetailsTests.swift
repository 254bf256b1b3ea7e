import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct FlickrDetailsTests {
    private static let search = "flickr.photos.search"
    private static let location = "flickr.photos.geo.getLocation"
    private let transport = StubTransport()
    private let paris = Coordinate(latitude: 48.85, longitude: 2.35)

    private var flickr: FlickrPhotoSource {
        FlickrPhotoSource(key: "details", transport: transport, retry: .never)
    }

    @Test func `details are asked for by identifier`() async throws {
        transport.answer("flickr.photos.getInfo", json: FlickrFixtures.info)
        let photo = try await flickr.details(ofPhoto: "201")
        #expect(photo.placeNames?.region == "Riyadh")
        #expect(transport.requests.first?.queryValue("photo_id") == "201")
    }

    @Test func `a photo that is not there is gone`() async {
        let fail = FlickrFixtures.fail(1, "Photo \"7\" not found".replacing("\"", with: ""))
        transport.answer("flickr.photos.getInfo", json: fail)
        transport.answer("flickr.photos.getSizes", json: fail)
        await #expect(throws: PhotoSourceError.gone(what: "The photo 7")) {
            try await flickr.details(ofPhoto: "7")
        }
        await #expect(throws: PhotoSourceError.gone(what: "The photo 7")) {
            try await flickr.variants(of: PhotoRecord(identifier: "7"))
        }
    }

    @Test func `all sizes are listed, smallest first, the original last`() async throws {
        transport.answer(
            "flickr.photos.getSizes",
            json: """
                {"sizes":{"size":[
                {"label":"Original","width":"40","height":30,"source":"https://x.org/o.png"},
                {"label":"Large 1600","width":1600,"height":"1067","source":"https://x.org/h.jpg"},
                {"label":"Square","width":75,"height":75,"source":"http://x.org/s.jpg"},
                {"label":"Novel","width":"","height":null,"source":"https://x.org/n.jpg"},
                {"label":"HD MP4","width":720,"height":576,"source":"https://x.org/v","media":"video"},
                {"label":"Small","source":"file:///etc/passwd"}, 7]},"stat":"ok"}
                """)
        let variants = try await flickr.variants(of: PhotoRecord(identifier: "1"))
        #expect(variants.map(\.name) == ["sq", "h", "Novel", "o"])
        #expect(variants.map(\.longestEdge) == [75, 1600, nil, 40])
        #expect(variants.first?.url.scheme == "https")
    }

    @Test func `a point is named by a photo near it, once a cell`() async throws {
        transport.answer(Self.search, json: FlickrFixtures.search)
        transport.answer(Self.location, json: FlickrFixtures.fail(2, "no location"))
        transport.answer(Self.location, json: FlickrFixtures.location("Paris"))
        let flickr = flickr
        #expect(try await flickr.placeNames(at: paris)?.fullName == "Paris, France")
        let near = Coordinate(latitude: 48.86, longitude: 2.36)
        #expect(try await flickr.placeNames(at: near)?.locality == "Paris")
        #expect(transport.methods == [Self.search, Self.location, Self.location])
        transport.answer(Self.search, json: FlickrFixtures.noPhotos)
        #expect(try await flickr.placeNames(at: Coordinate(latitude: 0, longitude: -30)) == nil)
    }

    @Test func `a photo's place is named by itself, by many at once only once`() async throws {
        transport.answer(Self.location, json: FlickrFixtures.location("Lyon"))
        let flickr = flickr
        let photos = (0..<50).map {
            PhotoRecord(identifier: "\($0)", coordinate: paris, placeIdentifier: "woe:7")
        }
        let names = try await withThrowingTaskGroup(of: PlaceNames?.self) { group in
            for photo in photos { group.addTask { try await flickr.placeNames(of: photo) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(names.allSatisfy { $0?.locality == "Lyon" })
        #expect(transport.requests.count == 1)
        let known = PlaceNames(locality: "Rome")
        #expect(
            try await flickr.placeNames(of: PhotoRecord(identifier: "1", placeNames: known))
                == known)
        #expect(try await flickr.placeNames(of: PhotoRecord(identifier: "1")) == nil)
    }

    @Test func `a deleted photo says so, and another names their place`() async throws {
        transport.answer(Self.location, json: FlickrFixtures.fail(1, "Photo not found"))
        transport.answer(Self.location, json: FlickrFixtures.location("Lyon"))
        let flickr = flickr
        func photo(_ identifier: String) -> PhotoRecord {
            PhotoRecord(identifier: identifier, coordinate: paris, placeIdentifier: "woe:7")
        }
        await #expect(throws: PhotoSourceError.gone(what: "Photo 1")) {
            try await flickr.placeNames(of: photo("1"))
        }
        #expect(try await flickr.placeNames(of: photo("2"))?.locality == "Lyon")
    }
}
