import PlacesBase

/// What an object in files says of a `Whole`: a key for each value, in the order in which they are written, and where
/// that belongs.
///
/// Readers and writers of every format follow it.
struct FileFields<Whole>: Sendable {
    private let fields: [FileField<Whole>]
    private let table: JSONKeyTable

    init(_ fields: [FileField<Whole>]) {
        self.fields = fields
        table = JSONKeyTable(fields.map(\.key))
    }

    /// Reads an object, and passes keys that a later version may have written.
    func read(
        into whole: inout Whole, from file: inout (some SnapshotInput & ~Copyable)
    ) throws {
        try file.beginOrderedObject()
        while let index = try file.nextKnownKey(in: table) {
            try fields[index].access.read(into: &whole, from: &file)
        }
    }

    /// Writes an object, without what says nothing.
    func write(_ whole: Whole, to file: inout some SnapshotOutput) {
        file.beginObject()
        for (index, field) in fields.enumerated() where !field.access.isBlank(in: whole) {
            file.writeKey(index, in: table)
            field.access.write(whole, to: &file)
        }
        file.endObject()
    }
}

/// One value of an object in files.
struct FileField<Whole>: Sendable {
    let key: String
    let access: any FieldAccess<Whole>
}

extension FileField {
    /// The value behind a key path.
    init<Value: FileValue>(
        _ key: String, _ path: any WritableKeyPath<Whole, Value> & Sendable
    ) {
        self.init(key: key, access: ValueAccess(path: path))
    }
}

/// How a value of an object in files is read and written.
protocol FieldAccess<Whole>: Sendable {
    associatedtype Whole
    func isBlank(in whole: Whole) -> Bool
    func read(
        into whole: inout Whole, from file: inout (some SnapshotInput & ~Copyable)) throws
    func write(_ whole: Whole, to file: inout some SnapshotOutput)
}

private struct ValueAccess<Whole, Value: FileValue>: FieldAccess {
    let path: any WritableKeyPath<Whole, Value> & Sendable

    func isBlank(in whole: Whole) -> Bool { whole[keyPath: path].isBlank }

    func read(
        into whole: inout Whole, from file: inout (some SnapshotInput & ~Copyable)
    ) throws {
        whole[keyPath: path] = try Value.read(from: &file)
    }

    func write(_ whole: Whole, to file: inout some SnapshotOutput) {
        whole[keyPath: path].write(to: &file)
    }
}
