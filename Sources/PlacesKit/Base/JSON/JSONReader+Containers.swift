extension JSONReader {
    /// Enters an object; its keys follow.
    @inlinable
    package mutating func beginObject() throws(JSONError) {
        try begin(UInt8(ascii: "{"), .object)
    }

    /// Enters an array; its elements follow.
    @inlinable
    package mutating func beginArray() throws(JSONError) {
        try begin(UInt8(ascii: "["), .array)
    }

    /// Moves to the array's next element, which the caller has to read; false leaves the array.
    @inlinable
    package mutating func nextElement() throws(JSONError) -> Bool {
        let byte = nextByte()
        if byte == UInt8(ascii: "]") {
            leaveContainer()
            return false
        }
        if isAtFirstElement {
            guard byte != nil else { throw unexpected("a value or ']'") }
            isAtFirstElement = false
            return true
        }
        guard byte == UInt8(ascii: ",") else { throw unexpected("',' or ']'") }
        offset += 1
        return true
    }

    /// Moves to the opening quotation mark of the object's next key; false leaves the object.
    @inlinable @inline(__always)
    package mutating func advanceToKey() throws(JSONError) -> Bool {
        var byte = nextByte()
        if byte == UInt8(ascii: "}") {
            leaveContainer()
            return false
        }
        if isAtFirstElement {
            guard byte == UInt8(ascii: "\"") else { throw unexpected("a key or '}'") }
            isAtFirstElement = false
            return true
        }
        guard byte == UInt8(ascii: ",") else { throw unexpected("',' or '}'") }
        offset += 1
        byte = nextByte()
        guard byte == UInt8(ascii: "\"") else { throw unexpected("a key") }
        return true
    }

    @usableFromInline
    mutating func begin(
        _ bracket: UInt8, _ kind: JSONError.ValueKind
    ) throws(JSONError) {
        guard nextByte() == bracket else { throw mismatch(expected: kind) }
        guard depth < Self.nestingLimit else {
            throw failure(.nestingTooDeep(limit: Self.nestingLimit))
        }
        offset += 1
        depth += 1
        isAtFirstElement = true
    }

    @inlinable @inline(__always)
    mutating func leaveContainer() {
        offset += 1
        depth -= 1
        isAtFirstElement = false
    }
}
