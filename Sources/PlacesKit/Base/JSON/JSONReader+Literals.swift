extension JSONReader {
    /// Reads `true` or `false`.
    package mutating func readBool() throws(JSONError) -> Bool {
        switch nextByte() {
        case UInt8(ascii: "t"):
            try readLiteral("true")
            return true
        case UInt8(ascii: "f"):
            try readLiteral("false")
            return false
        default:
            throw mismatch(expected: .boolean)
        }
    }

    /// Reads `null`.
    package mutating func readNull() throws(JSONError) {
        guard nextByte() == UInt8(ascii: "n") else { throw mismatch(expected: .null) }
        try readLiteral("null")
    }

    /// Reads `null` if it stands here, and returns whether it did; anything else stays unread.
    @inlinable @inline(__always)
    package mutating func readNullIfPresent() throws(JSONError) -> Bool {
        guard nextByte() == UInt8(ascii: "n") else { return false }
        try readLiteral("null")
        return true
    }

    @usableFromInline
    mutating func readLiteral(_ literal: StaticString) throws(JSONError) {
        for position in 0..<literal.utf8CodeUnitCount {
            guard offset < bytes.count, bytes[offset] == literal.utf8Start[position] else {
                throw unexpected("'\(literal)'")
            }
            offset += 1
        }
    }
}
