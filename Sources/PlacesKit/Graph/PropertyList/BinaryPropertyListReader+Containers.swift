import PlacesBase

extension BinaryPropertyListReader {
    /// Enters a dictionary; its keys follow.
    mutating func beginObject() throws(JSONError) {
        guard bytes[offset] & 0xF0 == 0xD0 else { throw try mismatch(expected: .object) }
        let (start, count) = try elements(at: offset, size: 2 * referenceSize)
        try enter(Container(keys: start, values: start + count * referenceSize, count: count))
    }

    /// Enters a dictionary whose keys come in the order of the table that they are asked by.
    mutating func beginOrderedObject() throws(JSONError) {
        try beginObject()
        containers[containers.count - 1].ordersAllKeys = true
    }

    /// Enters an array; its elements follow.
    mutating func beginArray() throws(JSONError) {
        guard bytes[offset] & 0xF0 == 0xA0 else { throw try mismatch(expected: .array) }
        let (start, count) = try elements(at: offset, size: referenceSize)
        try enter(Container(keys: start, values: start, count: count))
    }

    private mutating func enter(_ container: Container) throws(JSONError) {
        guard containers.count < JSONReader.nestingLimit else {
            throw failure(.nestingTooDeep(limit: JSONReader.nestingLimit))
        }
        containers.append(container)
    }

    /// Moves to the next element of the array, which has to be read then; false leaves the array.
    mutating func nextElement() throws(JSONError) -> Bool {
        guard let position = try nextPosition() else { return false }
        offset = try follow(containers[containers.count - 1].values, position)
        return true
    }

    /// The position of the innermost container's next entry; nil leaves the container.
    @inline(__always)
    private mutating func nextPosition() throws(JSONError) -> Int? {
        let last = containers.count - 1
        guard last >= 0 else { return nil }
        let position = containers[last].position
        guard position < containers[last].count else {
            containers.removeLast()
            return nil
        }
        containers[last].position = position + 1
        try countElement()
        return position
    }

    /// Moves to the next key of the dictionary and its value, which has to be read then; nil leaves the
    /// dictionary.
    ///
    /// The first key of the table comes first if it is there, since writers of property lists may order
    /// dictionaries as they like.
    mutating func nextKey(in table: JSONKeyTable) throws(JSONError) -> JSONKey? {
        guard var position = try nextPosition() else { return nil }
        let last = containers.count - 1
        if position == 0 { try order(last, by: table) }
        if let order = containers[last].order { position = order[position] }
        let key = try follow(containers[last].keys, position)
        offset = try follow(containers[last].values, position)
        return try self.key(at: key, in: table)
    }

    private mutating func order(_ container: Int, by table: JSONKeyTable) throws(JSONError) {
        let (keys, count) = (containers[container].keys, containers[container].count)
        if !containers[container].ordersAllKeys,
            try key(at: try follow(keys, 0), in: table) == .known(0)
        {
            return
        }
        var ranks: [(rank: Int, position: Int)] = []
        for position in 0..<count {
            switch try key(at: try follow(keys, position), in: table) {
            case .known(let index): ranks.append((index, position))
            case .unknown: ranks.append((.max, position))
            }
        }
        containers[container].order = ranks.sorted { $0 < $1 }.map(\.position)
    }

    private mutating func key(
        at offset: Int, in table: JSONKeyTable
    ) throws(JSONError) -> JSONKey {
        if bytes[offset] & 0xF0 == 0x50 {
            let (start, count) = try elements(at: offset, size: 1)
            let text = UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
            if let index = table.index(of: text, startingWith: expectedKey) {
                expectedKey = index + 1
                return .known(index)
            }
        }
        let name = try string(at: offset)
        guard let index = table.index(of: name) else { return .unknown(name) }
        return .known(index)
    }

    /// Passes the next value.
    func skipValue() throws(JSONError) { _ = try peekKind() }
}
