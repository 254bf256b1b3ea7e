/// The pages of a search one after another, each photo once; a sequence that is its own iterator.
struct PhotoPages: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private let area: CoordinateArea
    private let perPage: Int
    private let source: any PhotoSource
    private var seen: Set<String> = []
    private var nextPage = 1
    /// How many pages in a row were empty.
    private var emptyCount = 0
    /// How many pages in a row brought no new photo, because they were empty or had known ones only.
    private var idleCount = 0
    private var isFinished = false

    /// After how many pages in a row without a new photo no other is expected to have any.
    ///
    /// One is not enough: when as many photos as a page has are published meanwhile, the next page
    /// is the one before it once more.
    static let idleLimit = 5

    init(of area: CoordinateArea, perPage: Int, from source: any PhotoSource) {
        self.area = area
        self.perPage = perPage
        self.source = source
    }

    func makeAsyncIterator() -> PhotoPages { self }

    mutating func next() async throws -> PhotoPage? {
        guard !isFinished else { return nil }
        var page = try await source.photos(in: area, page: nextPage, perPage: perPage)
        let count = page.photos.count
        let isRepeated = page.page < nextPage
        let isUnreadable = count == 0 && page.droppedCount > 0
        page.photos = page.photos.filter { seen.insert($0.identifier).inserted }
        emptyCount = count == 0 && !isUnreadable ? emptyCount + 1 : 0
        idleCount = page.photos.isEmpty && !isUnreadable ? idleCount + 1 : 0
        if isRepeated {
            page.ending = .repetition
        } else if idleCount == Self.idleLimit, page.ending == nil {
            page.ending = emptyCount == idleCount ? .emptiness(pages: emptyCount) : .repetition
        }
        isFinished = page.ending != nil
        nextPage += 1
        return page
    }
}
