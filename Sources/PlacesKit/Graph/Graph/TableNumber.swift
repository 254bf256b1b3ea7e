/// The number of a table within its graph.
struct TableNumber: RawRepresentable, Hashable, Comparable, BitwiseCopyable, Sendable {
    let rawValue: Int32

    @inline(__always)
    init(rawValue: Int32) { self.rawValue = rawValue }

    @inline(__always)
    init(_ index: Int) { rawValue = Int32(truncatingIfNeeded: index) }

    @inline(__always)
    var index: Int { Int(rawValue) }

    @inline(__always)
    static func == (first: TableNumber, second: TableNumber) -> Bool {
        first.rawValue == second.rawValue
    }

    @inline(__always)
    static func < (first: TableNumber, second: TableNumber) -> Bool {
        first.rawValue < second.rawValue
    }
}

extension TableNumber: Strideable {
    func distance(to other: TableNumber) -> Int { other.index &- index }
    func advanced(by distance: Int) -> TableNumber { TableNumber(index &+ distance) }
}

extension TableNumber: CustomStringConvertible {
    var description: String { rawValue.description }
}

extension Array {
    /// What is kept for a table, where something is for each.
    subscript(table: TableNumber) -> Element {
        @inline(__always) get { self[table.index] }
        @inline(__always) _modify { yield &self[table.index] }
    }

    /// The tables for which something is kept.
    var tableNumbers: Range<TableNumber> { TableNumber(0)..<TableNumber(count) }
}

extension UnsafeMutablePointer {
    /// What is kept for a table, where something is for each.
    subscript(table: TableNumber) -> Pointee {
        @inline(__always) _read { yield self[table.index] }
        @inline(__always) nonmutating _modify { yield &self[table.index] }
    }
}
