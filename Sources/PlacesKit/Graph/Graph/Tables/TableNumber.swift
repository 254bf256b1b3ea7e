/// The number of a table within its graph.
struct TableNumber: Ordinal {
    let rawValue: Int32
}

extension Array {
    /// The tables, where something is kept for each.
    var tableNumbers: Range<TableNumber> { TableNumber(0)..<TableNumber(count) }
}
