import PlacesBase

extension XMLPropertyListReader {
    /// Enters a dictionary; its keys follow.
    mutating func beginObject() throws(JSONError) { try enter("dict") }

    /// Enters a dictionary whose keys come in the order of the table that they are asked by.
    mutating func beginOrderedObject() throws(JSONError) {
        try enter("dict")
        containers[containers.count - 1].ordersAllKeys = true
    }

    /// Enters an array; its elements follow.
    mutating func beginArray() throws(JSONError) { try enter("array") }

    private mutating func enter(_ name: StaticString) throws(JSONError) {
        guard let tag = try passStartTag(name) else { throw unexpected("<\(name)>") }
        guard containers.count < JSONReader.nestingLimit else {
            throw failure(.nestingTooDeep(limit: JSONReader.nestingLimit))
        }
        containers.append(Container(isEmpty: tag.isEmpty))
    }

    /// Moves to the next element of the array, which has to be read then; false leaves the array.
    mutating func nextElement() throws(JSONError) -> Bool {
        guard let array = containers.last else { return false }
        if !array.isEmpty {
            try passMisc()
            guard try passEndTagIfPresent("array") else { return true }
        }
        containers.removeLast()
        return false
    }

    /// Moves to the next key of the dictionary and its value, which has to be read then; nil leaves the
    /// dictionary.
    ///
    /// The first key of the table comes first if it is there, since other writers sort them, unless the
    /// order is kept.
    mutating func nextKey(in table: JSONKeyTable) throws(JSONError) -> JSONKey? {
        let last = containers.count - 1
        guard last >= 0 else { return nil }
        if !containers[last].isEmpty {
            if containers[last].isAtStart { try order(last, by: table) }
            if containers[last].order != nil {
                offset =
                    containers[last].order?.keys.popLast() ?? containers[last].order?.end ?? offset
            }
            if let name = try readKeyIfPresent() {
                return table.index(of: name).map(JSONKey.known) ?? .unknown(name)
            }
        }
        containers.removeLast()
        return nil
    }

    private mutating func order(_ container: Int, by table: JSONKeyTable) throws(JSONError) {
        containers[container].isAtStart = false
        guard !keepsOrder else { return }
        let start = offset
        var keys: [(rank: Int, offset: Int)] = []
        var keyOffset = start
        while let name = try readKeyIfPresent() {
            let rank = table.index(of: name) ?? .max
            if keys.isEmpty, rank == 0, !containers[container].ordersAllKeys {
                offset = start
                return
            }
            keys.append((rank, keyOffset))
            try skipValue()
            keyOffset = offset
        }
        containers[container].order = (keys.sorted { $0 > $1 }.map(\.offset), keyOffset)
        offset = start
    }

    /// Reads a key; nil if the dictionary ends here, whose end is passed then.
    private mutating func readKeyIfPresent() throws(JSONError) -> String? {
        try passMisc()
        if try passEndTagIfPresent("dict") { return nil }
        guard let tag = try passStartTag("key") else { throw unexpected("<key> or </dict>") }
        return tag.isEmpty ? "" : try readText(upTo: "key")
    }

    /// Passes the next value, whatever it is.
    mutating func skipValue() throws(JSONError) {
        var depth = 0
        repeat {
            try passMisc()
            guard offset < bytes.count, bytes[offset] == UInt8(ascii: "<") else {
                throw unexpected("an element")
            }
            let isEnd = stands("</")
            guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: ">")) else {
                throw failure(.unexpectedEnd(expected: "'>'"))
            }
            let isEmpty = bytes[end - 1] == UInt8(ascii: "/")
            let isContainer = stands("<dict") || stands("<array")
            if isEnd {
                offset = end + 1
                depth -= 1
            } else if isEmpty || isContainer {
                offset = end + 1
                if !isEmpty { depth += 1 }
                guard depth < JSONReader.nestingLimit else {
                    throw failure(.nestingTooDeep(limit: JSONReader.nestingLimit))
                }
            } else {
                let name = offset + 1..<end
                offset = end + 1
                try skipText(upTo: name)
            }
            guard depth >= 0 else { throw unexpected("an element") }
        } while depth > 0
    }
}
