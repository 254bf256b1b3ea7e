/// A key of an object, as a table of known keys sees it.
package enum JSONKey: Equatable {
    /// The key with this index in the table.
    case known(Int)
    /// A key that the table does not have.
    case unknown(String)
}

extension JSONReader {
    /// Moves to the object's next key and its value, which has to be read then; nil leaves the object.
    package mutating func nextKey() throws(JSONError) -> String? {
        guard try advanceToKey() else { return nil }
        let key = try readString()
        try expectColon()
        return key
    }

    /// Like ``nextKey()``, but makes no string of a key that the table has.
    ///
    /// Keys spelled as ``JSONWriter`` spells them are compared where they stand, the one after the
    /// last one first.
    package mutating func nextKey(in table: JSONKeyTable) throws(JSONError) -> JSONKey? {
        guard try advanceToKey() else { return nil }
        if let (index, length) = table.spelling(at: offset, in: bytes, startingWith: expectedKey) {
            offset += length
            expectedKey = index + 1
            return .known(index)
        }
        let name = try readString()
        try expectColon()
        guard let index = table.index(of: name) else { return .unknown(name) }
        expectedKey = index + 1
        return .known(index)
    }

    /// Passes the colon between a key and its value.
    package mutating func expectColon() throws(JSONError) {
        guard nextByte() == UInt8(ascii: ":") else { throw unexpected("':'") }
        offset += 1
    }
}
