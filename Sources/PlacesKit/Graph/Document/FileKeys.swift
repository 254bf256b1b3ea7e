import PlacesBase

/// A key of an object in a file; an enumeration has all that objects of one kind may have, in the order in which they
/// are written.
protocol FileKey: CaseIterable, Equatable, RawRepresentable<String>, Sendable {}

/// The keys of objects of one kind, spelled out once.
struct FileKeys<Key: FileKey>: Sendable {
    /// The keys, in their order.
    let all = Array(Key.allCases)
    fileprivate let table = JSONKeyTable(Key.allCases.map(\.rawValue))
}

extension SnapshotInput where Self: ~Copyable {
    /// Moves to the object's next key that is one of some and to its value, which has to be read then, and passes the
    /// others, which a later version may have written; nil leaves the object.
    mutating func nextKey<Key>(in keys: FileKeys<Key>) throws(JSONError) -> Key? {
        guard let index = try nextKnownKey(in: keys.table) else { return nil }
        return keys.all[index]
    }

    /// Moves to the object's next key that a table has, and passes the others; nil leaves the object.
    mutating func nextKnownKey(in table: JSONKeyTable) throws(JSONError) -> Int? {
        while let key = try nextKey(in: table) {
            if case .known(let index) = key { return index }
            try skipValue()
        }
        return nil
    }

    /// Moves to the object's next key, which must be what is expected, one that a table has; nil leaves the object.
    mutating func nextKey(
        in table: JSONKeyTable, expecting name: String
    ) throws(JSONError) -> Int? {
        guard let key = try nextKey(in: table) else { return nil }
        guard case .known(let index) = key else {
            throw expected(name)
        }
        return index
    }
}

extension SnapshotOutput {
    /// Writes a key, whose value has to follow.
    mutating func writeKey(_ key: some FileKey) { writeKey(key.rawValue) }

    /// Writes a number for a key.
    mutating func write(_ value: Int64, for key: some FileKey) {
        writeKey(key)
        write(value)
    }

    /// Writes a text for a key.
    mutating func write(_ value: String, for key: some FileKey) {
        writeKey(key)
        write(value)
    }

    /// Writes a truth value for a key.
    mutating func write(_ value: Bool, for key: some FileKey) {
        writeKey(key)
        write(value)
    }
}
