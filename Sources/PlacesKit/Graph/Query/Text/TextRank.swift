import Foundation

/// How well texts fit the words that are looked for, by BM25.
///
/// For each word its *rarity* counts, times a share that grows with how often the text has it, up to
/// `saturation` + 1, and the more slowly the longer the text is:
///
///     ln(1 + (N − n + ½) / (n + ½)) · f · (k + 1) / (f + k · (1 − b + b · length / average))
///
/// with N objects of which n have the word, f occurrences, each times the weight of its attribute, k = 1.2 and
/// b = 0.75. Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009),
/// section 3; the rarity is that of Lucene, which is never negative.
///
/// What is counted over all objects is counted once, when a request is made: so one that changes moves no other. Pages
/// that go on by a token keep it, too.
struct TextRank: Sendable {
    /// The text attributes, and how much a word in each counts.
    let attributes: [(path: [Slot], weight: Double)]
    private let table: TableNumber
    /// The text that is looked for.
    let text: String
    let matching: WordMatching
    private let terms: [WordPattern.Term]
    /// The first bytes of the terms that lie in one word, and a byte that no text has for all others.
    private let firsts: [UInt8]
    /// What was counted over all objects; nothing before anybody has.
    private(set) var statistics: Statistics
    private var rarities: [Double]
    private var averageLength: Double

    /// What is counted over all objects.
    struct Statistics: Hashable, Codable, Sendable {
        fileprivate var objects: Int
        /// How many words all texts have together.
        fileprivate var words: Int
        /// How many objects have each term.
        fileprivate var occurrences: [Int]

        fileprivate var rarities: [Double] {
            occurrences.map {
                log(1 + (Double(objects) - Double($0) + 0.5) / (Double($0) + 0.5))
            }
        }

        fileprivate var averageLength: Double {
            max(1, Double(words) / Double(max(1, objects)))
        }
    }

    private static let saturation = 1.2
    private static let lengthShare = 0.75

    /// A rank for which nothing is counted yet.
    init(
        _ text: String, matching: WordMatching, in attributes: [(path: [Slot], weight: Double)],
        of table: TableNumber
    ) {
        self.text = text
        self.matching = matching
        self.attributes = attributes
        self.table = table
        terms = WordPattern(text, matching: matching).terms
        firsts = terms.map { $0.isLong ? 0xff : $0.bytes[0] }
        statistics = Statistics(
            objects: 0, words: 0, occurrences: Array(repeating: 0, count: terms.count))
        rarities = statistics.rarities
        averageLength = statistics.averageLength
    }

    /// The rank by what there is in a graph.
    func counted(in graph: Graph) -> TextRank {
        let count = graph.tables[table].count
        var (length, occurrences) = (0, Array(repeating: 0, count: terms.count))
        for attribute in attributes {
            let found = graph.statistics(of: terms, attribute.path, in: table)
            length += found.length
            // An object may have a word in several attributes.
            occurrences = zip(occurrences, found.occurrences).map { min(count, max($0, $1)) }
        }
        return counting(
            Statistics(objects: count, words: length, occurrences: occurrences))
    }

    /// The rank by what was counted before; `nil` where that is of other terms.
    fileprivate func counting(as statistics: Statistics) -> TextRank? {
        statistics.occurrences.count == terms.count ? counting(statistics) : nil
    }

    private func counting(_ statistics: Statistics) -> TextRank {
        var rank = self
        rank.statistics = statistics
        rank.rarities = statistics.rarities
        rank.averageLength = statistics.averageLength
        return rank
    }

    /// How well a row fits whose texts `value` gives.
    func score(_ value: (Operand) -> Datum) -> Double {
        score { count in
            for (path, weight) in attributes {
                guard case .string(let text) = value(.attribute(path)) else { continue }
                TextWords.withFolded(text) { count($0, weight) }
            }
        }
    }

    /// How well a folded text fits that is all there is.
    func score(_ text: UnsafeBufferPointer<UInt8>) -> Double {
        score { count in count(text, attributes[0].weight) }
    }

    /// How well texts fit that `body` hands over, each with its weight.
    private func score(
        _ body: ((UnsafeBufferPointer<UInt8>, Double) -> Void) -> Void
    ) -> Double {
        withUnsafeTemporaryAllocation(of: Double.self, capacity: terms.count) { counts in
            counts.initialize(repeating: 0)
            var length = 0
            body { length += count($0, $1, counts) }
            let norm =
                Self.saturation
                * (1 - Self.lengthShare + Self.lengthShare * Double(length) / averageLength)
            return zip(counts, rarities).reduce(0) { sum, term in
                sum + term.1 * term.0 * (Self.saturation + 1) / (term.0 + norm)
            }
        }
    }

    /// Counts the terms in a folded text; returns how many words it has.
    private func count(
        _ text: UnsafeBufferPointer<UInt8>, _ weight: Double,
        _ counts: UnsafeMutableBufferPointer<Double>
    ) -> Int {
        var length = 0
        TextWords.forEach(in: text) { word, isSingle in
            length += 1
            if isSingle { return }
            let first = text[word.lowerBound]
            for index in firsts.indices where firsts[index] == first {
                if terms[index].fits(text, word) { counts[index] += weight }
            }
        }
        for index in firsts.indices where firsts[index] == 0xff {
            counts[index] += weight * Double(terms[index].places(in: text).count)
        }
        return length
    }
}

extension [SortKey] {
    /// The keys, whose ranks go by what there is in a graph.
    func counted(in graph: Graph) -> [SortKey] {
        map { key in
            guard case .relevance(let rank) = key.operand else { return key }
            var key = key
            key.operand = .relevance(rank.counted(in: graph))
            return key
        }
    }

    /// What those that rank have counted, in order.
    var statistics: [TextRank.Statistics] {
        compactMap { key -> TextRank.Statistics? in
            if case .relevance(let rank) = key.operand { rank.statistics } else { nil }
        }
    }

    /// The keys, whose ranks go by what they counted before; `nil` where that was counted for others.
    func counting(as statistics: [TextRank.Statistics]) -> [SortKey]? {
        var (keys, rest) = (self, statistics[...])
        for index in keys.indices {
            guard case .relevance(let rank) = keys[index].operand else { continue }
            guard let known = rest.popFirst(), let ranked = rank.counting(as: known) else {
                return nil
            }
            keys[index].operand = .relevance(ranked)
        }
        return rest.isEmpty ? keys : nil
    }
}

extension Graph {
    /// How well rows fit: where many lie in one chunk, by its folded texts, which are kept.
    func scores(
        of rows: ContiguousArray<Row>, _ rank: TextRank, in table: TableNumber
    ) -> ContiguousArray<Double> {
        let path = rank.attributes.count == 1 ? rank.attributes[0].path : []
        let column = path.count == 1 ? tables[table].columns[path[0]] : nil
        var scores = ContiguousArray<Double>()
        scores.reserveCapacity(rows.count)
        var start = 0
        while start < rows.count {
            let chunk = rows[start].chunk
            let end = rows[start...].firstIndex { $0.chunk != chunk } ?? rows.count
            let texts =
                end - start < 8
                ? nil : column.flatMap { FoldedChunk.of($0, chunk, TextWords.folding) }
            for row in rows[start..<end] {
                if let texts, let column, column.isValid(at: row) {
                    scores.append(texts.withText(at: row.offset) { rank.score($0) })
                } else {
                    scores.append(rank.score { value(of: $0, row, in: table) })
                }
            }
            start = end
        }
        return scores
    }
}
