/// The number of a column within its table: first come those of the properties.
@usableFromInline
struct Slot: Ordinal {
    @usableFromInline let rawValue: Int32

    @inlinable @inline(__always)
    init(rawValue: Int32) { self.rawValue = rawValue }

    /// Where an edge holds the rows that it joins.
    static var firstEnd: Slot { Slot(0) }
    static var secondEnd: Slot { Slot(1) }

    /// The slots of so many parts of a composite attribute, of which this is the first.
    func parts(_ count: Int) -> [Slot] { (0..<Int32(count)).map { Slot(rawValue: rawValue + $0) } }
}

extension Array {
    /// The slots, where something is kept for each.
    var slots: Range<Slot> { Slot(0)..<Slot(count) }
}
