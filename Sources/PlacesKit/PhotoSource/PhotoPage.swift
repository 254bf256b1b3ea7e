/// One page of the photos that match a search.
public struct PhotoPage: Sendable, Codable, Hashable {
    /// The number of this page, from 1.
    public var page: Int
    /// How many pages can really be asked for, which may be fewer than the source counts.
    public var usablePages: Int
    /// The photos of this page; fewer than asked for does not mean that it is the last page.
    public var photos: [PhotoRecord]
    /// How many elements of the reply were unusable and are left out.
    public var droppedCount: Int

    /// Creates a page.
    public init(page: Int, usablePages: Int, photos: [PhotoRecord], droppedCount: Int = 0) {
        self.page = page
        self.usablePages = usablePages
        self.photos = photos
        self.droppedCount = droppedCount
    }
}
