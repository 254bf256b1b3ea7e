import Foundation

/// The order of a request's rows, as what ordered trees compare: a number for the first sort key, and
/// all keys where the numbers are equal.
struct RowOrder: Sendable {
    let keys: [SortKey]
    let table: TableNumber

    /// What stands for a row, as it is in a graph.
    func entry(_ row: Row, group: Int32 = 0, in graph: Graph) -> OrderedEntry {
        guard let first = keys.first else { return OrderedEntry(group: group, row: row, key: 0) }
        return OrderedEntry(
            group: group, row: row,
            key: first.bits(of: graph.value(of: first.operand, row, in: table)))
    }

    /// How a row compares with others whose entries have the same number: negative if it comes first.
    func tie(_ row: Row, in graph: Graph) -> (Row) -> Int {
        guard !keys.isEmpty else { return { _ in 0 } }
        let values = keys.map { graph.value(of: $0.operand, row, in: table) }
        return { other in
            for (key, value) in zip(keys, values) {
                let order = key.order(value, graph.value(of: key.operand, other, in: table))
                if order != .orderedSame { return order.rawValue }
            }
            return 0
        }
    }

    /// Whether an entry comes before another, whatever their groups.
    func precedes(_ first: OrderedEntry, _ second: OrderedEntry, in graph: Graph) -> Bool {
        first.key == second.key
            ? graph.precedes(first.row, second.row, by: keys, in: table) : first.key < second.key
    }
}

extension SortKey {
    /// A number that comes before another only if the value does: no value, or the beginning of one.
    fileprivate func bits(of value: Datum) -> UInt64 {
        let ascending: UInt64
        switch value {
        case .null: return hasNilFirst ? 0 : .max
        case _ where comparator != nil: ascending = 1
        case .string(let text): ascending = 1 + text.orderedPrefix >> 1
        case .decimal, .data: ascending = 1
        case .uuid(let value): ascending = 1 + value.orderedPrefix >> 1
        case .boolean, .integer, .unsigned, .double, .date:
            ascending = 1 + value.orderedBits >> 1
        }
        return isAscending ? ascending : ~ascending
    }
}
