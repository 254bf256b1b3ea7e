/// A link whose other end may not have been read yet.
struct SnapshotLink: Sendable {
    var table: TableNumber
    var row: Row
    var slot: Slot
    var target: Int64
    /// Where the number stands.
    var offset: Int
}
