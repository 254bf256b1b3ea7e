/// A strict pull parser for JSON (RFC 8259) over UTF-8 bytes.
///
/// The caller says what it expects next, and the reader reads that straight from the bytes. It
/// builds no tree, and makes no strings except those that are asked for.
///
/// ```swift
/// try JSONReader.read(bytes) { reader in
///     try reader.beginObject()
///     while let key = try reader.nextKey() {
///         switch key {
///         case "title": title = try reader.readString()
///         case "views": views = try reader.readInt64()
///         default: try reader.skipValue()
///         }
///     }
/// }
/// ```
///
/// - If a key appears twice in an object, the reader returns it twice.
/// - The first error ends the reading: what the reader does after it is safe but not specified.
@usableFromInline
package struct JSONReader: ~Copyable {
    /// How deep arrays and objects may be nested, the outermost included.
    package static let nestingLimit = 512

    @usableFromInline package private(set) var bytes: UnsafeRawBufferPointer
    @usableFromInline package var offset = 0
    @usableFromInline package var depth = 0

    /// Whether the innermost container was opened and nothing in it has been read.
    ///
    /// One flag serves all levels: a container that holds another one has at least one element.
    @usableFromInline package var isAtFirstElement = false

    /// The index of the key to try first, since objects of a kind list their keys in one order.
    package var expectedKey = 0

    /// Whether the reader repairs faults in strings instead of reporting them.
    ///
    /// Bytes that are not UTF-8 and halves of surrogate pairs become U+FFFD, control characters
    /// stay, unknown escapes are dropped. This is for texts that others wrote, where one bad title
    /// must not cost the whole reply.
    @usableFromInline package var mendsStrings = false

    /// Whether failures tell their line and column, which takes a look at all that comes before.
    ///
    /// Who passes over many of them locates those that matter: without it they tell the byte alone.
    package var locatesFailures = true

    /// Creates a reader of bytes that must outlive it.
    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Reads a JSON text, whose one value `body` reads.
    package static func read<Value>(
        _ bytes: [UInt8], _ body: (inout JSONReader) throws -> Value
    ) throws -> Value {
        try bytes.withUnsafeBytes { buffer in
            var reader = JSONReader(buffer)
            let value = try body(&reader)
            try reader.expectEnd()
            return value
        }
    }

    /// Continues in other bytes, which begin with what stands at the reader's offset.
    package mutating func goOn(in bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        offset = 0
    }

    /// The type of the next value, which stays unread.
    @inlinable
    package mutating func peekKind() throws(JSONError) -> JSONError.ValueKind {
        guard let byte = nextByte(), let kind = Self.kind(of: byte) else {
            throw unexpected("a value")
        }
        return kind
    }

    /// Checks that only white space is left.
    package mutating func expectEnd() throws(JSONError) {
        if nextByte() != nil {
            throw failure(.trailingBytes)
        }
    }

    /// Moves to the next byte that is not white space, and returns it without consuming it.
    @inlinable @inline(__always)
    package mutating func nextByte() -> UInt8? {
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte > 0x20 { return byte }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            offset += 1
        }
        return nil
    }

    @inlinable
    static func kind(of byte: UInt8) -> JSONError.ValueKind? {
        switch byte {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
        case UInt8(ascii: "n"): .null
        default: nil
        }
    }

    /// An error at the reader's offset, or at the given one.
    @inline(never)
    @usableFromInline
    package func failure(_ kind: JSONError.Kind, at byteOffset: Int? = nil) -> JSONError {
        let offset = byteOffset ?? offset
        return locatesFailures
            ? JSONError(kind, at: offset, in: bytes)
            : JSONError(kind: kind, line: 1, column: 1, byteOffset: offset)
    }

    /// The error for an unexpected byte, or an unexpected end.
    @inline(never)
    @usableFromInline
    package func unexpected(_ expected: String) -> JSONError {
        if offset >= bytes.count {
            return failure(.unexpectedEnd(expected: expected))
        }
        if offset == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return failure(.byteOrderMark)
        }
        return failure(.unexpectedByte(bytes[offset], expected: expected))
    }

    /// The error for a value that has another type than the expected one.
    @inline(never)
    @usableFromInline
    package func mismatch(expected: JSONError.ValueKind) -> JSONError {
        if offset < bytes.count, let found = Self.kind(of: bytes[offset]), found != expected {
            return failure(.wrongType(expected: expected, found: found))
        }
        return unexpected(expected.description)
    }
}
