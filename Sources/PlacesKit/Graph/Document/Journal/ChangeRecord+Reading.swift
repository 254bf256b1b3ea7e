import PlacesBase

/// The parts of a commit's line, for `ChangeRecord`.
extension JSONReader {
    /// Reads objects, in their order, and their values if these are wanted, which take most of the time; of one that nothing
    /// is said of it reads only the number.
    mutating func readObjects(keepsValues: Bool) throws -> [ChangeRecord.Object] {
        var objects: [ChangeRecord.Object] = []
        try beginObject()
        while let entity = try nextKey() {
            try beginArray()
            while try nextElement() {
                var (number, values): (Int64, [String: JSONValue]) = (0, [:])
                let isObject = try peekKind() == .object
                if isObject { try beginObject() } else { number = try readInt64() }
                while isObject, let key = try nextKey() {
                    if key == SnapshotKeys.identifier {
                        number = try readInt64()
                    } else if keepsValues {
                        values[SnapshotKeys.property(of: key)] = try readJSONValue()
                    } else {
                        try skipValue()
                    }
                }
                objects.append(
                    ChangeRecord.Object(
                        id: ObjectID(entity: entity, number: number), values: values))
            }
        }
        return objects
    }

    mutating func readLinks() throws -> [ChangeRecord.Link] {
        try readEntries(of: \.relationship) { json, relationship in
            ChangeRecord.Link(
                relationship: relationship, owner: try json.readInt64(),
                member: try json.readNext { try $0.readInt64() })
        }
    }

    mutating func readMoves() throws -> [ChangeRecord.Move] {
        try readEntries(of: \.relationship) { json, relationship in
            ChangeRecord.Move(
                relationship: relationship, owner: try json.readInt64(),
                member: try json.readNext { try $0.readInt64() },
                predecessor: try json.readNext { json in
                    try json.readNullIfPresent() ? nil : try json.readInt64()
                })
        }
    }

    mutating func readOrders() throws -> [ChangeRecord.Order] {
        try readEntries(of: \.relationship) { json, relationship in
            ChangeRecord.Order(
                relationship: relationship, owner: try json.readInt64(),
                members: try json.readNext { try $0.readList { try $0.readInt64() } })
        }
    }

    /// Reads the entries of each relationship, which are arrays of a fixed length.
    private mutating func readEntries<Entry>(
        of key: KeyPath<Entry, String>,
        _ read: (inout JSONReader, String) throws -> Entry
    ) throws -> [Entry] {
        var entries: [Entry] = []
        try beginObject()
        while let relationship = try nextKey() {
            try beginArray()
            while try nextElement() {
                try beginArray()
                guard try nextElement() else { throw failure(.invalidValue(expected: "a number")) }
                entries.append(try read(&self, relationship))
                guard try !nextElement() else {
                    throw failure(.invalidValue(expected: "the end of the list"))
                }
            }
        }
        return entries.inOrder(of: key)
    }

    /// Reads the element that follows in an array.
    private mutating func readNext<Value>(
        _ read: (inout JSONReader) throws -> Value
    ) throws -> Value {
        guard try nextElement() else { throw failure(.invalidValue(expected: "one value more")) }
        return try read(&self)
    }
}

extension Array {
    /// The elements in the order of a name, those of one name as they are.
    func inOrder(of name: KeyPath<Element, String>) -> [Element] {
        Dictionary(grouping: self) { $0[keyPath: name] }.sorted { $0.key < $1.key }
            .flatMap(\.value)
    }
}
