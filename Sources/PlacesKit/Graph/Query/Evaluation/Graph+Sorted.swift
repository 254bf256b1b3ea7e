import Foundation

extension Graph {
    /// The rows in the order of some keys; rows that are equal under all keep their order.
    ///
    /// - Complexity: O(n log k) for the first k of n rows.
    func sorted(
        _ rows: ContiguousArray<Row>, by keys: [SortKey], in table: TableNumber, first limit: Int?
    ) -> ContiguousArray<Row> {
        guard !keys.isEmpty else { return limit.map { ContiguousArray(rows.prefix($0)) } ?? rows }
        let columns = keys.map { SortColumn($0, rows: rows, in: table, of: self) }
        if columns.count == 1, let entries = columns[0].entries {
            let first = entries.smallest(limit ?? rows.count, by: <)
            return ContiguousArray(first.map { rows[$0.position] })
        }
        let positions = ContiguousArray(rows.indices).smallest(limit ?? rows.count) { a, b in
            for column in columns {
                switch column.order(a, b) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                case .orderedSame: continue
                }
            }
            return a < b
        }
        return ContiguousArray(positions.map { rows[$0] })
    }

    /// Whether a row comes before another in the order of some keys; equal ones keep their order.
    func precedes(
        _ first: Row, _ second: Row, by keys: [SortKey], in table: TableNumber
    ) -> Bool {
        keys.precedes(first, second) { key in
            key.order(
                value(of: key.operand, first, in: table), value(of: key.operand, second, in: table))
        }
    }
}

/// The values of one sort key, read once for all rows.
private struct SortColumn {
    fileprivate enum Values {
        /// Numbers as bits that have their order.
        case numbers(ContiguousArray<UInt64>)
        case decimals(ContiguousArray<Decimal>)
        case text(ContiguousArray<String>)
        /// What only a comparator knows how to compare.
        case compared((Int, Int) -> ComparisonResult)
    }

    private let values: Values
    private let nulls: ContiguousArray<Bool>?
    private let key: SortKey

    init(_ key: SortKey, rows: ContiguousArray<Row>, in table: TableNumber, of graph: Graph) {
        self.key = key
        if key.comparator == nil, case .attribute(let path) = key.operand, path.count == 1,
            let (values, nulls) = graph.values(rows, path[0], in: table)
        {
            (self.values, self.nulls) = (values, nulls)
            return
        }
        if case .relevance(let rank) = key.operand {
            let scores = graph.scores(of: rows, rank, in: table)
            (values, nulls) = (.numbers(ContiguousArray(scores.map(\.orderedBits))), nil)
            return
        }
        let data = ContiguousArray(rows.map(graph.values(of: key.operand, in: table)))
        nulls = ContiguousArray(data.map { $0 == .null })
        if let comparator = key.comparator {
            values = .compared(comparator.comparison(of: data))
        } else if data.contains(where: { $0.text != nil }) {
            values = .text(ContiguousArray(data.map { $0.text ?? "" }))
        } else if data.mixesNumbers {
            values = .compared { data[$0].numericOrder(to: data[$1]) }
        } else if data.contains(where: { $0.decimal != nil }) {
            values = .decimals(ContiguousArray(data.map { $0.decimal ?? 0 }))
        } else {
            values = .numbers(ContiguousArray(data.map(\.orderedBits)))
        }
    }

    /// What orders the positions, where the column holds numbers.
    fileprivate var entries: ContiguousArray<NumberEntry>? {
        guard case .numbers(let bits) = values else { return nil }
        var entries = ContiguousArray<NumberEntry>()
        entries.reserveCapacity(bits.count)
        let nullRank = key.hasNilFirst ? 0 : 2
        for position in bits.indices {
            let isNull = nulls?[position] ?? false
            entries.append(
                NumberEntry(
                    bits: isNull ? 0 : key.isAscending ? bits[position] : ~bits[position],
                    rank: isNull ? nullRank : 1, position: position))
        }
        return entries
    }

    /// How two positions compare, as `SortKey.order` has it.
    @inline(__always)
    func order(_ a: Int, _ b: Int) -> ComparisonResult {
        if let nulls, nulls[a] || nulls[b] {
            guard nulls[a] != nulls[b] else { return .orderedSame }
            return nulls[a] == key.hasNilFirst ? .orderedAscending : .orderedDescending
        }
        let order: ComparisonResult =
            switch values {
            case .numbers(let bits): bits[a].order(to: bits[b])
            case .decimals(let decimals): decimals[a].order(to: decimals[b])
            case .text(let texts): texts[a].canonicalOrder(to: texts[b]).order(to: 0)
            case .compared(let order): order(a, b)
            }
        return key.isAscending ? order : order.reversed
    }
}

extension Graph {
    /// What the rows of a column of numbers or text are ordered by, and which of them hold no value; `nil` for other
    /// columns.
    fileprivate func values(
        _ rows: ContiguousArray<Row>, _ slot: Slot, in table: TableNumber
    ) -> (values: SortColumn.Values, nulls: ContiguousArray<Bool>?)? {
        let isOptional = layout.tables[table].properties[slot].attribute?.isOptional ?? true
        let column = tables[table].columns[slot]
        var nulls = ContiguousArray<Bool>()
        nulls.reserveCapacity(isOptional ? rows.count : 0)
        @inline(__always)
        func read<Element: ColumnElement, Value>(
            _ type: Element.Type, _ value: (Element) -> Value
        ) -> ContiguousArray<Value> {
            var values = ContiguousArray<Value>()
            values.reserveCapacity(rows.count)
            for row in rows {
                let block = column.block(row.chunk)
                let offset = row.offset
                values.append(value(block.elements(of: type)[offset]))
                if isOptional { nulls.append(!block.isValid(at: offset)) }
            }
            return values
        }
        let values: SortColumn.Values
        switch column.kind {
        case .integer: values = .numbers(read(Int64.self, \.orderedBits))
        case .double: values = .numbers(read(Double.self, \.orderedBits))
        case .boolean: values = .numbers(read(Bool.self) { $0 ? 1 : 0 })
        case .string: values = .text(read(String.self, \.self))
        case .decimal, .uuid, .data, .blob, .reference: return nil
        }
        return (values, isOptional ? nulls : nil)
    }
}

extension ContiguousArray<Datum> {
    /// Whether some are numbers of another kind than others.
    fileprivate var mixesNumbers: Bool {
        guard let first = first(where: { $0 != .null }) else { return false }
        return contains { $0.isNumber(ofOtherKindThan: first) }
    }
}

/// What a number is ordered by, and the position of its row.
private struct NumberEntry: Comparable {
    var bits: UInt64
    /// What comes before the bits: whether there is a value.
    var rank: Int
    var position: Int

    @inline(__always)
    static func < (left: NumberEntry, right: NumberEntry) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        if left.bits != right.bits { return left.bits < right.bits }
        return left.position < right.position
    }
}

extension ContiguousArray {
    /// The first `count` of the sorted elements; no two may be equal under `precedes`.
    @inline(__always)
    func smallest(
        _ count: Int, by precedes: (Element, Element) -> Bool
    ) -> ContiguousArray {
        guard count < self.count / 4 else {
            return ContiguousArray(sorted(by: precedes).prefix(count))
        }
        // Keeps the best so far, sorted out whenever twice as many have gathered: each round costs
        // O(k log k) and drops k candidates, and most elements fail the one comparison.
        var best = ContiguousArray()
        guard count > 0 else { return best }
        best.reserveCapacity(count * 2)
        var threshold: Element?
        for element in self {
            if let threshold, !precedes(element, threshold) { continue }
            best.append(element)
            if best.count == count * 2 {
                best.sort(by: precedes)
                best.removeSubrange(count...)
                threshold = best[count - 1]
            }
        }
        best.sort(by: precedes)
        return ContiguousArray(best.prefix(count))
    }
}
