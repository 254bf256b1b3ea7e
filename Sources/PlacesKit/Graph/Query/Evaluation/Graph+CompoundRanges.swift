import Foundation

extension Graph {
    /// The part of an index over several columns where the first of them have some values; `nil` where one of the values
    /// is of another kind than its column.
    ///
    /// `bounds` are comparisons of the column that comes next.
    func indexRange(
        _ number: Int, equal values: [Datum], _ bounds: [(ComparisonOperator, Datum)] = [],
        in table: TableNumber
    ) -> Range<Int>? {
        let layout = layout.tables[table].orderedIndexes[number]
        let index = tables[table].orderedIndexes[number]
        let values = zip(layout.columns, values).map { stored($1, in: $0, of: table) }
        let bounds = bounds.map { comparison, bound in
            (
                comparison,
                layout.columns.dropFirst(values.count).first.map {
                    stored(bound, in: $0, of: table)
                } ?? bound
            )
        }
        guard values.count <= layout.columns.count, let first = values.first,
            !layout.isPartial || first == .boolean(true),
            zip(layout.columns, values).allSatisfy({ isProbe($1, of: $0, in: table) }),
            let key = layout.columns[0].key(of: first)
        else { return nil }
        /// Where rows begin, or end, that have the values, and one more in the next column.
        func position(_ next: Datum?, isEnd: Bool) -> Int {
            let entry = OrderedEntry(
                group: OrderedIndexLayout.values, row: isEnd ? .max : .min, key: key)
            let sought = values + (next.map { [$0] } ?? [])
            return index.position(of: entry) { row in
                for (column, value) in zip(layout.columns, sought) {
                    let order = column.order(
                        of: value, row, tables[table].columns[column.column].block(row.chunk))
                    if order != 0 { return order }
                }
                return isEnd ? 1 : -1
            }
        }
        let all = position(nil, isEnd: false)..<position(nil, isEnd: true)
        guard !bounds.isEmpty else { return all }
        guard values.count < layout.columns.count else { return nil }
        let column = layout.columns[values.count]
        var positions = all
        for (comparison, bound) in bounds {
            guard isProbe(bound, of: column, in: table) else { return nil }
            // No value comes first, and what is not a number last: neither is less or greater.
            let start = column.isOptional ? position(.null, isEnd: true) : all.lowerBound
            let end =
                column.kind == .double ? position(.double(.nan), isEnd: false) : all.upperBound
            let part: Range<Int>? =
                switch comparison {
                case .equal: position(bound, isEnd: false)..<position(bound, isEnd: true)
                case .less: start..<max(start, position(bound, isEnd: false))
                case .lessOrEqual: start..<max(start, position(bound, isEnd: true))
                case .greater: min(end, position(bound, isEnd: true))..<end
                case .greaterOrEqual: min(end, position(bound, isEnd: false))..<end
                case .notEqual: nil
                }
            guard let part else { return nil }
            positions = positions.intersection(with: part)
        }
        return positions
    }

    /// A value as a column holds it: of an object its row.
    private func stored(_ value: Datum, in column: IndexedColumn, of table: TableNumber) -> Datum {
        guard column.kind == .reference, case .integer(let number) = value else { return value }
        let row = row(of: number, in: destination(of: column.column, in: table))
        return row.map { .integer(Int64($0.index)) } ?? .null
    }

    /// Whether the place of a value among those of a column is known.
    private func isProbe(_ value: Datum, of column: IndexedColumn, in table: TableNumber) -> Bool {
        guard value != .null, !value.isNotANumber, !(value.decimal?.isNaN ?? false) else {
            return false
        }
        guard let attribute = layout.tables[table].properties[column.column].attribute else {
            if case .integer(let number) = value { return Row(exactly: number) != nil }
            return false
        }
        return FormatType(attribute) == FormatType(value) && column.key(of: value) != nil
    }
}

extension IndexedColumn {
    /// The bits by which an index orders a value first; `nil` for one of another kind.
    func key(of value: Datum) -> UInt64? {
        switch (kind, value) {
        case (.boolean, .boolean(let value)): value ? 1 : 0
        case (.integer, .integer(let value)): value.orderedBits
        case (.integer, .unsigned(let value)): value.ordered.orderedBits
        case (.double, .double(let value)): value.orderedBits
        case (.double, .date(let value)): value.timeIntervalSinceReferenceDate.orderedBits
        case (.decimal, .decimal): 0
        case (.string, .string(let value)): value.orderedPrefix
        case (.uuid, .uuid(let value)): value.orderedPrefix
        case (.reference, .integer(let value)): UInt64(UInt32(truncatingIfNeeded: value))
        default: nil
        }
    }

    /// How a value compares with that of a row: negative if it comes first.
    func order(of value: Datum, _ row: Row, _ block: UnsafeMutableRawPointer) -> Int {
        switch (value == .null, isNull(row, block)) {
        case (true, true): return 0
        case (true, false): return -1
        case (false, true): return 1
        case (false, false): break
        }
        let offset = row.offset
        switch value {
        case .decimal(let value): return value.order(to: block.elements(of: Decimal.self)[offset])
        case .string(let value):
            return value.canonicalOrder(to: block.elements(of: String.self)[offset])
        case .uuid(let value): return value.order(to: block.elements(of: UUID.self)[offset])
        default:
            let (own, other) = (key(of: value) ?? 0, key(row, block))
            return own < other ? -1 : own == other ? 0 : 1
        }
    }
}
