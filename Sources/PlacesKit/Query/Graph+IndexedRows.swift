import Foundation

extension Graph {
    /// The number of the ordered index whose first column is a slot, the narrowest if there are two.
    private func orderedIndex(of slot: Int, in table: Int) -> Int? {
        layout.tables[table].orderedIndexes.indices
            .filter { layout.tables[table].orderedIndexes[$0].columns[0].column == slot }
            .min {
                layout.tables[table].orderedIndexes[$0].columns.count
                    < layout.tables[table].orderedIndexes[$1].columns.count
            }
    }

    /// The rows that can satisfy a comparison, found through an ordered index; `nil` where there is
    /// none, or where they are so many that a scan takes less time.
    func indexedRows(
        _ slot: Int, _ comparison: ComparisonOperator, _ constant: Datum, in table: Int
    ) -> [Int32]? {
        guard comparison != .notEqual, let number = orderedIndex(of: slot, in: table) else {
            return nil
        }
        let layout = layout.tables[table].orderedIndexes[number]
        let index = tables[table].orderedIndexes[number]
        let positions: Range<Int>
        if constant == .null {
            guard comparison == .equal, layout.columns[0].isOptional else { return nil }
            positions = index.range(ofGroup: OrderedIndexLayout.nulls)
        } else {
            guard
                let probe = IndexProbe(
                    constant, layout.columns[0], column: tables[table].columns[slot])
            else { return nil }
            positions = probe.positions(comparison, in: index)
        }
        guard positions.count <= tables[table].count / 8 else { return nil }
        return index.entries(positions).map(\.row)
    }

    /// The number of the index that gives rows in the order of some keys, and how many of its
    /// entries may be walked to find so many rows before a scan takes less time.
    private func walk(
        by keys: [SortKey], in table: Int, first limit: Int
    ) -> (index: Int, budget: Int)? {
        let budget = max(64, tables[table].count / 8)
        guard limit <= budget, keys.count == 1, keys[0].comparator == nil,
            case .attribute(let path) = keys[0].operand, path.count == 1
        else { return nil }
        return layout.tables[table].orderedIndexes
            .firstIndex {
                $0.columns.count == 1 && $0.columns[0].column == path[0] && $0.columns[0].isSorted
            }
            .map { ($0, budget) }
    }

    /// Whether `walkedRows` may find so many rows in the order of some keys.
    func isWalkable(by keys: [SortKey], in table: Int, first limit: Int) -> Bool {
        walk(by: keys, in: table, first: limit) != nil
    }

    /// The first rows in the order of a key that satisfy a condition, by walking an ordered index;
    /// `nil` where there is none, or where the walk is longer than a scan.
    ///
    /// Rows that are equal under the key come in their own order, going down as going up.
    func walkedRows(
        _ condition: Condition, by keys: [SortKey], in table: Int, first limit: Int
    ) -> ContiguousArray<Int32>? {
        guard !condition.isOpaque,
            case (let number, var budget)? = walk(by: keys, in: table, first: limit)
        else { return nil }
        var rows = ContiguousArray<Int32>()
        rows.reserveCapacity(limit)
        let index = tables[table].orderedIndexes[number]
        /// Takes rows until there are enough; returns whether to go on.
        func take(_ positions: Range<Int>) -> Bool {
            for entry in index.entries(positions) {
                guard rows.count < limit, budget > 0 else { return false }
                budget -= 1
                if matches(condition, entry.row, in: table, opaque: { _ in false }) {
                    rows.append(entry.row)
                }
            }
            return rows.count < limit
        }
        if keys[0].isAscending {
            _ = take(0..<index.count)
        } else {
            let column = layout.tables[table].orderedIndexes[number].columns[0]
            let values = tables[table].columns[column.column]
            var end = index.count
            while end > 0 {
                let start = index.startOfRun(endingAt: end, column, values)
                guard take(start..<end) else { break }
                end = start
            }
        }
        return rows.count < limit && budget == 0 ? nil : rows
    }
}

extension IndexedColumn {
    /// Whether the order of the index is that in which requests sort.
    fileprivate var isSorted: Bool { kind != .data && kind != .reference }
}

extension OrderedIndex {
    /// Where the rows begin that have the value of the one before `end`.
    fileprivate func startOfRun(
        endingAt end: Int, _ column: IndexedColumn, _ values: Column
    ) -> Int {
        let last = self[end - 1]
        var first = last
        first.row = .min
        let block = values.block(Int(last.row) >> ChunkLayout.shift)
        return position(of: first) { other in
            column.isExact
                ? 0
                : column.order(
                    last.row, block, other, values.block(Int(other) >> ChunkLayout.shift))
        }
    }
}

/// A constant that is looked for in an ordered index by its first column.
private struct IndexProbe {
    let key: UInt64
    let isNumber: Bool
    /// How the constant compares with the value of a row that has the same key.
    let tie: (Int32) -> Int

    /// `nil` where the constant is of another kind than the column.
    init?(_ constant: Datum, _ layout: IndexedColumn, column: Column) {
        isNumber = layout.kind == .double
        switch (layout.kind, constant) {
        case (.boolean, .boolean(let value)): (key, tie) = (value ? 1 : 0, { _ in 0 })
        case (.integer, .integer(let value)): (key, tie) = (value.orderedBits, { _ in 0 })
        case (.integer, .unsigned(let value)):
            (key, tie) = (value.ordered.orderedBits, { _ in 0 })
        case (.decimal, .decimal(let value)):
            (key, tie) = (0, { value.order(to: column.element(Decimal.self, at: $0)) })
        case (.double, .double(let value)) where !value.isNaN:
            (key, tie) = (value.orderedBits, { _ in 0 })
        case (.double, .date(let value)) where !value.timeIntervalSinceReferenceDate.isNaN:
            (key, tie) = (value.timeIntervalSinceReferenceDate.orderedBits, { _ in 0 })
        case (.string, .string(let value)):
            (key, tie) = (
                value.orderedPrefix,
                { value.canonicalOrder(to: column.element(String.self, at: $0)) }
            )
        case (.uuid, .uuid(let value)):
            (key, tie) = (
                value.orderedPrefix, { value.order(to: column.element(UUID.self, at: $0)) }
            )
        default: return nil
        }
    }

    /// The positions of the rows whose value compares so with the constant.
    func positions(_ comparison: ComparisonOperator, in index: OrderedIndex) -> Range<Int> {
        let all = index.range(ofGroup: OrderedIndexLayout.values)
        func position(_ row: Int32) -> Int {
            // An index of several columns breaks ties by the others, so they are left out here.
            let entry = OrderedEntry(group: OrderedIndexLayout.values, row: row, key: key)
            return index.position(of: entry) {
                let order = tie($0)
                return order != 0 ? order : row == .min ? -1 : 1
            }
        }
        let (start, end) = (position(.min), position(.max))
        // What is not a number is neither less nor greater; it comes last.
        let last =
            isNumber
            ? index.position(
                of: OrderedEntry(group: OrderedIndexLayout.values, row: .min, key: .max),
                tie: { _ in -1 }) : all.upperBound
        return switch comparison {
        case .equal: start..<end
        case .less: all.lowerBound..<start
        case .lessOrEqual: all.lowerBound..<end
        case .greater: end..<max(end, last)
        case .greaterOrEqual: start..<max(start, last)
        case .notEqual: all
        }
    }
}
