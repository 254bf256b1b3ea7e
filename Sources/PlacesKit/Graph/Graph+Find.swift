import Foundation

extension Graph {
    /// The row whose unique attribute holds a value, or `nil` when there is none.
    ///
    /// - Complexity: O(1).
    func find(_ datum: Datum, _ slot: Int, in table: Int) -> Int32? {
        guard let index = layout.tables[table].uniqueSlots.firstIndex(of: slot) else { return nil }
        return switch (tables[table].columns[slot], datum) {
        case (.boolean(let column), .boolean(let value)): find(value, column, index, table)
        case (.integer(let column), .integer(let value)): find(value, column, index, table)
        case (.double(let column), .double(let value)): find(value, column, index, table)
        case (.double(let column), .date(let value)):
            find(value.timeIntervalSinceReferenceDate, column, index, table)
        case (.string(let column), .string(let value)): find(value, column, index, table)
        case (.uuid(let column), .uuid(let value)): find(value, column, index, table)
        case (.data(let column), .data(let value)): find(value, column, index, table)
        default: nil
        }
    }

    @inline(__always)
    private func find<Element: ColumnElement>(
        _ value: Element, _ column: ChunkedColumn<Element>, _ index: Int, _ table: Int
    ) -> Int32? {
        tables[table].uniqueIndexes[index].find(hash: value.indexHash) { row in
            column.block(Int(row) >> ChunkLayout.shift)
                .elements(of: Element.self)[Int(row) & ChunkLayout.mask] == value
        }
    }
}
