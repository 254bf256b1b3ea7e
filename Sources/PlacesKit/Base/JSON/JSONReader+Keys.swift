extension JSONReader {
    /// Moves to the object's next key; nil leaves the object.
    ///
    /// The caller has to read the value of the key then.
    package mutating func nextKey() throws(JSONError) -> String? {
        guard try advanceToKey() else { return nil }
        let key = try readString()
        try expectColon()
        return key
    }

    /// Passes the colon between a key and its value.
    @inlinable
    package mutating func expectColon() throws(JSONError) {
        guard nextByte() == UInt8(ascii: ":") else { throw unexpected("':'") }
        offset += 1
    }
}
