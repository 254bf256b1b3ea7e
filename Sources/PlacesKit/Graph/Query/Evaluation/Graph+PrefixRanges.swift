import Foundation

extension Graph {
    /// The part of an ordered index with all texts that begin as a condition demands, and few others;
    /// `nil` where there is no index.
    ///
    /// The index has texts in the order of their composed bytes, in which a text begins with the bytes of
    /// all that it begins with by characters. The reverse is not so: what follows may be a mark that
    /// belongs to the last character. So the condition must still be asked.
    func prefixRange(_ condition: Condition, in table: TableNumber) -> IndexRange? {
        guard case .text(.attribute(let path), let test) = condition, path.count == 1,
            test.operation == .beginsWith, test.folding.isEmpty, !test.pattern.isEmpty,
            let number = orderedIndex(of: path[0], in: table),
            layout.tables[table].orderedIndexes[number].columns[0].kind == .string
        else { return nil }
        let positions = PrefixProbe(test.pattern).positions(
            in: tables[table].orderedIndexes[number], of: tables[table].columns[path[0]])
        return IndexRange(index: number, positions: positions, conditions: [condition])
    }
}

/// The beginning of texts that are looked for in an ordered index by its first column.
private struct PrefixProbe {
    private let prefix: String
    private let bytes: ContiguousArray<UInt8>

    init(_ prefix: String) {
        self.prefix = prefix
        bytes = ContiguousArray(prefix.precomposedStringWithCanonicalMapping.utf8)
    }

    /// The positions of the texts that begin with the bytes.
    func positions(in index: OrderedIndex, of column: Column) -> Range<Int> {
        let start = index.position(of: entry(.min, filler: 0)) { row in
            let order = prefix.canonicalOrder(to: column.element(String.self, at: row))
            return order == 0 ? -1 : order
        }
        // No byte of UTF-8 is 255, so that keys with such bytes come after all that begin alike.
        let end = index.position(of: entry(.max, filler: .max)) { row in
            let text = column.element(String.self, at: row)
            let begins = text.precomposedStringWithCanonicalMapping.utf8.starts(with: bytes)
            return begins ? 1 : prefix.canonicalOrder(to: text)
        }
        return start..<max(start, end)
    }

    private func entry(_ row: Row, filler: UInt8) -> OrderedEntry {
        var key: UInt64 = 0
        for index in 0..<8 {
            key = key << 8 | UInt64(index < bytes.count ? bytes[index] : filler)
        }
        return OrderedEntry(group: OrderedIndexLayout.values, row: row, key: key)
    }
}
