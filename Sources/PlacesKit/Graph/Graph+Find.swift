import Foundation

extension Graph {
    /// The row whose unique attribute holds a value, or `nil` when there is none.
    ///
    /// - Complexity: O(1).
    func find(_ datum: Datum, _ slot: Int, in table: Int) -> Int32? {
        guard let index = layout.tables[table].uniqueSlots.firstIndex(of: slot) else { return nil }
        return switch (tables[table].columns[slot].kind, datum) {
        case (.boolean, .boolean(let value)): find(value, slot, index, table)
        case (.integer, .integer(let value)): find(value, slot, index, table)
        case (.double, .double(let value)): find(value, slot, index, table)
        case (.double, .date(let value)):
            find(value.timeIntervalSinceReferenceDate, slot, index, table)
        case (.string, .string(let value)): find(value, slot, index, table)
        case (.uuid, .uuid(let value)): find(value, slot, index, table)
        case (.data, .data(let value)): find(value, slot, index, table)
        default: nil
        }
    }

    @inline(__always)
    private func find<Element: ColumnElement>(
        _ value: Element, _ slot: Int, _ index: Int, _ table: Int
    ) -> Int32? {
        let column = tables[table].columns[slot]
        return tables[table].uniqueIndexes[index].find(hash: value.indexHash) { row in
            column.element(Element.self, at: row) == value
        }
    }
}
