/// The number of an object within its table, or of an edge within the hidden table of a
/// many-to-many relationship.
///
/// A column of links holds rows, too: those that the links lead to.
@usableFromInline
struct Row: Ordinal {
    @usableFromInline let rawValue: Int32

    @inlinable @inline(__always)
    init(rawValue: Int32) { self.rawValue = rawValue }

    /// A row of a chunk.
    @inline(__always)
    init(chunk: Int, offset: Int) { self.init(chunk &<< ChunkLayout.shift &+ offset) }

    /// The row of a number that comes from elsewhere; `nil` where no row can have it.
    init?(exactly number: Int64) {
        guard let rawValue = Int32(exactly: number), rawValue >= 0 else { return nil }
        self.rawValue = rawValue
    }

    /// What a link holds that leads nowhere.
    @inlinable static var none: Row { Row(rawValue: -1) }

    /// What comes before every row in an order, and what comes after.
    static var min: Row { Row(rawValue: .min) }
    static var max: Row { Row(rawValue: .max) }

    @inlinable @inline(__always)
    var isNone: Bool { rawValue < 0 }

    /// The number of the chunk that the row lies in.
    @inlinable @inline(__always)
    var chunk: Int { index &>> ChunkLayout.shift }

    /// Where the row lies in its chunk.
    @inlinable @inline(__always)
    var offset: Int { index & ChunkLayout.mask }
}

extension Row: ColumnElement {
    @inlinable static var unset: Row { none }
}
