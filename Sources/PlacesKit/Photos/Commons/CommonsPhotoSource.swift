public import Foundation

/// Photos from Wikimedia Commons, which needs no key.
///
/// ```swift
/// let commons = try CommonsPhotoSource(application: "Strolls/1.0", contact: "https://example.org/strolls")
/// let page = try await commons.photos(near: Coordinate(latitude: 48.858, longitude: 2.294), kilometers: 1)
/// ```
///
/// - Wikimedia asks every client to say who it is, and refuses those that do not; hence the
///   contact.
/// - The photos of an area come nearest first; those whose position seems to be copied come last.
///   Commons searches 500 files of an area, within at most 10 km or 400 km².
/// - Authors have to be credited: show `PhotoRecord.creditLine` and link to `PhotoRecord.pageURL`.
public struct CommonsPhotoSource: PhotoSource {
    static let providerName = "Wikimedia Commons"

    /// "Wikimedia Commons".
    public var name: String { Self.providerName }

    /// Searches areas, and has recent photos and details.
    public var capabilities: Set<PhotoSourceCapability> {
        [.photosNearPoints, .photosInBoxes, .recentPhotos, .details]
    }

    /// Pages of 50 photos, searches of 500 photos, radii up to 10 km, boxes up to 400 km².
    public var caps: PhotoSourceCaps {
        PhotoSourceCaps(
            pageLength: CommonsQuery.detailLimit, reach: CommonsQuery.listLimit,
            radii: 0.01...10, boxAreas: 0.000_11...399)
    }

    /// Keep photos for a day, with credit and a link.
    public var cachingPolicy: PhotoCachingPolicy {
        PhotoCachingPolicy(
            maximumAge: .seconds(86_400), requiresCredit: true, requiresPageLink: true)
    }

    /// What is left of the 200 requests a minute that Wikimedia allows identified clients.
    public let budget: RequestBudget

    private let client: CommonsClient
    private let hits: CommonsHitMemory

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - application: The application's name and version, such as "Strolls/1.0".
    ///   - contact: A web or mail address at which the application's makers can be reached.
    ///   - language: The preferred language of descriptions.
    ///   - transport: The transport that sends the requests; the source adds layers that retry,
    ///     wait and share.
    ///   - retry: When and how often to try again.
    ///   - limits: How long replies and pictures may be.
    /// - Throws: `PhotoSourceError.invalidRequest` if `application` or `contact` is empty.
    public init(
        application: String, contact: String, language: String = "en",
        transport: any HTTPTransport = URLSessionTransport(), retry: RetryPolicy = RetryPolicy(),
        limits: ReplyLimits = ReplyLimits()
    ) throws(PhotoSourceError) {
        let identity = try CommonsIdentity(application: application, contact: contact)
        budget = RequestBudget(limit: 200, per: .seconds(60), burst: 10, clock: retry.clock)
        client = CommonsClient(
            identity: identity, language: language, transport: transport, retry: retry,
            budget: budget, limits: limits)
        hits = CommonsHitMemory(clock: retry.clock)
    }

    /// The newest uploads that have a position, among the newest 1,500.
    ///
    /// This takes one request for each 500 uploads, of which about 60 have a position, and one for
    /// each 50 photos.
    public func recentPhotos(limit: Int) async throws -> [PhotoRecord] {
        let limit = min(limit, CommonsQuery.listLimit)
        guard limit > 0 else { return [] }
        var photos: [PhotoRecord] = []
        var seen: Set<String> = []
        var continuation: CommonsQuery.Parameters = []
        for _ in 0..<3 {
            let uploads = try await client.pages(CommonsQuery.recentUploads + continuation)
            let located = uploads.pages.filter { $0["coordinates"] != nil }.sorted {
                ($0.uploaded ?? .distantPast) > ($1.uploaded ?? .distantPast)
            }
            var remaining = located.compactMap { $0["pageid"]?.nonEmptyText }
                .filter { seen.insert($0).inserted }[...]
            while !remaining.isEmpty, photos.count < limit {
                let shown = Array(remaining.prefix(CommonsQuery.detailLimit))
                photos += try await files(shown).found.filter { $0.coordinate != nil }
                remaining = remaining.dropFirst(shown.count)
            }
            continuation = uploads.continuation
            if photos.count >= limit || continuation.isEmpty { break }
        }
        photos.sort { ($0.uploaded ?? .distantPast) > ($1.uploaded ?? .distantPast) }
        return Array(photos.prefix(limit))
    }

    /// One page of at most 50 photos in an area, nearest first.
    ///
    /// The first page of an area takes two requests, each further page takes one.
    public func photos(in area: CoordinateArea, page: Int, perPage: Int) async throws -> PhotoPage {
        try caps.validate(area, page: page, perPage: perPage)
        let length = caps.pageLength(for: perPage)
        let hits = try await hits.list(for: area) { [client] in
            CommonsHits(try await client.query(CommonsQuery.files(in: area)))
        }
        let (shown, pageCount) = hits.identifiers.page(page, of: length)
        let cap = hits.isCapped ? hits.identifiers.count : nil
        guard !shown.isEmpty else {
            return PhotoPage(page: page, usablePages: pageCount, photos: [], cap: cap)
        }
        let (found, refusedCount) = try await files(Array(shown))
        var result = PhotoPage(
            page: page, usablePages: pageCount, photos: found,
            droppedCount: shown.count - found.count, cap: cap)
        result.refusedCount = refusedCount
        return result
    }

    /// All that Commons knows about a file, by the number of its page.
    ///
    /// The error for a page that is there but has no photo that may be shown is not `gone`.
    public func details(ofPhoto identifier: String) async throws -> PhotoRecord {
        let gone = PhotoSourceError.gone(what: "The file \(identifier)")
        guard let number = Int(identifier), number > 0, String(number) == identifier else {
            throw gone
        }
        let pages = try await client.pages(CommonsQuery.details(of: [String(number)])).pages
        guard let page = pages.first(where: { $0["pageid"]?.nonEmptyText == String(number) }),
            page.isMissing || page.info != nil
        else {
            throw PhotoSourceError.malformedReply(
                what: "the reply of Wikimedia Commons does not tell of the file \(number)",
                position: nil)
        }
        guard !page.isMissing else { throw gone }
        guard let photo = PhotoRecord(commons: page, language: client.language) else {
            throw PhotoSourceError.unavailable(
                reason: .unreadable(
                    provider: "The file \(number)",
                    reason: "Wikimedia Commons has it, but as no photo with a license."))
        }
        return photo
    }

    /// The encoded picture of a variant.
    public func data(for variant: PhotoVariant) async throws -> Data {
        try await client.picture(at: variant.url)
    }

    /// The photos of some pages, in their order, and how many of the others Commons tells to be no photos.
    private func files(
        _ identifiers: [String]
    ) async throws -> (found: [PhotoRecord], refusedCount: Int) {
        let pages = try await client.pages(CommonsQuery.details(of: identifiers)).pages
        let photos = pages.compactMap { PhotoRecord(commons: $0, language: client.language) }
        let known = Dictionary(photos.map { ($0.identifier, $0) }) { first, _ in first }
        let told = Set(pages.filter(\.isTold).compactMap { $0["pageid"]?.nonEmptyText })
        let refused = identifiers.filter { known[$0] == nil && told.contains($0) }
        return (identifiers.compactMap { known[$0] }, refused.count)
    }
}
