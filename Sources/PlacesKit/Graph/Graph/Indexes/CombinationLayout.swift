import Foundation

/// Properties of which no two objects may share all values; an object that has no value in one of
/// them shares nothing.
struct CombinationLayout: Sendable {
    let columns: [IndexedColumn]
    /// The rows that it holds for; `nil` for all of the table.
    let kinds: RowKinds?

    /// The hash of a row's values, or `nil` where one is missing, or the row shares nothing by its kind; `block`
    /// tells the block of a row's chunk in a column.
    func hash(_ row: Row, block: (Row, Slot) -> UnsafeMutableRawPointer) -> Int? {
        if let kinds, !kinds.contains(row, block(row, kinds.column)) { return nil }
        let offset = row.offset
        var hasher = Hasher()
        for column in columns {
            let values = block(row, column.column)
            guard values.isValid(at: offset) else { return nil }
            switch column.kind {
            case .boolean: hasher.combine(values.elements(of: Bool.self)[offset])
            case .integer: hasher.combine(values.elements(of: Int64.self)[offset])
            case .double: hasher.combine(values.elements(of: Double.self)[offset])
            case .decimal: hasher.combine(values.elements(of: Decimal.self)[offset])
            case .string: hasher.combine(values.elements(of: String.self)[offset])
            case .uuid: hasher.combine(values.elements(of: UUID.self)[offset])
            case .data: hasher.combine(values.elements(of: Data.self)[offset])
            case .blob: hasher.combine(values.elements(of: Blob.self)[offset])
            case .reference: hasher.combine(values.elements(of: Row.self)[offset])
            }
        }
        return hasher.finalize()
    }

    /// Whether two rows, neither without a value, have the same values.
    func isEqual(
        _ first: Row, _ second: Row, block: (Row, Slot) -> UnsafeMutableRawPointer
    ) -> Bool {
        columns.allSatisfy { column in
            let (left, right) = (block(first, column.column), block(second, column.column))
            func isEqual<Element: ColumnElement>(_ type: Element.Type) -> Bool {
                left.elements(of: type)[first.offset]
                    == right.elements(of: type)[second.offset]
            }
            return switch column.kind {
            case .boolean: isEqual(Bool.self)
            case .integer: isEqual(Int64.self)
            case .double: isEqual(Double.self)
            case .decimal: isEqual(Decimal.self)
            case .string: isEqual(String.self)
            case .uuid: isEqual(UUID.self)
            case .data: isEqual(Data.self)
            case .blob: isEqual(Blob.self)
            case .reference: isEqual(Row.self)
            }
        }
    }
}

extension Graph {
    /// The row that stands for the combination of values that a row has, in the index of the
    /// table's combination of the given number; `nil` where it has none.
    func row(withCombination number: Int, of row: Row, in table: TableNumber) -> Row? {
        let layout = layout.tables[table]
        let columns = tables[table].columns
        func block(_ row: Row, _ column: Slot) -> UnsafeMutableRawPointer {
            columns[column].block(row.chunk)
        }
        guard let hash = layout.combinations[number].hash(row, block: block) else { return nil }
        return tables[table].uniqueIndexes[layout.uniqueSlots.count + number].find(hash: hash) {
            layout.combinations[number].isEqual(row, $0, block: block)
        }
    }
}
