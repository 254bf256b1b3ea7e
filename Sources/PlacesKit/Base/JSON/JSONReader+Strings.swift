extension JSONReader {
    /// Where the text of a string lies, without its quotation marks.
    @usableFromInline
    package struct StringToken {
        @usableFromInline package let range: Range<Int>
        @usableFromInline package let hasEscapes: Bool
        /// Whether the text is known to be ASCII.
        @usableFromInline package var isASCII = false

        @inlinable
        package init(range: Range<Int>, hasEscapes: Bool, isASCII: Bool = false) {
            self.range = range
            self.hasEscapes = hasEscapes
            self.isASCII = isASCII
        }
    }

    /// Reads a string.
    package mutating func readString() throws(JSONError) -> String {
        let token = try scanString()
        try checkUTF8(token)
        guard token.hasEscapes else {
            let text = UnsafeRawBufferPointer(rebasing: bytes[token.range])
            return String(decoding: text.assumingMemoryBound(to: UInt8.self), as: UTF8.self)
        }
        return unescaped(token)
    }

    /// Reads a string that stands for another value, without making a `String`.
    ///
    /// - Parameters:
    ///   - description: What the string should contain, for the error, such as "a UUID".
    ///   - convert: Gets the bytes, which are valid UTF-8, for the duration of the call; nil is an
    ///     error.
    /// - Returns: What `convert` returns.
    /// - Throws: ``JSONError``, also if `convert` returns nil.
    @inlinable
    package mutating func readString<Value>(
        as description: String, _ convert: (UnsafeRawBufferPointer) -> Value?
    ) throws(JSONError) -> Value {
        let token = try scanString()
        try checkUTF8(token)
        let value: Value?
        if token.hasEscapes {
            value = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: token.range.count) {
                let count = unescape(token, into: $0)
                return convert(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: $0[..<count])))
            }
        } else {
            value = convert(UnsafeRawBufferPointer(rebasing: bytes[token.range]))
        }
        guard let value else {
            throw failure(.invalidValue(expected: description), at: token.range.lowerBound - 1)
        }
        return value
    }

    /// Passes a string and checks everything except that it is UTF-8.
    @inlinable @inline(__always)
    package mutating func scanString() throws(JSONError) -> StringToken {
        guard nextByte() == UInt8(ascii: "\"") else { throw mismatch(expected: .string) }
        let start = offset + 1
        var bits: UInt64 = 0
        offset = JSONScan.endOfPlainText(in: bytes, from: start, &bits)
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") {
            let range = start..<offset
            offset += 1
            return StringToken(
                range: range, hasEscapes: false, isASCII: JSONScan.isASCII(bits))
        }
        return try scanRest(ofStringFrom: start)
    }

    /// Checks that a string is UTF-8.
    ///
    /// An escape can neither mend nor break a sequence, so the bytes are checked as they stand.
    @inlinable @inline(__always)
    package func checkUTF8(_ token: StringToken) throws(JSONError) {
        guard !token.isASCII, !mendsStrings else { return }
        if let fault = JSONScan.firstInvalidUTF8(in: bytes, range: token.range) {
            throw failure(.invalidUTF8, at: fault)
        }
    }

    /// Passes whatever follows the first byte of a string that is not plain text.
    @usableFromInline
    mutating func scanRest(ofStringFrom start: Int) throws(JSONError) -> StringToken {
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                let range = start..<offset
                offset += 1
                return StringToken(range: range, hasEscapes: true)
            case UInt8(ascii: "\\"):
                try scanEscape()
            case let byte:
                guard mendsStrings else { throw failure(.controlCharacter(byte)) }
                offset += 1
            }
            offset = JSONScan.endOfPlainText(in: bytes, from: offset)
        }
        throw failure(.unterminatedString, at: start - 1)
    }
}
