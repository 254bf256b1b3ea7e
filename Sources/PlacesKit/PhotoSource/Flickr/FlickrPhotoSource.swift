public import Foundation

/// Photos from Flickr, over its REST API.
///
/// ```swift
/// let flickr = try FlickrPhotoSource()          // the key comes from FLICKR_API_KEY
/// for photo in try await flickr.recentPhotos(limit: 20) {
///     print(photo.displayTitle, photo.creditLine, photo.pageURL as Any)
/// }
/// ```
///
/// - A key is needed; it appears in no description and no error. Flickr allows it 3,600 calls an hour.
/// - Flickr's terms ask to link to `PhotoRecord.pageURL` and to keep what was fetched no longer than a
///   reasonable time.
/// - The list of top places has been empty since about 2021; `places()` then works it out from the photos of
///   the last day, with up to 25 calls.
public struct FlickrPhotoSource: PhotoSource {
    static let providerName = "Flickr"

    /// "Flickr".
    public var name: String { Self.providerName }

    /// All but naming points by themselves.
    public var capabilities: Set<PhotoSourceCapability> {
        [.places, .photosOfPlaces, .recentPhotos, .photosNearPoints, .photosInBoxes]
    }

    static let caps = PhotoSourceCaps(
        pageLength: FlickrSearch.largestPage, reach: FlickrSearch.reach, radii: 0.001...31.999)

    /// Pages of 250, searches of 4,000 photos, radii below 32 km.
    public var caps: PhotoSourceCaps { Self.caps }

    private let client: FlickrClient
    private let topPlaces: FlickrTopPlaces
    private let now: @Sendable () -> Date

    /// Creates a source with an API key.
    ///
    /// - Parameters:
    ///   - key: The API key. An empty one makes every call throw `PhotoSourceError.missingKey`.
    ///   - transport: What carries the requests.
    ///   - userAgent: How the application introduces itself to Flickr.
    ///   - now: The current time, from which "recent" counts.
    public init(
        key: String,
        transport: any HTTPTransport = URLSessionTransport(),
        userAgent: String = "PlacesKit",
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        client = FlickrClient(key: FlickrKey(key), userAgent: userAgent, transport: transport)
        topPlaces = FlickrTopPlaces(client: client, now: now)
        self.now = now
    }

    /// Creates a source with the API key that the environment variable `FLICKR_API_KEY` holds.
    ///
    /// - Throws: `PhotoSourceError.missingKey` if the variable is absent or empty.
    public init(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        transport: any HTTPTransport = URLSessionTransport()
    ) throws(PhotoSourceError) {
        let key = FlickrKey(environment[FlickrKey.environmentVariable] ?? "")
        guard !key.value.isEmpty else { throw FlickrKey.missing }
        self.init(key: key.value, transport: transport)
    }

    /// The places where most photos are taken at present, at most 100.
    public func places() async throws -> [PlaceRecord] {
        try await topPlaces.places()
    }

    /// The newest photos taken in a place, at most 4,000.
    public func photos(in place: PlaceRecord, limit: Int) async throws -> [PhotoRecord] {
        guard let key = FlickrPlaceKey(identifier: place.identifier) else {
            throw PhotoSourceError.invalidRequest(
                reason: "“\(place.identifier)” is no place of Flickr's")
        }
        return try await search.newest(
            limit, matching: [key.searchParameter, Self.anyUploadDate])
    }

    /// The newest photos of the last day that say where they were taken, at most 4,000.
    public func recentPhotos(limit: Int) async throws -> [PhotoRecord] {
        let yesterday = Int(now().timeIntervalSince1970) - 86_400
        return try await search.newest(
            limit, matching: [("has_geo", "1"), ("min_upload_date", String(yesterday))])
    }

    /// One page, of at most 250, of the photos taken in an area, newest first.
    ///
    /// A box that crosses the 180th meridian is searched on both sides, each with half the page.
    public func photos(in area: PhotoArea, page: Int, perPage: Int) async throws -> PhotoPage {
        try caps.validate(area, page: page, perPage: perPage)
        let perPage = caps.pageLength(for: perPage)
        let number = min(page, FlickrSearch.reach / perPage)
        switch area {
        case .circle(let center, let kilometers):
            return try await search.page(
                number, perPage: perPage,
                matching: [
                    ("lat", center.latitude.decimalText), ("lon", center.longitude.decimalText),
                    ("radius", kilometers.decimalText), ("radius_units", "km"), Self.anyUploadDate,
                ])
        case .box(let box):
            return try await search.page(number, perPage: perPage, in: box, Self.anyUploadDate)
        }
    }

    /// The encoded picture of a variant, mostly JPEG.
    public func data(for variant: PhotoVariant) async throws -> Data {
        try await client.picture(at: variant.url)
    }

    private var search: FlickrSearch { FlickrSearch(client: client) }

    private static let anyUploadDate = (
        name: "min_upload_date", value: String(FlickrDates.opening)
    )
}
