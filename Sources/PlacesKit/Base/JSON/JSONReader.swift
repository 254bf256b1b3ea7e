/// A strict pull parser for JSON (RFC 8259) over UTF-8 bytes.
///
/// The caller says what it wants next and gets it straight from the bytes; no tree is built, and no
/// string is made but those asked for.
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
/// - A key that stands twice in an object is handed out twice.
/// - The first error ends the reading: what the reader does after it is safe but not specified.
@usableFromInline
package struct JSONReader: ~Copyable {
    /// How deep arrays and objects may be nested, the outermost included.
    package static let nestingLimit = 512

    @usableFromInline package private(set) var bytes: UnsafeRawBufferPointer
    @usableFromInline package var offset = 0
    @usableFromInline package var depth = 0

    /// Whether the innermost container has been opened and nothing been read of it.
    ///
    /// One flag serves all levels: a container around another one has an element at least.
    @usableFromInline package var isAtFirstElement = false

    /// The index of the key that is tried first, since objects of a kind have their keys in one order.
    package var expectedKey = 0

    /// Whether faults inside strings are mended instead of reported: bytes that are no UTF-8 and halves of
    /// surrogate pairs become U+FFFD, control characters stay, unknown escapes are dropped.
    ///
    /// For what others wrote, where one bad title must not cost the whole reply.
    @usableFromInline package var mendsStrings = false

    /// Reads from bytes that must outlive the reader.
    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Reads the one value of a JSON text, which `body` takes in.
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

    /// Goes on in other bytes, which begin with what stands here.
    package mutating func goOn(in bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        offset = 0
    }

    /// The type of the next value, which is not consumed.
    @inlinable
    package mutating func peekKind() throws(JSONError) -> JSONError.ValueKind {
        guard let byte = nextByte(), let kind = Self.kind(of: byte) else {
            throw unexpected("a value")
        }
        return kind
    }

    /// Checks that nothing but white space is left.
    package mutating func expectEnd() throws(JSONError) {
        if nextByte() != nil {
            throw failure(.trailingBytes)
        }
    }

    /// Moves to the next byte that is not white space, and gives it without consuming it.
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
}

extension JSONReader {
    /// An error at the reader's offset, or at another one.
    @inline(never)
    @usableFromInline
    package func failure(_ kind: JSONError.Kind, at byteOffset: Int? = nil) -> JSONError {
        JSONError(kind, at: byteOffset ?? offset, in: bytes)
    }

    /// The error for a byte, or an end, where something else has to stand.
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

    /// The error for a value of another type than the wanted one.
    @inline(never)
    @usableFromInline
    package func mismatch(expected: JSONError.ValueKind) -> JSONError {
        if offset < bytes.count, let found = Self.kind(of: bytes[offset]), found != expected {
            return failure(.wrongType(expected: expected, found: found))
        }
        return unexpected(expected.description)
    }
}
