import Foundation

/// What rows are ordered by, first key first.
struct SortKey: Sendable {
    var operand: Operand
    var isAscending: Bool
    /// How text compares; `nil` is Swift's order of characters.
    var comparesText: (@Sendable (String, String) -> Bool)?
}

extension Graph {
    /// The rows in the order of some keys; rows that are equal under all keep their order.
    ///
    /// - Complexity: O(n log k) for the first k of n rows.
    func sorted(
        _ rows: ContiguousArray<Int32>, by keys: [SortKey], in table: Int, first limit: Int?
    ) -> ContiguousArray<Int32> {
        guard !keys.isEmpty else { return limit.map { ContiguousArray(rows.prefix($0)) } ?? rows }
        let columns = keys.map { SortColumn($0, rows: rows, in: table, of: self) }
        let positions = ContiguousArray(rows.indices).smallest(limit ?? rows.count) { a, b in
            for column in columns {
                switch column.order(a, b) {
                case 0: continue
                case let order: return order < 0
                }
            }
            return a < b
        }
        return ContiguousArray(positions.map { rows[$0] })
    }
}

/// The values of one sort key, read once for all rows.
private enum SortColumn {
    /// Numbers as bits that have their order.
    case numbers(ContiguousArray<UInt64>, nulls: ContiguousArray<Bool>?, isAscending: Bool)
    case text(ContiguousArray<String?>, isAscending: Bool, less: @Sendable (String, String) -> Bool)

    init(_ key: SortKey, rows: ContiguousArray<Int32>, in table: Int, of graph: Graph) {
        if case .attribute(let path) = key.operand, path.count == 1,
            let (bits, nulls) = graph.orderedBits(rows, path[0], in: table)
        {
            self = .numbers(bits, nulls: nulls, isAscending: key.isAscending)
            return
        }
        let values = rows.map { graph.value(of: key.operand, $0, in: table) }
        if values.contains(where: { $0.text != nil }) {
            self = .text(
                ContiguousArray(values.map(\.text)), isAscending: key.isAscending,
                less: key.comparesText ?? { $0 < $1 })
        } else {
            self = .numbers(
                ContiguousArray(values.map(\.orderedBits)),
                nulls: ContiguousArray(values.map { $0 == .null }),
                isAscending: key.isAscending)
        }
    }

    /// Negative, zero or positive as the first row comes before, with or after the second.
    ///
    /// No value comes before every value, as Foundation's descriptors have it.
    @inline(__always)
    func order(_ a: Int, _ b: Int) -> Int {
        switch self {
        case .numbers(let bits, let nulls, let isAscending):
            if let nulls, nulls[a] != nulls[b] { return nulls[a] == isAscending ? -1 : 1 }
            if bits[a] == bits[b] { return 0 }
            return (bits[a] < bits[b]) == isAscending ? -1 : 1
        case .text(let texts, let isAscending, let less):
            switch (texts[a], texts[b]) {
            case (nil, nil): return 0
            case (nil, _): return isAscending ? -1 : 1
            case (_, nil): return isAscending ? 1 : -1
            case (let left?, let right?):
                if less(left, right) { return isAscending ? -1 : 1 }
                return less(right, left) ? (isAscending ? 1 : -1) : 0
            }
        }
    }
}

extension Graph {
    /// The bits by which the rows of a numeric column are ordered, and which rows hold no value;
    /// `nil` for other columns.
    fileprivate func orderedBits(
        _ rows: ContiguousArray<Int32>, _ slot: Int, in table: Int
    ) -> (bits: ContiguousArray<UInt64>, nulls: ContiguousArray<Bool>?)? {
        let isOptional = schema.entities[table].properties[slot].attribute?.isOptional ?? true
        let column = tables[table].columns[slot]
        @inline(__always)
        func read<Element: ColumnElement>(
            _ type: Element.Type, _ bits: (Element) -> UInt64
        ) -> (ContiguousArray<UInt64>, ContiguousArray<Bool>?) {
            var result = ContiguousArray<UInt64>()
            var nulls = ContiguousArray<Bool>()
            result.reserveCapacity(rows.count)
            nulls.reserveCapacity(isOptional ? rows.count : 0)
            for row in rows {
                let block = column.block(Int(row) >> ChunkLayout.shift)
                let offset = Int(row) & ChunkLayout.mask
                result.append(bits(block.elements(of: Element.self)[offset]))
                if isOptional { nulls.append(!block.isValid(at: offset)) }
            }
            return (result, isOptional ? nulls : nil)
        }
        return switch column.kind {
        case .integer: read(Int64.self, \.orderedBits)
        case .double: read(Double.self, \.orderedBits)
        case .boolean: read(Bool.self) { $0 ? 1 : 0 }
        case .string, .uuid, .data, .reference: nil
        }
    }
}

extension Datum {
    /// Bits whose order is that of numbers, instants and truth values.
    var orderedBits: UInt64 {
        switch self {
        case .null, .string, .uuid, .data: 0
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): value.orderedBits
        case .double(let value): value.orderedBits
        case .date(let value): value.timeIntervalSinceReferenceDate.orderedBits
        }
    }

    /// Text, or what is ordered like its text.
    var text: String? {
        switch self {
        case .string(let value): value
        case .uuid(let value): value.uuidString
        case .null, .boolean, .integer, .double, .date, .data: nil
        }
    }
}

extension Int64 {
    fileprivate var orderedBits: UInt64 { UInt64(bitPattern: self) ^ 1 << 63 }
}

extension Double {
    /// Bits in the order of the numbers: negative ones reversed, both zeros equal.
    fileprivate var orderedBits: UInt64 {
        let bits = (self == 0 ? 0 : self).bitPattern
        return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }
}

extension ContiguousArray where Element == Int {
    /// The first `count` of the sorted elements; no two may be equal under `precedes`.
    fileprivate func smallest(
        _ count: Int, by precedes: (Int, Int) -> Bool
    ) -> ContiguousArray {
        guard count < self.count / 4 else {
            return ContiguousArray(sorted(by: precedes).prefix(count))
        }
        // Keeps the best so far, sorted out whenever twice as many have gathered: each round costs
        // O(k log k) and drops k candidates, and most elements fail the one comparison.
        var best = ContiguousArray()
        guard count > 0 else { return best }
        best.reserveCapacity(count * 2)
        var threshold: Int?
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
