/// The edges of a window of ordered rows, by which a row is told to lie before, in or after it in two
/// comparisons.
struct WindowEdges {
    private enum Edge {
        /// Nothing lies before.
        case start
        /// What comes before an entry lies before.
        case entry(OrderedEntry)
        /// Everything lies before.
        case end
    }

    private let start: Edge
    private let end: Edge
    private let order: RowOrder
    private let graph: Graph

    /// The edges of the positions that a window covers of the rows of an index, which are ordered as in
    /// a graph.
    init(of window: Range<Int>, in index: OrderedIndex, _ order: RowOrder, _ graph: Graph) {
        func edge(at position: Int) -> Edge {
            if position == 0 { return .start }
            return position < index.count ? .entry(index[position]) : .end
        }
        start = edge(at: window.lowerBound)
        end = edge(at: window.upperBound)
        self.order = order
        self.graph = graph
    }

    /// Whether an entry of the index, or one that was in it, lies before the window.
    func isBefore(_ entry: OrderedEntry) -> Bool { isBefore(entry, start) }

    /// Whether it lies before what follows the window.
    func isBeforeEnd(_ entry: OrderedEntry) -> Bool { isBefore(entry, end) }

    private func isBefore(_ entry: OrderedEntry, _ edge: Edge) -> Bool {
        switch edge {
        case .start: false
        case .entry(let first): order.precedes(entry, first, in: graph)
        case .end: true
        }
    }
}

/// How many rows lie before a window, and before what follows it.
struct WindowCounts {
    private var before = 0
    private var beforeEnd = 0

    /// Counts a row; returns whether it lies in the window.
    mutating func count(_ entry: OrderedEntry, _ edges: WindowEdges) -> Bool {
        guard edges.isBeforeEnd(entry) else { return false }
        beforeEnd += 1
        guard edges.isBefore(entry) else { return true }
        before += 1
        return false
    }

    /// The positions that a window has among the other rows, those that were not counted.
    func untouched(of window: Range<Int>) -> Range<Int> {
        window.lowerBound - before..<window.upperBound - beforeEnd
    }
}
