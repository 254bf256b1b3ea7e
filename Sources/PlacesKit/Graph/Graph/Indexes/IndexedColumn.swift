import Foundation
import PlacesBase

/// A column that an ordered index reads, and how its values are ordered.
///
/// No value comes before every value; a value that an object must have and was never given counts
/// as what it reads as. `blocks` tells the block of a chunk.
struct IndexedColumn: BitwiseCopyable {
    let column: Slot
    let kind: ColumnKind
    /// Whether a row may hold no value.
    let isOptional: Bool

    /// Whether values with equal keys are equal.
    var isExact: Bool {
        switch kind {
        case .boolean, .integer, .double, .reference: true
        case .decimal, .string, .uuid, .data, .blob: false
        }
    }

    /// Whether a row holds no value.
    @inline(__always)
    func isNull(_ row: Row, _ block: UnsafeMutableRawPointer) -> Bool {
        isOptional && !block.isValid(at: row.offset)
    }

    /// Bits in the order of the values, or of what they begin with.
    @inline(__always)
    func key(_ row: Row, _ block: UnsafeMutableRawPointer) -> UInt64 {
        let offset = row.offset
        return switch kind {
        case .boolean: block.elements(of: Bool.self)[offset] ? 1 : 0
        case .integer: block.elements(of: Int64.self)[offset].orderedBits
        case .double: block.elements(of: Double.self)[offset].orderedBits
        // The order of decimal numbers is known to nobody but their type, and blobs are not indexed.
        case .decimal, .blob: 0
        case .string: block.elements(of: String.self)[offset].orderedPrefix
        case .uuid: block.elements(of: UUID.self)[offset].orderedPrefix
        case .data: block.elements(of: Data.self)[offset].orderedPrefix
        case .reference: UInt64(UInt32(bitPattern: block.elements(of: Int32.self)[offset]))
        }
    }

    /// What a row holds, whatever its type.
    func datum(_ row: Row, _ block: UnsafeMutableRawPointer) -> Datum {
        let offset = row.offset
        return switch kind {
        case .boolean: .boolean(block.elements(of: Bool.self)[offset])
        case .integer: .integer(block.elements(of: Int64.self)[offset])
        case .double: .double(block.elements(of: Double.self)[offset])
        case .decimal: .decimal(block.elements(of: Decimal.self)[offset])
        case .string: .string(block.elements(of: String.self)[offset])
        case .uuid: .uuid(block.elements(of: UUID.self)[offset])
        case .data: .data(block.elements(of: Data.self)[offset])
        case .blob, .reference: .null
        }
    }

    /// How the values of two rows compare: negative if the first comes first.
    func order(
        _ first: Row, _ left: UnsafeMutableRawPointer, _ second: Row,
        _ right: UnsafeMutableRawPointer
    ) -> Int {
        switch (isNull(first, left), isNull(second, right)) {
        case (true, true): return 0
        case (true, false): return -1
        case (false, true): return 1
        case (false, false): break
        }
        let (a, b) = (first.offset, second.offset)
        switch kind {
        case .decimal:
            return left.elements(of: Decimal.self)[a].order(to: right.elements(of: Decimal.self)[b])
        case .string:
            return left.elements(of: String.self)[a]
                .canonicalOrder(to: right.elements(of: String.self)[b])
        case .uuid:
            return left.elements(of: UUID.self)[a].order(to: right.elements(of: UUID.self)[b])
        case .data:
            return left.elements(of: Data.self)[a].order(to: right.elements(of: Data.self)[b])
        case .blob: return 0
        case .boolean, .integer, .double, .reference:
            let (first, second) = (key(first, left), key(second, right))
            return first < second ? -1 : first == second ? 0 : 1
        }
    }
}

/// An ordered index of a table: its columns, the most significant first.
///
/// The group of an entry says whether the first column holds a value; the key is that value's.
///
/// A spatial index has two columns, a latitude and a longitude. Its key tells where both lead; rows that lead to no point
/// of the Earth are in the group of those that hold no value.
struct OrderedIndexLayout: Sendable {
    let columns: [IndexedColumn]
    /// Whether the rows are in the order of the points to which two columns lead.
    let isSpatial: Bool
    /// Whether only rows are there for which the first column is true.
    let isPartial: Bool
    /// Whether group and key say all but the row.
    let isExact: Bool

    init(columns: [IndexedColumn], isSpatial: Bool = false, isPartial: Bool = false) {
        self.columns = columns
        self.isSpatial = isSpatial
        self.isPartial = isPartial
        isExact = isSpatial || columns.count == 1 && columns[0].isExact
    }

    /// The group of rows that hold no value in the first column.
    static var nulls: Int32 { 0 }
    /// The group of rows that hold one.
    static var values: Int32 { 1 }

    /// Whether a row belongs into the index.
    func has(_ row: Row, block: (Row, Slot) -> UnsafeMutableRawPointer) -> Bool {
        guard isPartial else { return true }
        let values = block(row, columns[0].column)
        return values.isValid(at: row.offset) && values.elements(of: Bool.self)[row.offset]
    }

    /// The entry of a row; `block` tells the block of a row's chunk in a column.
    @inline(__always)
    func entry(_ row: Row, block: (Row, Slot) -> UnsafeMutableRawPointer) -> OrderedEntry {
        if isSpatial { return spatialEntry(row, block: block) }
        let first = columns[0]
        let values = block(row, first.column)
        guard !first.isNull(row, values) else {
            return OrderedEntry(group: Self.nulls, row: row, key: 0)
        }
        return OrderedEntry(group: Self.values, row: row, key: first.key(row, values))
    }

    private func spatialEntry(
        _ row: Row, block: (Row, Slot) -> UnsafeMutableRawPointer
    ) -> OrderedEntry {
        func degrees(_ column: IndexedColumn) -> Double {
            let values = block(row, column.column)
            return column.isNull(row, values)
                ? .nan : values.elements(of: Double.self)[row.offset]
        }
        let point = Coordinate(latitude: degrees(columns[0]), longitude: degrees(columns[1]))
        guard let key = SpatialCode(point)?.bits else {
            return OrderedEntry(group: Self.nulls, row: row, key: 0)
        }
        return OrderedEntry(group: Self.values, row: row, key: key)
    }

    /// How two rows of the same group and key compare.
    @inline(__always)
    func order(
        _ first: Row, _ second: Row, block: (Row, Slot) -> UnsafeMutableRawPointer
    ) -> Int {
        if isSpatial { return 0 }
        for column in columns {
            let order = column.order(
                first, block(first, column.column), second, block(second, column.column))
            if order != 0 { return order }
        }
        return 0
    }
}
