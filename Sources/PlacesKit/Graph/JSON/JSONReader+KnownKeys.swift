import PlacesBase

/// A key of an object, as a table of known keys sees it.
package enum JSONKey: Equatable {
    /// The key with this index in the table.
    case known(Int)
    /// A key that the table does not have.
    case unknown(String)
}

extension JSONReader {
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
}
