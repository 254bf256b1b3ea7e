public import Foundation
import Synchronization

extension SortDescriptor where Compared: ManagedObject {
    /// Sorts by how well objects fit a search: the best first.
    ///
    /// ```swift
    /// let search = TextSearch<Photo>("eif tow", in: \.title, \.takenAt?.name)
    /// var request = FetchRequest<Photo>(
    ///     sortBy: [SortDescriptor(relevanceTo: search, weights: [3, 1])], limit: 20)
    /// request.search = search
    /// ```
    ///
    /// Rare words count more than frequent ones, words that occur several times count more, and all count less in
    /// a long text (BM25 with k = 1.2 and b = 0.75). How rare words are, and how long texts are on average, is
    /// asked when the request is made: of the index, if the attributes are ``AttributeOption/searchable``, which takes
    /// no longer than to search for them one by one. A live list keeps that, and so do pages that follow a
    /// ``PageToken``: an object that changes moves no other. Fetching, or making a live list, throws
    /// `ContextError.notText` where an attribute of the search is no text.
    ///
    /// - Parameters:
    ///   - search: The words that are looked for, and the attributes.
    ///   - weights: How much a word counts in each attribute of the search, from 0 to a million; 1 in those that have
    ///     none.
    ///   - order: `.reverse` for the worst first.
    public init(
        relevanceTo search: TextSearch<Compared>, weights: [Double] = [],
        order: SortOrder = .forward
    ) {
        let origin = RelevanceOrigin(search: search, weights: weights)
        self.init(\Compared.[relevance: origin], order: order)
    }
}

extension ManagedObject {
    /// How well the object fits a search.
    fileprivate subscript<Object: ManagedObject>(
        relevance origin: RelevanceOrigin<Object>
    ) -> TextRelevance<Object> {
        TextRelevance(object: self, origin: origin)
    }
}

/// What relevance is asked of.
private struct RelevanceOrigin<Object: ManagedObject>: Hashable, Sendable {
    let search: TextSearch<Object>
    let weights: [Double]
    private let counted = CountedRank()

    init(search: TextSearch<Object>, weights: [Double]) {
        (self.search, self.weights) = (search, weights)
    }

    /// The rank for objects of a model, for which nothing is counted yet; `nil` where the class is not in the model.
    ///
    /// - Throws: `ContextError.notText` where an attribute is no text.
    func rank(_ model: ObjectModel) throws(ContextError) -> TextRank? {
        guard let entity = model.number(of: Object.self) else { return nil }
        var attributes: [(path: [Slot], weight: Double)] = []
        for (index, keyPath) in search.attributes.enumerated() {
            let path = try model.pathOfText(keyPath, from: entity)
            let weight = index < weights.count ? weights[index] : 1
            attributes.append((path, weight.isNaN ? 0 : Swift.min(Swift.max(0, weight), 1e6)))
        }
        return TextRank(
            search.text, matching: search.matching, in: attributes,
            of: model.layout.entities[entity].table)
    }

    /// The rank by what there is in the graph of a transaction; `nil` where the class is not in the model, or an
    /// attribute is no text.
    func rank(_ model: ObjectModel, in transaction: Transaction) -> TextRank? {
        counted.rank(in: transaction) { graph in (try? rank(model))?.counted(in: graph) }
    }

    static func == (left: Self, right: Self) -> Bool {
        left.search.text == right.search.text && left.search.matching == right.search.matching
            && left.weights == right.weights
            && left.search.attributes.elementsEqual(right.search.attributes) {
                $0 as AnyKeyPath == $1
            }
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(search.text)
        hasher.combine(weights)
    }
}

/// A rank that was counted for the comparison before, of which there are many when objects are sorted.
private final class CountedRank: Sendable {
    private let latest = Mutex<(mark: ChangeMark, rank: TextRank?)?>(nil)

    /// The rank in the graph of a transaction; `count` counts it.
    func rank(in transaction: Transaction, _ count: (Graph) -> TextRank?) -> TextRank? {
        let mark = transaction.mark()
        if let known = latest.withLock({ $0 }), known.mark == mark { return known.rank }
        let rank = count(transaction.graph)
        latest.withLock { $0 = (mark, rank) }
        return rank
    }
}

/// How well an object fits a search: the better, the less.
struct TextRelevance<Object: ManagedObject>: Comparable {
    fileprivate let object: ManagedObject
    fileprivate let origin: RelevanceOrigin<Object>

    /// Asked of the object alone, where rows could not be sorted.
    private var score: Double {
        guard let table = object.table else { return 0 }
        let transaction = table.state.transaction
        let graph = transaction.graph
        return origin.rank(table.state.store.model, in: transaction)?.score {
            graph.value(of: $0, object.row, in: table.number)
        } ?? 0
    }

    static func == (left: TextRelevance, right: TextRelevance) -> Bool { left.score == right.score }

    static func < (left: TextRelevance, right: TextRelevance) -> Bool { left.score > right.score }
}

extension TextRelevance: OrderedValue {
    func sortKey(_ model: ObjectModel) throws(ContextError) -> SortKey? {
        try origin.rank(model).map { SortKey(operand: .relevance($0), isAscending: false) }
    }
}
