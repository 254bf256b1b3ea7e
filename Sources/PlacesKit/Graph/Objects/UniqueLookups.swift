/// What the key paths mean that a context was asked to look up by: few, and the same again and again.
struct UniqueLookups {
    private typealias Entry = (
        keyPath: ObjectIdentifier, table: Unmanaged<ObjectTable>, slot: Slot
    )

    private var entries: ContiguousArray<Entry> = []
    /// Keeps the addresses of the key paths their own.
    private var keyPaths: [AnyKeyPath] = []
    /// More are not looked through in less time than it takes to ask anew.
    private static let capacity = 16

    /// The tables that are remembered.
    var tables: [Unmanaged<ObjectTable>] { entries.map(\.table) }

    /// The table and the slot that a key path leads to, if they are remembered.
    subscript(keyPath: AnyKeyPath) -> (table: Unmanaged<ObjectTable>, slot: Slot)? {
        let identifier = ObjectIdentifier(keyPath)
        for entry in entries where entry.keyPath == identifier { return (entry.table, entry.slot) }
        return nil
    }

    /// Remembers what a key path leads to; the table must outlive this value.
    mutating func remember(_ keyPath: AnyKeyPath, _ table: ObjectTable, _ slot: Slot) {
        guard entries.count < Self.capacity else { return }
        entries.append((ObjectIdentifier(keyPath), .passUnretained(table), slot))
        keyPaths.append(keyPath)
    }
}
