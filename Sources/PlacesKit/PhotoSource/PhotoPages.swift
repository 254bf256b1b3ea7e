/// The pages of a search one after another, each photo once.
///
/// ```swift
/// for try await page in source.pages(of: .circle(center: paris, radius: 5)) {
///     list.append(page.photos)
///     if case .cap(let count) = page.ending { footer = "the first \(count)" }
/// }
/// ```
///
/// Services shift their pages while they are read and repeat photos; those seen before are left out, so a
/// page may have few photos, or none. The last page, and only that one, has an `ending`.
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
        private var isFinished = false

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
            page.photos = page.photos.filter { seen.insert($0.identifier).inserted }
            if isRepeated || (count > 0 && page.photos.isEmpty && page.ending == nil) {
                page.ending = .repetition
            }
            isFinished = page.ending != nil
            nextPage += 1
            return page
        }
    }
}
