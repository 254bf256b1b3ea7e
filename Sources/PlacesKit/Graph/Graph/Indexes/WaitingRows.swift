/// Which rows of a transaction are not in its indexes yet: it costs less to enter several at once, and those that
/// have got their values.
///
/// Looking at the graph ends the wait, so no write does that halfway.
///
/// - Invariant: When somebody looks at the graph, no row waits.
struct WaitingRows {
    /// Whether rows wait to be entered into the indexes of unique attributes; they lie in the tables' accesses.
    var hasEntries = false
    /// The row that was inserted last, if it waits to be entered into the other indexes of its table:
    /// most likely it gets its values first, and need not be moved there for each.
    var newcomer: (row: Row, table: TableNumber) = (Row.none, TableNumber(0))

    /// Whether no row waits.
    @inline(__always)
    var isEmpty: Bool { !hasEntries && newcomer.row == .none }

    /// Whether a row is still to be entered into the indexes of its table.
    @inline(__always)
    func contains(_ row: Row, in table: TableNumber) -> Bool {
        newcomer.row == row && newcomer.table == table
    }
}
