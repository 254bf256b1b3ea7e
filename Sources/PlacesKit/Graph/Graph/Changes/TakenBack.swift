/// Writes that an undo took back although others wrote the same: there it is to be as they saved it.
struct TakenBack {
    /// Rows that others deleted.
    var rows: Set<RowAddress> = []
    /// Properties of rows that are there.
    var properties: Set<ChangeSet.Conflict> = []
}
