/// The rows of one entity, or the edges of one many-to-many relationship.
struct Table: Sendable {
    /// The columns, laid out as the table's `TableLayout` says.
    var columns: [Column]
    /// The indexes of the unique attributes, then those of the unique combinations.
    var uniqueIndexes: [HashIndex]
    /// The indexes that keep the rows in order.
    var orderedIndexes: [OrderedIndex]
    /// The indexes of the words of text.
    var wordIndexes: [OrderedIndex]
    /// The indexes of what derived attributes are made of: the members' values, a group for each row.
    var memberIndexes: [OrderedIndex]
    /// The positions of the rows in the ordered lists that they are members of.
    var listOrders: [OrderedIndex]
    /// The number of rows that exist.
    var count = 0
    /// One more than the highest row that ever existed here.
    var upperBound = 0
    /// The numbers by which the rows are known outside; the same as long as a store is open that nobody else
    /// writes.
    var numbers = RowNumbers()
    /// The highest generation of a row that ever existed here.
    var highestGeneration: Int32 = 0
    /// The first of the edges that may be used again, chained by their first column.
    var firstFreeEdge = Row.none

    /// The rows that ever existed here.
    var rows: Range<Row> { Row(0)..<Row(upperBound) }

    init(_ layout: TableLayout) {
        columns = layout.columns
        uniqueIndexes = (0..<layout.uniqueIndexCount).map { _ in HashIndex() }
        orderedIndexes = layout.orderedIndexes.map { _ in OrderedIndex() }
        wordIndexes = layout.wordIndexes.map { _ in OrderedIndex() }
        memberIndexes = (0..<layout.memberIndexCount).map { _ in OrderedIndex() }
        listOrders = (0..<layout.listOrderCount).map { _ in OrderedIndex() }
    }

    /// Counts a row that came into existence.
    mutating func noteRow(_ row: Row) { noteRows(1, below: row.index + 1) }

    /// Counts rows that came into existence.
    mutating func noteRows(_ count: Int, below bound: Int) {
        self.count += count
        upperBound = max(upperBound, bound)
    }

    /// A number that no row here, nor any before, has had or has; `nil` where none is left.
    var nextNumber: Int64? {
        if let next = numbers.nextElsewhere { return next }
        // Whoever opens a shared document gives out numbers that are new anyway.
        if numbers.isShared { return nil }
        guard highestGeneration > 0 else {
            return upperBound < Int(Int32.max) ? numbers.number(of: Row(upperBound)) : nil
        }
        guard highestGeneration < numbers.highestGeneration else { return nil }
        return numbers.number(of: Row(0), generation: highestGeneration + 1)
    }

    /// The number of chunks that hold rows.
    var chunkCount: Int { (upperBound + ChunkLayout.mask) >> ChunkLayout.shift }
}
