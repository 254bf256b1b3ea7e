import Synchronization

/// The files in an area, nearest first.
struct CommonsHits: Sendable {
    /// The numbers of the files' pages, without repetitions.
    let identifiers: [String]
    /// Whether Commons may have more files than it lists.
    let isCapped: Bool

    init(_ reply: CommonsReply) {
        let elements = reply.root["query"]["geosearch"].elements
        isCapped = elements.count >= CommonsQuery.listLimit
        let files = elements.compactMap { element -> (identifier: String, point: Coordinate)? in
            guard let identifier = element["pageid"].nonEmptyText,
                let title = element["title"].text, CommonsFile.mayBePhoto(title: title),
                let latitude = element["lat"].double, let longitude = element["lon"].double
            else { return nil }
            return (identifier, Coordinate(latitude: latitude, longitude: longitude))
        }
        // Most positions that several files share were copied from a list; such files come last.
        let counts = Dictionary(files.map { ($0.point, 1) }, uniquingKeysWith: +)
        let own = files.filter { counts[$0.point, default: 0] < 3 }
        let shared = files.filter { counts[$0.point, default: 0] >= 3 }
        var seen: Set<String> = []
        identifiers = (own + shared).map(\.identifier).filter { seen.insert($0).inserted }
    }
}

/// Remembers the files of the last areas for ten minutes, so that their pages fit together.
final class CommonsHitMemory: Sendable {
    private static let capacity = 16
    private static let lifetime = Duration.seconds(600)

    private let stopwatch: Stopwatch
    private let lists = Mutex<[CoordinateArea: (hits: CommonsHits, time: Duration)]>([:])
    private let questions = SharedWork<CoordinateArea, CommonsHits>()

    init(clock: any Clock<Duration>) {
        stopwatch = Stopwatch(clock)
    }

    /// The files in an area, from memory, else from `ask`, once for all who ask at the same time.
    func list(
        for area: CoordinateArea, ask: @escaping @Sendable () async throws -> CommonsHits
    ) async throws -> CommonsHits {
        try await questions.value(for: area) { [self] in
            let now = stopwatch.elapsed
            if let known = known(area, now) { return known }
            let hits = try await ask()
            remember(hits, area, now)
            return hits
        }
    }

    private func known(_ area: CoordinateArea, _ now: Duration) -> CommonsHits? {
        lists.withLock { lists in
            lists = lists.filter { now - $0.value.time < Self.lifetime }
            return lists[area]?.hits
        }
    }

    private func remember(_ hits: CommonsHits, _ area: CoordinateArea, _ now: Duration) {
        lists.withLock { lists in
            if lists.count >= Self.capacity,
                let oldest = lists.min(by: { $0.value.time < $1.value.time })
            {
                lists[oldest.key] = nil
            }
            lists[area] = (hits, now)
        }
    }
}
