extension JSONReader {
    /// Moves to the object's next key and its value, which has to be read then; nil leaves the object.
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
