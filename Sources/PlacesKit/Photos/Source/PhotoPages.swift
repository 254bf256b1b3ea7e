/// The pages of a search one after another, each photo once; a sequence that is its own iterator.
struct PhotoPages: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private let area: PhotoArea
    private let perPage: Int
    private let source: any PhotoSource
    private var seen: Set<String> = []
    private var nextPage = 1
    /// How many pages in a row were empty.
    private var emptyCount = 0
    private var isFinished = false

    /// After how many empty pages in a row no other is expected to have photos.
    static let emptyLimit = 5

    init(of area: PhotoArea, perPage: Int, from source: any PhotoSource) {
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
