/// What the key paths mean that a context was asked to look up by: few, and the same again and again.
struct UniqueLookups {
    private typealias Entry = (
        keyPath: ObjectIdentifier, table: Unmanaged<ObjectTable>, slot: Int
    )

    private var entries: ContiguousArray<Entry> = []
    /// Keeps the addresses of the key paths their own.
    private var keyPaths: [AnyKeyPath] = []
    /// More are not looked through in less time than it takes to ask anew.
    private static let capacity = 16

    /// The table and the slot that a key path leads to, remembered or found by `body`.
    ///
    /// The tables must outlive this value.
    mutating func lookup(
        _ keyPath: AnyKeyPath,
        _ body: () throws(ContextError) -> (table: ObjectTable, slot: Int)
    ) throws(ContextError) -> (table: Unmanaged<ObjectTable>, slot: Int) {
        let identifier = ObjectIdentifier(keyPath)
        for entry in entries where entry.keyPath == identifier { return (entry.table, entry.slot) }
        let (table, slot) = try body()
        if entries.count < Self.capacity {
            entries.append((identifier, .passUnretained(table), slot))
            keyPaths.append(keyPath)
        }
        return (.passUnretained(table), slot)
    }
}
