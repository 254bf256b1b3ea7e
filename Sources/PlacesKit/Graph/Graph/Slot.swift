/// The number of a column within its table: first come those of the properties.
@usableFromInline
struct Slot: RawRepresentable, Hashable, Comparable, BitwiseCopyable, Sendable {
    @usableFromInline let rawValue: Int32

    @inlinable @inline(__always)
    init(rawValue: Int32) { self.rawValue = rawValue }

    @inlinable @inline(__always)
    init(_ index: Int) { rawValue = Int32(truncatingIfNeeded: index) }

    /// Where an edge holds the rows that it joins.
    static var firstEnd: Slot { Slot(0) }
    static var secondEnd: Slot { Slot(1) }

    @inlinable @inline(__always)
    var index: Int { Int(rawValue) }

    @inlinable @inline(__always)
    static func == (first: Slot, second: Slot) -> Bool { first.rawValue == second.rawValue }

    @inlinable @inline(__always)
    static func < (first: Slot, second: Slot) -> Bool { first.rawValue < second.rawValue }
}

extension Slot: Strideable {
    @usableFromInline
    func distance(to other: Slot) -> Int { other.index &- index }

    @usableFromInline
    func advanced(by distance: Int) -> Slot { Slot(index &+ distance) }
}

extension Slot: CustomStringConvertible {
    @usableFromInline var description: String { rawValue.description }
}

extension Array {
    /// What is kept for a column, where something is for each.
    subscript(slot: Slot) -> Element {
        @inline(__always) get { self[slot.index] }
        @inline(__always) _modify { yield &self[slot.index] }
    }

    /// The columns for which something is kept.
    var slots: Range<Slot> { Slot(0)..<Slot(count) }
}

extension UnsafeMutablePointer {
    /// What is kept for a column, where something is for each.
    subscript(slot: Slot) -> Pointee {
        @inline(__always) _read { yield self[slot.index] }
        @inline(__always) nonmutating _modify { yield &self[slot.index] }
    }
}
