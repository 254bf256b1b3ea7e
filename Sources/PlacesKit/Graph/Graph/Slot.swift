/// The number of a column within its table: first come those of the properties.
@usableFromInline
struct Slot: Ordinal {
    @usableFromInline let rawValue: Int32

    @inlinable @inline(__always)
    init(rawValue: Int32) { self.rawValue = rawValue }

    /// Where an edge holds the rows that it joins.
    static var firstEnd: Slot { Slot(0) }
    static var secondEnd: Slot { Slot(1) }
}

extension Array {
    /// The slots, where something is kept for each.
    var slots: Range<Slot> { Slot(0)..<Slot(count) }
}
