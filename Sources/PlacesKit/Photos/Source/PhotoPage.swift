/// One page of the photos that match a search.
public struct PhotoPage: Sendable, Codable, Hashable {
    /// How many photos a page has unless another number is asked for.
    public static let standardLength = 21

    /// Why no page follows.
    public enum Ending: Sendable, Codable, Hashable {
        /// All there is has been handed out.
        case complete
        /// There is more, but the source hands out only so many photos of one search.
        case cap(photos: Int)
        /// So many pages in a row were empty, though the source counts further ones.
        case emptiness(pages: Int)
        /// The source repeats itself instead of going on.
        case repetition
    }

    /// The number of this page, from 1.
    public var page: Int
    /// How many pages can really be asked for, which may be fewer than the source counts.
    public var usablePages: Int
    /// The photos of this page; fewer than asked for does not mean that it is the last page.
    public var photos: [PhotoRecord]
    /// How many elements of the reply were unusable and are left out.
    public var droppedCount: Int
    /// Why no page follows this one; nil if one does.
    public var ending: Ending?

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - page: Its number, from 1.
    ///   - usablePages: How many pages can be asked for.
    ///   - photos: Its photos.
    ///   - droppedCount: How many elements are left out.
    ///   - cap: How many photos of the search the source hands out, if it has more of them.
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
