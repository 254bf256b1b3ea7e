import Foundation

/// Keeps what the rows of groups come to, while rows come and go.
///
/// A row goes with the values that it came with: those of the graph before a change.
protocol GroupAccumulator: AnyObject {
    /// Lets a row come into a group.
    func add(_ row: Row, to group: Int, in graph: Graph)
    /// Lets a row leave its group.
    func remove(_ row: Row, from group: Int, in graph: Graph)
    /// What a group comes to.
    func value(of group: Int, in graph: Graph) -> Datum
}

/// Counts rows.
final class RowCounts: GroupAccumulator {
    private var counts: ContiguousArray<Int> = []

    func add(_ row: Row, to group: Int, in graph: Graph) {
        counts.reach(group, with: 0)
        counts[group] += 1
    }

    func remove(_ row: Row, from group: Int, in graph: Graph) { counts[group] -= 1 }

    func value(of group: Int, in graph: Graph) -> Datum { .integer(Int64(counts[group])) }
}

/// Counts different values; no value does not count.
final class DistinctCounts: GroupAccumulator {
    private struct Pair: Hashable {
        var group: Int
        var word: GroupWord
    }

    private let column: GroupColumn
    private var rows: [Pair: Int] = [:]
    private var counts: ContiguousArray<Int> = []

    init(_ column: GroupColumn) { self.column = column }

    func add(_ row: Row, to group: Int, in graph: Graph) {
        counts.reach(group, with: 0)
        let word = column.word(row, in: graph)
        guard word != .null else { return }
        let pair = Pair(group: group, word: word)
        let before = rows[pair, default: 0]
        rows[pair] = before + 1
        if before == 0 { counts[group] += 1 }
    }

    func remove(_ row: Row, from group: Int, in graph: Graph) {
        let pair = Pair(group: group, word: column.word(row, in: graph))
        guard let before = rows[pair] else { return }
        rows[pair] = before == 1 ? nil : before - 1
        if before == 1 { counts[group] -= 1 }
    }

    func value(of group: Int, in graph: Graph) -> Datum { .integer(Int64(counts[group])) }
}

/// Sums up numbers that are whole or floating-point, exactly.
final class RowSums: GroupAccumulator {
    private struct Sum {
        var whole: Int128 = 0
        var real = ExactSum()
        var count = 0
    }

    private let column: GroupColumn
    /// What sums are stored as; `nil` for averages.
    private let kind: ColumnKind?
    private let isReal: Bool
    private var sums: ContiguousArray<Sum> = []

    init(_ column: GroupColumn, isReal: Bool, as kind: ColumnKind?) {
        (self.column, self.isReal, self.kind) = (column, isReal, kind)
    }

    func add(_ row: Row, to group: Int, in graph: Graph) {
        sums.reach(group, with: Sum())
        count(row, group, graph, isAdded: true)
    }

    func remove(_ row: Row, from group: Int, in graph: Graph) {
        count(row, group, graph, isAdded: false)
    }

    private func count(_ row: Row, _ group: Int, _ graph: Graph, isAdded: Bool) {
        switch column.value(row, in: graph) {
        case .integer(let value): sums[group].whole += isAdded ? Int128(value) : -Int128(value)
        case .unsigned(let value): sums[group].whole += isAdded ? Int128(value) : -Int128(value)
        case .double(let value): sums[group].real.add(value, isAdded: isAdded)
        default: return
        }
        sums[group].count += isAdded ? 1 : -1
    }

    func value(of group: Int, in graph: Graph) -> Datum {
        let sum = sums[group]
        let totals =
            isReal ? GroupSums.Totals.real([sum.real.value]) : GroupSums.Totals.whole([sum.whole])
        let sums = GroupSums(totals: totals, counts: [sum.count])
        guard let kind else { return sums.average(of: 0).map(Datum.double) ?? .null }
        return sums.sum(of: 0, as: kind)
    }
}

/// Keeps values in order; the first or the last one counts.
final class RowExtremes: GroupAccumulator {
    private let column: GroupColumn
    private let isGreatest: Bool
    private var order = OrderedIndex()

    init(_ column: GroupColumn, greatest isGreatest: Bool) {
        (self.column, self.isGreatest) = (column, isGreatest)
    }

    func add(_ row: Row, to group: Int, in graph: Graph) {
        guard let (entry, tie) = entry(row, group, graph) else { return }
        order.insert(entry, token: 1, tie: tie)
    }

    func remove(_ row: Row, from group: Int, in graph: Graph) {
        guard let (entry, tie) = entry(row, group, graph) else { return }
        order.remove(entry, token: 1, tie: tie)
    }

    private func entry(
        _ row: Row, _ group: Int, _ graph: Graph
    ) -> (OrderedEntry, tie: (Row) -> Int)? {
        let value = column.value(row, in: graph)
        guard value != .null else { return nil }
        let entry = OrderedEntry(group: Int32(group), row: row, key: value.orderedPrefix)
        return (entry, { [column] other in value.order(to: column.value(other, in: graph)) })
    }

    func value(of group: Int, in graph: Graph) -> Datum {
        let group = Int32(group)
        guard isGreatest else {
            return order.first(ofGroup: group).map { column.value($0.row, in: graph) } ?? .null
        }
        guard let last = order.last(ofGroup: group) else { return .null }
        let value = column.value(last.row, in: graph)
        // The first of those that are equal, which may look different.
        let start = OrderedEntry(group: group, row: .min, key: last.key)
        let first = order.first(notBefore: start) { [column] other in
            value.order(to: column.value(other, in: graph))
        }
        return first.map { column.value($0.row, in: graph) } ?? value
    }
}

extension ContiguousArray {
    /// Makes an index exist.
    fileprivate mutating func reach(_ index: Int, with element: Element) {
        while count <= index { append(element) }
    }
}

extension Datum {
    /// Bits in the order of values of one type, or of what they begin with.
    fileprivate var orderedPrefix: UInt64 {
        switch self {
        case .null, .decimal: 0
        case .boolean, .integer, .unsigned, .double, .date: orderedBits
        case .string(let value): value.orderedPrefix
        case .uuid(let value): value.orderedPrefix
        case .data(let value): value.orderedPrefix
        }
    }

    /// How the value compares with another that begins like it: negative if it comes first.
    fileprivate func order(to other: Datum) -> Int {
        switch (self, other) {
        case (.decimal(let a), .decimal(let b)): a.order(to: b)
        case (.string(let a), .string(let b)): a.canonicalOrder(to: b)
        case (.uuid(let a), .uuid(let b)): a.order(to: b)
        case (.data(let a), .data(let b)): a.order(to: b)
        default: 0
        }
    }
}
