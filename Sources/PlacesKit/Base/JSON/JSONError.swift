import Foundation

/// Why a JSON text or a property list could not be read, and exactly where.
///
/// For a binary property list the line and the column are always 1; only the byte offset gives the
/// position.
///
/// ```swift
/// do {
///     try load(bytes)
/// } catch let error as JSONError {
///     print("\(file):\(error.line):\(error.column): \(error)")
/// }
/// ```
public struct JSONError: DescribedError, Equatable {
    /// What is wrong.
    package let kind: Kind

    /// The line of the fault, counted from 1.
    public let line: Int

    /// The column of the fault in Unicode scalars, counted from 1.
    public let column: Int

    /// The offset of the fault in bytes, counted from 0.
    public let byteOffset: Int

    package init(kind: Kind, line: Int, column: Int, byteOffset: Int) {
        self.kind = kind
        self.line = line
        self.column = column
        self.byteOffset = byteOffset
    }

    /// The faults a text can have.
    @usableFromInline package enum Kind: CustomStringConvertible, Equatable, Sendable {
        /// A byte that is not allowed here.
        case unexpectedByte(UInt8, expected: String)
        /// The text ends too early.
        case unexpectedEnd(expected: String)
        /// The text begins with a byte order mark, which RFC 8259 forbids.
        case byteOrderMark
        /// A string has no closing quotation mark.
        case unterminatedString
        /// A control character stands unescaped in a string.
        case controlCharacter(UInt8)
        /// A backslash is not followed by one of the escapes of RFC 8259.
        case invalidEscape
        /// A `\u` escape names one half of a surrogate pair without the other.
        case loneSurrogate
        /// The bytes are not UTF-8.
        case invalidUTF8
        /// A number has a fraction or an exponent where an integer is expected.
        case notAnInteger
        /// A number does not fit the type that it is read as.
        case numberOutOfRange(type: String)
        /// A value is well-formed but has another type than the expected one.
        case wrongType(expected: ValueKind, found: ValueKind)
        /// A value is well-formed and has the expected type, but is not valid here.
        case invalidValue(expected: String)
        /// Arrays and objects are nested deeper than the reader allows.
        case nestingTooDeep(limit: Int)
        /// Something follows the end of the JSON text.
        case trailingBytes
    }

    /// The types of value that JSON knows.
    @usableFromInline package enum ValueKind: String, CustomStringConvertible, Equatable, Sendable {
        /// `{…}`
        case object
        /// `[…]`
        case array
        /// `"…"`
        case string
        /// A number, whole or not.
        case number
        /// `true` or `false`.
        case boolean
        /// `null`
        case null
    }

    /// Computes the line and column of a fault; only now, so that the reader need not count lines.
    package init(_ kind: Kind, at offset: Int, in bytes: UnsafeRawBufferPointer) {
        var line = 1
        var column = 1
        for byte in bytes.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.init(kind: kind, line: line, column: column, byteOffset: offset)
    }
}
