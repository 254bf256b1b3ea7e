/// The rows that a rule of a subclass is about: those of some kinds, in a table that has others too.
struct RowKinds: BitwiseCopyable {
    /// The column of the rows' kinds.
    let column: Slot
    private let first: Int32
    private let end: Int32

    /// The rows that are objects of an entity or its heirs; `nil` where all of its table are.
    init?(of entity: EntityLayout, in table: TableLayout) {
        guard !entity.isWholeTable, let column = table.kinds else { return nil }
        self.column = column
        (first, end) = (entity.kinds.lowerBound, entity.kinds.upperBound)
    }

    /// The kind of the objects of the entity itself.
    var kind: Int { Int(first) }

    /// Whether a row is one of them; `block` is that of its chunk in the column of kinds.
    @inline(__always)
    func contains(_ row: Row, _ block: UnsafeMutableRawPointer) -> Bool {
        let kind = block.elements(of: Int32.self)[row.offset]
        return kind >= first && kind < end
    }
}
