/// Keeps the rows of objects that some changes inserted or deleted from being used again, as long as there is
/// something that takes the changes back, or makes them again.
final class HeldRows: Sendable {
    private let addresses: ContiguousArray<RowAddress>
    private let rows: RowAllocator

    /// About how many bytes a row takes that is held, the allocator's share included.
    static let stride = 64

    /// Those of a change; `nil` where it inserts and deletes nothing.
    convenience init?(_ changes: ChangeSet, of rows: RowAllocator) {
        self.init(changes.rows { $0.inserted + $0.deleted }, of: rows)
    }

    /// Those that a change deletes; `nil` where it deletes nothing.
    convenience init?(deletedBy changes: ChangeSet, of rows: RowAllocator) {
        self.init(changes.rows(\.deleted), of: rows)
    }

    private init?(_ addresses: ContiguousArray<RowAddress>, of rows: RowAllocator) {
        guard !addresses.isEmpty else { return nil }
        self.addresses = addresses
        self.rows = rows
        for address in addresses { rows.hold(address) }
    }

    deinit {
        for address in addresses { rows.release(address) }
    }
}
