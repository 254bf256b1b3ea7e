import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct FlickrTopPlacesTests {
    private static let list = "flickr.places.getTopPlacesList"
    private static let search = "flickr.photos.search"
    private static let location = "flickr.photos.geo.getLocation"
    private let transport = StubTransport()

    private var flickr: FlickrPhotoSource {
        FlickrPhotoSource(key: "test", transport: transport, retry: .never)
    }

    private static let recent = FlickrFixtures.search([
        (1, #""latitude":"48.85","longitude":"2.35","woeid":"615702""#),
        (2, #""latitude":"45.76","longitude":"4.83""#),
        (3, #""latitude":"45.77","longitude":"4.84""#),
        (4, #""latitude":"45.78","longitude":"4.85""#),
        (5, #""latitude":"48.88","longitude":"2.34","woeid":"7""#),
        (6, #""latitude":"48.86","longitude":"2.36","woeid":"615702""#),
        (7, #""latitude":"0","longitude":"0""#),
    ])

    @Test func `places that Flickr lists are taken as they are`() async throws {
        transport.answer(Self.list, json: FlickrFixtures.topPlaces)
        let places = try await flickr.places()
        #expect(
            places == [
                PlaceRecord(
                    identifier: "hP_s5s9VVr5Qcg", name: "London, England, United Kingdom",
                    coordinate: Coordinate(latitude: 51.506, longitude: -0.127), photoCount: 1734)
            ])
        #expect(transport.requests.first?.queryValue("place_type_id") == "7")
        #expect(transport.methods == [Self.list])
    }

    @Test(arguments: [FlickrFixtures.noTopPlaces, FlickrFixtures.fail(112, "Method not found")])
    func `an empty list is replaced by the places of recent photos, each named once`(
        list: String
    ) async throws {
        transport.answer(Self.list, json: list)
        transport.answer(Self.search, json: Self.recent)
        transport.answer(Self.location, json: FlickrFixtures.location("Lyon"))
        transport.answer(Self.location, json: FlickrFixtures.location("Paris"))
        let flickr = flickr
        let places = try await flickr.places()
        #expect(places.map(\.identifier) == ["cell:457:48", "woe:615702"])
        #expect(places.map(\.name) == ["Lyon, France", "Paris, France"])
        #expect(places.map(\.photoCount) == [3, 3], "both parts of Paris count as Paris")
        #expect(places.first?.coordinate == Coordinate(latitude: 45.76, longitude: 4.83))
        let asked = transport.requests.filter { $0.queryValue("method") == Self.location }
        #expect(asked.map { $0.queryValue("photo_id") } == ["2", "1", "5"])

        #expect(try await flickr.places() == places)
        #expect(transport.methods.count { $0 == Self.location } == 3, "names are remembered")
    }

    @Test func `a group is named by its next photo where one has vanished, else left out`()
        async throws
    {
        transport.answer(Self.list, json: FlickrFixtures.noTopPlaces)
        transport.answer(Self.search, json: Self.recent)
        // Three photos near Lyon, then two of Paris, then one more.
        let vanished = FlickrFixtures.fail(1, "Photo not found")
        let unlocated = FlickrFixtures.fail(2, "Photo has no location information")
        for reply in [vanished, unlocated, vanished, vanished] {
            transport.answer(Self.location, json: reply)
        }
        transport.answer(Self.location, json: FlickrFixtures.location("Paris"))
        transport.answer(Self.location, json: FlickrFixtures.location("Montmartre"))
        #expect(try await flickr.places().map(\.name) == ["Paris, France", "Montmartre, France"])
    }

    @Test func `no places at all are unavailable, not an empty success`() async {
        transport.answer(Self.list, json: FlickrFixtures.noTopPlaces)
        transport.answer(Self.search, json: FlickrFixtures.noPhotos)
        await #expect(
            throws: PhotoSourceError.unavailable(
                reason: .methodReturnsNothing(provider: "Flickr", method: Self.list))
        ) { try await flickr.places() }
    }

    @Test func `other errors on the way are not swallowed`() async {
        transport.answer(Self.list, json: FlickrFixtures.noTopPlaces)
        transport.answer(Self.search, json: Self.recent)
        transport.answer(Self.location, .value(HTTPResponse(status: 429, body: Data())))
        await #expect(throws: PhotoSourceError.http(status: 429, retryAfter: nil)) {
            try await flickr.places()
        }
    }
}
