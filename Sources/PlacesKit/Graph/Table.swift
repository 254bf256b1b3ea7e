/// The rows of one entity, or the edges of one many-to-many relationship.
struct Table: Sendable {
    /// The columns, laid out as the table's `TableLayout` says.
    var columns: [Column]
    /// The indexes of the unique attributes.
    var uniqueIndexes: [HashIndex]
    /// The places of the rows in the ordered lists that they are members of.
    var listOrders: [OrderedIndex]
    /// The number of rows that exist.
    var count = 0
    /// One more than the highest row that ever existed here.
    var upperBound = 0
    /// The first of the edges that may be used again, chained by their first column.
    var firstFreeEdge = noRow

    init(_ layout: TableLayout) {
        columns = layout.columns
        listOrders = Array(repeating: OrderedIndex(), count: layout.listOrderCount)
        uniqueIndexes = layout.uniqueSlots.map { _ in HashIndex() }
    }

    /// The number of chunks that hold rows.
    var chunkCount: Int { (upperBound + ChunkLayout.mask) >> ChunkLayout.shift }
}
