/// One page of the photos that match a search.
public struct PhotoPage: Sendable, Codable, Hashable {
    /// The number of photos in a page, unless the caller asks for another.
    public static let standardLength = 21

    /// Why no page follows.
    public enum Ending: Sendable, Codable, Hashable {
        /// The source has returned all photos.
        case complete
        /// There are more photos, but the source only returns this many for one search.
        case cap(photos: Int)
        /// This many pages in a row were empty, although the source reports more pages.
        case emptiness(pages: Int)
        /// The source repeats photos instead of returning new ones: it says that this page is an
        /// earlier one, or five pages in a row had no new photo, and not all of them were empty.
        case repetition
    }

    /// The number of this page, from 1.
    public var page: Int
    /// How many pages can really be fetched, which may be fewer than the source reports.
    public var usablePages: Int
    /// The photos of this page; even if they are fewer than asked for, more pages may follow.
    public var photos: [PhotoRecord]
    /// How many elements of the reply were left out because they were unusable.
    public var droppedCount: Int
    /// How many of these the source told to be no photos, which they stay; nil if it does not tell them apart.
    package var refusedCount: Int?
    /// Why no page follows this one; nil if one does.
    public var ending: Ending?

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - page: Its number, from 1.
    ///   - usablePages: How many pages can be fetched.
    ///   - photos: Its photos.
    ///   - droppedCount: How many elements were left out.
    ///   - cap: How many photos of the search the source returns, if it has more.
    public init(
        page: Int, usablePages: Int, photos: [PhotoRecord], droppedCount: Int = 0,
        cap: Int? = nil
    ) {
        self.page = page
        self.usablePages = usablePages
        self.photos = photos
        self.droppedCount = droppedCount
        ending = page < usablePages ? nil : cap.map { .cap(photos: $0) } ?? .complete
    }
}
