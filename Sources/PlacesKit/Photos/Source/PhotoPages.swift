/// The pages of a search one after another, each photo once.
///
/// ```swift
/// for try await page in source.pages(of: .circle(center: paris, radius: 5)) {
///     list.append(page.photos)
///     if case .cap(let count) = page.ending { footer = "the first \(count)" }
/// }
/// ```
///
/// - Services shift their pages while they are read and repeat photos. Of a photo that stands twice on a page, or
///   again on a later one, the first comes; so a page may have few photos, or none.
/// - The last page, and only that one, has an `ending`. Five empty pages in a row are an end, too; a page whose
///   elements were all unusable is not empty.
/// - An iterator remembers the identifiers of the photos that it has handed out, and nothing else of them: at most
///   as many as the source's `caps.reach`, if it has one.
public struct PhotoPages: AsyncSequence, Sendable {
    /// One page.
    public typealias Element = PhotoPage

    private let area: PhotoArea
    private let perPage: Int
    private let source: any PhotoSource

    init(of area: PhotoArea, perPage: Int, from source: any PhotoSource) {
        self.area = area
        self.perPage = perPage
        self.source = source
    }

    /// Begins with the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(area: area, perPage: perPage, source: source)
    }

    /// Asks for the pages, one at a time.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let area: PhotoArea
        fileprivate let perPage: Int
        fileprivate let source: any PhotoSource
        private var seen: Set<String> = []
        private var nextPage = 1
        /// How many pages in a row were empty.
        private var emptyCount = 0
        private var isFinished = false

        private static let emptyLimit = 5

        fileprivate init(area: PhotoArea, perPage: Int, source: any PhotoSource) {
            self.area = area
            self.perPage = perPage
            self.source = source
        }

        /// Asks for the next page.
        ///
        /// - Throws: `PhotoSourceError`, or `CancellationError`. The same page is asked for again by the next
        ///   call.
        public mutating func next() async throws -> PhotoPage? {
            guard !isFinished else { return nil }
            var page = try await source.photos(in: area, page: nextPage, perPage: perPage)
            let count = page.photos.count
            let isRepeated = page.page < nextPage
            emptyCount = count == 0 && page.droppedCount == 0 ? emptyCount + 1 : 0
            page.photos = page.photos.filter { seen.insert($0.identifier).inserted }
            if isRepeated || (count > 0 && page.photos.isEmpty && page.ending == nil) {
                page.ending = .repetition
            } else if emptyCount == Self.emptyLimit, page.ending == nil {
                page.ending = .emptiness(pages: emptyCount)
            }
            isFinished = page.ending != nil
            nextPage += 1
            return page
        }
    }
}
