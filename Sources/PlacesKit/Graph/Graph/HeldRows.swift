/// Keeps the rows of objects that some changes inserted or deleted from being used again, as long as there is
/// something that takes the changes back.
final class HeldRows: Sendable {
    private let addresses: ContiguousArray<RowAddress>
    private let rows: RowAllocator

    /// About how many bytes a row takes that is held, the allocator's share included.
    static let stride = 64

    /// Those of a change; `nil` where it inserts and deletes nothing.
    init?(_ changes: ChangeSet, of rows: RowAllocator) {
        var addresses: ContiguousArray<RowAddress> = []
        for table in changes.tables.tableNumbers {
            let changes = changes.tables[table]
            for row in changes.inserted + changes.deleted {
                addresses.append(RowAddress(table: table, row: row))
            }
        }
        guard !addresses.isEmpty else { return nil }
        self.addresses = addresses
        self.rows = rows
        for address in addresses { rows.hold(address) }
    }

    deinit {
        for address in addresses { rows.release(address) }
    }
}
