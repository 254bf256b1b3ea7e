import Foundation

extension Graph {
    /// The number of the ordered index of all rows whose first column is a slot, the narrowest if there are two.
    func orderedIndex(of slot: Slot, in table: TableNumber) -> Int? {
        let indexes = layout.tables[table].orderedIndexes
        return indexes.indices.lazy
            .filter {
                indexes[$0].columns[0].column == slot && !indexes[$0].isSpatial
                    && !indexes[$0].isPartial
            }
            .min { indexes[$0].columns.count < indexes[$1].columns.count }
    }

    /// The part of an ordered index where a comparison with a constant holds; `nil` where there is
    /// no index, or where the two are of different kinds.
    func indexRange(_ condition: Condition, in table: TableNumber) -> IndexRange? {
        guard
            case .comparison(.attribute(let path), let comparison, .constant(let constant)) =
                condition, path.count == 1, comparison != .notEqual,
            let number = orderedIndex(of: path[0], in: table),
            let attribute = layout.tables[table].properties[path[0]].attribute,
            // A range holds exactly what the comparison does, so values of other types are refused.
            constant == .null || FormatType(attribute) == FormatType(constant)
        else { return nil }
        let layout = layout.tables[table].orderedIndexes[number]
        let index = tables[table].orderedIndexes[number]
        let positions: Range<Int>
        if constant == .null {
            guard comparison.holds(.null, .null), layout.columns[0].isOptional else { return nil }
            positions = index.range(ofGroup: OrderedIndexLayout.nulls)
        } else {
            guard
                let probe = IndexProbe(
                    constant, layout.columns[0], column: tables[table].columns[path[0]])
            else { return nil }
            positions = probe.positions(comparison, in: index)
        }
        return IndexRange(index: number, positions: positions, conditions: [condition])
    }
}

extension Range<Int> {
    /// What two parts have in common; an empty part where they do not meet.
    func intersection(with other: Range<Int>) -> Range<Int> {
        let start = Swift.max(lowerBound, other.lowerBound)
        return start..<Swift.max(start, Swift.min(upperBound, other.upperBound))
    }
}

/// A constant that is looked for in an ordered index by its first column.
private struct IndexProbe {
    let key: UInt64
    let isNumber: Bool
    /// How the constant compares with the value of a row that has the same key.
    let tie: (Row) -> Int

    /// `nil` where the constant is of another kind than the column.
    init?(_ constant: Datum, _ layout: IndexedColumn, column: Column) {
        isNumber = layout.kind == .double
        // What is not a number equals nothing, and has no place among numbers.
        guard !constant.isNotANumber, let key = layout.key(of: constant) else { return nil }
        self.key = key
        tie =
            layout.isExact
            ? { _ in 0 } : { layout.order(of: constant, $0, column.block($0.chunk)) }
    }

    /// The positions of the rows whose value compares so with the constant.
    func positions(_ comparison: ComparisonOperator, in index: OrderedIndex) -> Range<Int> {
        func position(_ row: Row) -> Int {
            // An index of several columns breaks ties by the others, so they are left out here.
            let entry = OrderedEntry(group: OrderedIndexLayout.values, row: row, key: key)
            return index.position(of: entry) {
                let order = tie($0)
                return order != 0 ? order : row == .min ? -1 : 1
            }
        }
        // Each is a way down a tree, so only those that count are gone.
        var first: Int { index.position(of: .start(of: OrderedIndexLayout.values)) }
        var start: Int { position(.min) }
        var end: Int { position(.max) }
        // What is not a number is neither less nor greater; it comes last.
        var last: Int {
            guard isNumber else { return index.position(of: .end(of: OrderedIndexLayout.values)) }
            return index.position(
                of: OrderedEntry(group: OrderedIndexLayout.values, row: .min, key: .max),
                tie: { _ in -1 })
        }
        func upToLast(_ start: Int) -> Range<Int> { start..<max(start, last) }
        return switch comparison {
        case .equal: start..<end
        case .less: first..<start
        case .lessOrEqual: first..<end
        case .greater: upToLast(end)
        case .greaterOrEqual: upToLast(start)
        case .notEqual: index.range(ofGroup: OrderedIndexLayout.values)
        }
    }
}
