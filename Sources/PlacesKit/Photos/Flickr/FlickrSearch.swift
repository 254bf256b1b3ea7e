import Foundation

/// Searches photos with `flickr.photos.search`, the one method that filters by place and date.
///
/// Flickr returns only the first 4,000 results of a search, however many pages it reports, and at
/// most 250 results at once of a search by place.
struct FlickrSearch: Sendable {
    static let reach = 4_000
    static let largestPage = 250

    static let extras =
        [
            "description", "license", "date_upload", "date_taken", "owner_name", "original_format",
            "geo", "tags", "media", "path_alias",
        ] + FlickrVariants.extras

    let client: FlickrClient

    /// The newest photos that match, at most `limit`, without repetitions.
    ///
    /// Pages may be shorter than asked for, or empty: Flickr leaves out photos, or has pages of
    /// another length.
    func newest(
        _ limit: Int, matching parameters: [(name: String, value: String)]
    ) async throws -> [PhotoRecord] {
        let limit = min(limit, Self.reach)
        guard limit > 0 else { return [] }
        let perPage = min(limit, Self.largestPage)
        var photos: [PhotoRecord] = []
        var seen: Set<String> = []
        var page = 1
        // Photos that are published meanwhile shift the others to later pages.
        var idleCount = 0
        while photos.count < limit, idleCount < PhotoPages.idleLimit {
            let reply = try await self.page(page, perPage: perPage, matching: parameters)
            let new = reply.photos.filter { seen.insert($0.identifier).inserted }
            photos += new
            idleCount = new.isEmpty ? idleCount + 1 : 0
            if reply.page < page || page >= reply.usablePages { break }
            page += 1
        }
        return Array(photos.prefix(limit))
    }

    /// The newest photos of the day before a moment that have a position, at most `limit`.
    func newest(_ limit: Int, ofDayBefore now: Date) async throws -> [PhotoRecord] {
        let yesterday = String(FlickrDates.dayBefore(now))
        return try await newest(
            limit, matching: [("has_geo", "1"), ("min_upload_date", yesterday)])
    }

    /// One page of the photos that match, newest first.
    ///
    /// Sometimes Flickr sends no photo of a page that has some, and does so when asked again.
    func page(
        _ page: Int, perPage: Int, matching parameters: [(name: String, value: String)]
    ) async throws -> PhotoPage {
        let found = try await ask(page, perPage: perPage, matching: parameters)
        let isMissing = found.photos.isEmpty && found.droppedCount == 0
        guard isMissing, page <= found.usablePages else { return found }
        return try await ask(page, perPage: perPage, matching: parameters)
    }

    private func ask(
        _ page: Int, perPage: Int, matching parameters: [(name: String, value: String)]
    ) async throws -> PhotoPage {
        let reply = try await client.call(
            "flickr.photos.search",
            parameters + [
                ("sort", "date-posted-desc"), ("media", "photos"), ("safe_search", "1"),
                ("extras", Self.extras.joined(separator: ",")),
                ("per_page", String(perPage)), ("page", String(page)),
            ])
        return try PhotoPage(flickr: reply, askedFor: page, perPage: perPage)
    }

    /// One page of the photos in a box, newest first on either side of the 180th meridian.
    ///
    /// The last page stands for those behind it. A page of one photo cannot have one of each side:
    /// those of one side come after all those of the other.
    func page(
        _ page: Int, perPage: Int, in box: CoordinateBox, _ parameter: (name: String, value: String)
    ) async throws -> PhotoPage {
        let searches: [[(name: String, value: String)]] = box.parts.map { part in
            let edges = [
                part.southwest.longitude, part.southwest.latitude, part.northeast.longitude,
                part.northeast.latitude,
            ]
            return [("bbox", edges.map(\.decimalText).joined(separator: ",")), parameter]
        }
        guard perPage >= searches.count else { return try await single(page, matching: searches) }
        let length = max(1, perPage / max(1, searches.count))
        let page = min(page, Self.reach / length)
        var pages: [PhotoPage] = []
        for search in searches {
            var found = try await self.page(page, perPage: length, matching: search)
            if searches.count > 1, found.usablePages < page { found.photos = [] }
            pages.append(found)
        }
        guard pages.count > 1 else {
            return pages.first ?? .init(page: page, usablePages: 0, photos: [])
        }
        return PhotoPage(merging: pages)
    }

    /// One page of one photo of several searches, one after another.
    private func single(
        _ page: Int, matching searches: [[(name: String, value: String)]]
    ) async throws -> PhotoPage {
        let page = min(page, Self.reach)
        var count = 0
        var shown = PhotoPage(page: page, usablePages: 0, photos: [])
        for search in searches {
            let found = try await self.page(max(1, page - count), perPage: 1, matching: search)
            if count < page, page - count <= found.usablePages { shown = found }
            count += found.usablePages
        }
        let isCapped = count > Self.reach || shown.ending == .cap(photos: Self.reach)
        return PhotoPage(
            page: page, usablePages: min(count, Self.reach), photos: shown.photos,
            droppedCount: shown.droppedCount, cap: isCapped ? Self.reach : nil)
    }
}

extension PhotoPage {
    /// Reads a list of photos, element by element.
    ///
    /// - Parameters:
    ///   - reply: The reply.
    ///   - page: The number of the page asked for, in case the reply does not contain it.
    ///   - perPage: The page length asked for, in case the reply does not contain it.
    /// - Throws: `PhotoSourceError.malformedReply` if the reply has no list of photos.
    init(flickr reply: FlickrReply, askedFor page: Int, perPage: Int) throws {
        let list = try reply.content("photos")
        let elements = list["photo"].elements
        var photos: [PhotoRecord] = []
        photos.reserveCapacity(elements.count)
        var seen: Set<String> = []
        var droppedCount = 0
        for element in elements {
            guard let photo = PhotoRecord(flickr: element) else {
                droppedCount += 1
                continue
            }
            if seen.insert(photo.identifier).inserted { photos.append(photo) }
        }
        let length = max(1, list["perpage"].int ?? list["per_page"].int ?? perPage)
        let pages = list["pages"].int ?? (photos.isEmpty ? 0 : page)
        let usablePages = FlickrPhotoSource.caps.usablePages(of: pages, perPage: length)
        self.init(
            page: list["page"].int.flatMap { $0 > 0 ? $0 : nil } ?? page, usablePages: usablePages,
            photos: photos,
            droppedCount: droppedCount,
            cap: pages > usablePages ? FlickrSearch.reach : nil)
    }

    /// Merges the pages of several searches that have the same number.
    fileprivate init(merging pages: [PhotoPage]) {
        let cap = pages.contains { $0.ending == .cap(photos: FlickrSearch.reach) }
        var seen: Set<String> = []
        self.init(
            page: pages.map(\.page).max() ?? 1,
            usablePages: pages.map(\.usablePages).max() ?? 0,
            photos: pages.flatMap(\.photos).filter { seen.insert($0.identifier).inserted }
                .sorted { ($0.uploaded ?? .distantPast) > ($1.uploaded ?? .distantPast) },
            droppedCount: pages.reduce(0) { $0 + $1.droppedCount },
            cap: cap ? FlickrSearch.reach : nil)
    }
}
