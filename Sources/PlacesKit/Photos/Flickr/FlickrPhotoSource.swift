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
/// - It needs a key, which appears in no description and no error. Flickr allows a key 3,600 calls
///   an hour.
/// - Flickr's terms ask to link to `PhotoRecord.pageURL`, and not to keep what was fetched longer
///   than a reasonable time.
/// - Flickr's list of top places has been empty since about 2021; `places()` then computes it from
///   the photos of the last day, with about 25 calls.
public struct FlickrPhotoSource: PhotoSource {
    static let providerName = "Flickr"

    /// "Flickr".
    public var name: String { Self.providerName }

    /// All capabilities.
    public var capabilities: Set<PhotoSourceCapability> { Set(PhotoSourceCapability.allCases) }

    /// Keep photos for a day, with credit, a link and Flickr's notice.
    public var cachingPolicy: PhotoCachingPolicy {
        PhotoCachingPolicy(
            maximumAge: .seconds(86_400), requiresCredit: true, requiresPageLink: true,
            notice: "This product uses the Flickr API but is not endorsed or certified by SmugMug, "
                + "Inc.")
    }

    static let caps = PhotoSourceCaps(
        pageLength: FlickrSearch.largestPage, reach: FlickrSearch.reach, radii: 0.001...31.999)

    /// Pages of 250 photos, searches of 4,000 photos, radii below 32 km.
    public var caps: PhotoSourceCaps { Self.caps }

    /// What is left of the 3,600 calls an hour that Flickr allows the key.
    public let budget: RequestBudget

    private let client: FlickrClient
    private let namer: FlickrPlaceNamer
    private let topPlaces: FlickrTopPlaces
    private let now: @Sendable () -> Date

    /// Creates a source with an API key.
    ///
    /// - Parameters:
    ///   - key: The API key. If it is empty, every call throws `PhotoSourceError.missingKey`.
    ///   - transport: The transport that sends the requests; the source adds layers that retry,
    ///     wait and share.
    ///   - retry: When and how often to try again.
    ///   - budget: How many calls the key allows; by default all sources with the same key share
    ///     one budget.
    ///   - limits: How long replies and pictures may be.
    ///   - userAgent: How the application introduces itself to Flickr.
    ///   - now: The current time, from which "recent" counts.
    public init(
        key: String,
        transport: any HTTPTransport = URLSessionTransport(),
        retry: RetryPolicy = RetryPolicy(),
        budget: RequestBudget? = nil,
        limits: ReplyLimits = ReplyLimits(),
        userAgent: String = "PlacesKit",
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        let key = FlickrKey(key)
        self.budget = budget ?? FlickrBudget.shared(for: key)
        client = FlickrClient(
            key: key, userAgent: userAgent, transport: transport, retry: retry,
            budget: self.budget, limits: limits)
        namer = FlickrPlaceNamer(client: client)
        topPlaces = FlickrTopPlaces(client: client, now: now, namer: namer)
        self.now = now
    }

    /// Creates a source with the API key in the environment variable `FLICKR_API_KEY`.
    ///
    /// - Parameters:
    ///   - environment: The variables; those of the process by default.
    ///   - transport: The transport that sends the requests; the source adds layers that retry, wait and
    ///     share.
    ///   - retry: When and how often to try again.
    /// - Throws: `PhotoSourceError.missingKey` if the variable is missing or empty.
    public init(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        transport: any HTTPTransport = URLSessionTransport(), retry: RetryPolicy = RetryPolicy()
    ) throws(PhotoSourceError) {
        let key = FlickrKey(environment[FlickrKey.environmentVariable] ?? "")
        guard !key.value.isEmpty else { throw FlickrKey.missing }
        self.init(key: key.value, transport: transport, retry: retry)
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

    /// The newest photos of the last day that have a position, at most 4,000.
    public func recentPhotos(limit: Int) async throws -> [PhotoRecord] {
        try await search.newest(limit, ofDayBefore: now())
    }

    /// One page of at most 250 photos taken in an area, newest first.
    ///
    /// If a box crosses the 180th meridian, each of its two sides provides half the page; pages of
    /// one photo have those of one side after those of the other.
    public func photos(in area: CoordinateArea, page: Int, perPage: Int) async throws -> PhotoPage {
        try caps.validate(area, page: page, perPage: perPage)
        let perPage = caps.pageLength(for: perPage)
        switch area {
        case .circle(let center, let kilometers):
            return try await search.page(
                min(page, FlickrSearch.reach / perPage), perPage: perPage,
                matching: [
                    ("lat", center.latitude.decimalText), ("lon", center.longitude.decimalText),
                    ("radius", kilometers.decimalText), ("radius_units", "km"), Self.anyUploadDate,
                ])
        case .box(let box):
            return try await search.page(page, perPage: perPage, in: box, Self.anyUploadDate)
        }
    }

    /// All that Flickr knows about a photo.
    public func details(ofPhoto identifier: String) async throws -> PhotoRecord {
        let reply = try await client.call("flickr.photos.getInfo", aboutPhoto: identifier)
        guard let photo = PhotoRecord(flickr: try reply.content("photo")) else {
            throw PhotoSourceError.malformedReply(
                what: "the photo in the reply has no id", position: nil)
        }
        return photo
    }

    /// The names of the place at a point, from the newest photos within 5 km.
    ///
    /// This takes up to four calls, once for each tenth of a degree. If you have a photo from
    /// there, ask for the names of the photo instead, which takes one call.
    public func placeNames(at coordinate: Coordinate) async throws -> PlaceNames? {
        let area = CoordinateArea.circle(center: coordinate, kilometers: 5)
        try caps.validate(area, page: 1, perPage: 3)
        return try await namer.names(at: coordinate) {
            try await photos(in: area, page: 1, perPage: 3).photos
        }
    }

    /// The names of the place where a photo was taken; nil if they are not known.
    ///
    /// Flickr is asked once for each place.
    public func placeNames(of photo: PhotoRecord) async throws -> PlaceNames? {
        if let names = photo.placeNames { return names }
        let key =
            photo.placeIdentifier.flatMap { FlickrPlaceKey(identifier: $0) }
            ?? photo.coordinate.flatMap { $0.isValid ? FlickrPlaceKey(cellOf: $0) : nil }
        guard let key else { return nil }
        return try await namer.names(of: key, byPhoto: photo.identifier)
    }

    /// All sizes of a photo, also those that have their own secrets.
    public func variants(of photo: PhotoRecord) async throws -> [PhotoVariant] {
        let reply = try await client.call(
            "flickr.photos.getSizes", aboutPhoto: photo.identifier)
        return FlickrVariants.variants(inSizes: try reply.content("sizes"))
    }

    /// The encoded picture of a variant, usually JPEG.
    public func data(for variant: PhotoVariant) async throws -> Data {
        try await client.picture(at: variant.url)
    }

    private var search: FlickrSearch { FlickrSearch(client: client) }

    private static let anyUploadDate = (
        name: "min_upload_date", value: String(FlickrDates.opening)
    )
}
