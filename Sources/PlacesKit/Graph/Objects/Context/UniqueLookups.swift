/// What the key paths mean that a context was asked to look up by: few, and the same again and again.
struct UniqueLookups {
    private var entries:
        ContiguousArray<
            (keyPath: ObjectIdentifier, type: ObjectIdentifier, lookup: UniqueLookup)
        > = []
    /// Keeps the addresses of the key paths their own.
    private var keyPaths: [AnyKeyPath] = []
    /// More are not looked through in less time than it takes to ask anew.
    private static let capacity = 16

    /// The tables that are remembered.
    var tables: [Unmanaged<ObjectTable>] { entries.map(\.lookup.table) }

    /// The unique attribute of a class that a key path leads to, if it is remembered.
    ///
    /// One key path is that of several classes where the class is a value.
    subscript(type: ManagedObject.Type, keyPath: AnyKeyPath) -> UniqueLookup? {
        let (type, keyPath) = (ObjectIdentifier(type), ObjectIdentifier(keyPath))
        // By address, for the entries are not to be counted as used.
        return entries.withUnsafeBufferPointer { entries in
            for entry in entries where entry.keyPath == keyPath && entry.type == type {
                return entry.lookup
            }
            return nil
        }
    }

    /// Remembers what a key path leads to; its table must outlive this value.
    mutating func remember(
        _ type: ManagedObject.Type, _ keyPath: AnyKeyPath, _ lookup: UniqueLookup
    ) {
        guard entries.count < Self.capacity else { return }
        entries.append((ObjectIdentifier(keyPath), ObjectIdentifier(type), lookup))
        keyPaths.append(keyPath)
    }
}
