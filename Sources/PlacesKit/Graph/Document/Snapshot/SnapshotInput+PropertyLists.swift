import Foundation
import PlacesBase

/// Property lists have no null; as Foundation's encoder does, "$null" stands for it.
///
/// So that a text of these very characters stays a text, it is written with one more "$".
enum PropertyListNull {
    static let text = "$null"

    /// How a text is written.
    static func written(_ text: String) -> String { isLike(text) ? "$" + text : text }

    /// What a text means that is not null.
    static func read(_ text: String) -> String { isLike(text) ? String(text.dropFirst()) : text }

    /// Whether a text begins as those do that are written otherwise; most texts need no further look.
    @inline(__always)
    static func mayBeEscaped(_ text: borrowing String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { $0.first == UInt8(ascii: "$") } ?? true
    }

    private static func isLike(_ text: String) -> Bool {
        text.utf8.first == UInt8(ascii: "$")
            && text.utf8.drop { $0 == UInt8(ascii: "$") }.elementsEqual("null".utf8)
    }
}

/// What readers of property lists have in common.
protocol PropertyListInput: SnapshotInput, ~Copyable {
    /// Reads an integer of a type, which an error describes.
    mutating func readInteger<Value: FixedWidthInteger>(
        describedAs type: String
    ) throws(JSONError) -> Value
    /// Reads a string as it stands.
    mutating func readPlainString() throws(JSONError) -> String
    /// Another reader at the same offset.
    func copy() -> Self
}

extension PropertyListInput where Self: ~Copyable {
    mutating func readInt64() throws(JSONError) -> Int64 {
        try readInteger(describedAs: "a 64-bit integer")
    }

    mutating func readUInt64() throws(JSONError) -> UInt64 {
        try readInteger(describedAs: "a 64-bit integer that is not negative")
    }

    mutating func readString() throws(JSONError) -> String {
        PropertyListNull.read(try readPlainString())
    }

    mutating func readText(_ take: (SnapshotText) -> Void) throws(JSONError) {
        var text = try readString()
        text.withUTF8 { take(.utf8(UnsafeRawBufferPointer($0))) }
    }

    mutating func readString<Value>(
        as description: String, _ convert: (UnsafeRawBufferPointer) -> Value?
    ) throws(JSONError) -> Value {
        let start = offset
        var text = try readString()
        guard let value = text.withUTF8({ convert(UnsafeRawBufferPointer($0)) }) else {
            throw expected(description, at: start)
        }
        return value
    }

    mutating func readJSONText() throws(JSONError) -> String {
        let text = try readString()
        try checkJSON(text)
        return text
    }

    /// Refuses a text that is no JSON.
    fileprivate func checkJSON(_ text: String) throws(JSONError) {
        do {
            try JSONReader.read(Array(text.utf8)) { try $0.skipValue() }
        } catch {
            throw expected("a text that is JSON")
        }
    }

    func lookAhead(_ body: (inout Self) throws(JSONError) -> Void) throws(JSONError) {
        var scout = copy()
        try body(&scout)
    }
}

extension BinaryPropertyListReader: PropertyListInput {
    mutating func goOn(in bytes: UnsafeRawBufferPointer) {
        preconditionFailure("What refers to any of its bytes is read as a whole.")
    }

    mutating func readNullIfPresent() throws(JSONError) -> Bool {
        // A text of one byte for each character, which has as many as the one that stands for null.
        guard try peekKind() == .string,
            bytes[offset] == 0x50 | UInt8(PropertyListNull.text.utf8.count)
        else { return false }
        return try readPlainString() == PropertyListNull.text
    }

    mutating func readString() throws(JSONError) -> String {
        let text = try readPlainString()
        guard PropertyListNull.mayBeEscaped(text) else { return text }
        return shared.unescaped(text, at: offset, PropertyListNull.read)
    }

    mutating func readText(_ take: (SnapshotText) -> Void) throws(JSONError) {
        var text = try readString()
        if text.utf8.count < SharedValues.length {
            text.withUTF8 { take(.utf8(UnsafeRawBufferPointer($0))) }
        } else {
            // All who name it have one string, however many they are.
            take(.string(text))
        }
    }

    mutating func readJSONText() throws(JSONError) -> String {
        let text = try readString()
        try shared.checkJSON(text, at: offset) { () throws(JSONError) in try checkJSON(text) }
        return text
    }
}

extension XMLPropertyListReader: PropertyListInput {
    mutating func readNullIfPresent() throws(JSONError) -> Bool {
        guard try peekKind() == .string, stands("<string") else { return false }
        let start = offset
        if try readPlainString() == PropertyListNull.text { return true }
        offset = start
        return false
    }

    mutating func readDate() throws(JSONError) -> Double {
        let start = offset
        guard try peekKind() == .string else { return try readDouble() }
        let text = try readContent(of: "date")
        guard let seconds = SnapshotDate.seconds(of: text) else {
            throw expected("an instant such as 2026-11-21T09:41:00Z", at: start)
        }
        return seconds
    }
}
