import Foundation
import PlacesBase

/// What a snapshot is read from: JSON, or a property list of either kind.
///
/// All of them are read by pulling, straight from bytes into columns.
protocol SnapshotInput: ~Copyable {
    /// Where the reader is in the file.
    var offset: Int { get }

    /// Enters an object; its keys follow. In a property list the first key that is asked for comes first.
    mutating func beginObject() throws(JSONError)
    /// Enters an object whose keys have an order; where writers change it, it is restored.
    mutating func beginOrderedObject() throws(JSONError)
    /// Enters an array; its elements follow.
    mutating func beginArray() throws(JSONError)
    /// Moves to the next element of the array, which has to be read then; false leaves the array.
    mutating func nextElement() throws(JSONError) -> Bool
    /// Moves to the object's next key and its value, which has to be read then; nil leaves the object.
    mutating func nextKey(in table: JSONKeyTable) throws(JSONError) -> JSONKey?
    /// What the next value is.
    mutating func peekKind() throws(JSONError) -> JSONError.ValueKind
    /// Passes the next value.
    mutating func skipValue() throws(JSONError)

    /// Passes what stands for no value, and tells whether it stood there.
    mutating func readNullIfPresent() throws(JSONError) -> Bool
    mutating func readBool() throws(JSONError) -> Bool
    mutating func readInt64() throws(JSONError) -> Int64
    mutating func readUInt64() throws(JSONError) -> UInt64
    mutating func readDouble() throws(JSONError) -> Double
    /// Reads an instant in seconds since 2001.
    mutating func readDate() throws(JSONError) -> Double
    mutating func readString() throws(JSONError) -> String
    /// Reads a string as it comes cheapest: its UTF-8, or a string that others may have, too.
    mutating func readText(_ take: (SnapshotText) -> Void) throws(JSONError)
    /// Reads a string that spells something else; nil is an error that tells what it has to spell.
    mutating func readString<Value>(
        as description: String, _ convert: (UnsafeRawBufferPointer) -> Value?
    ) throws(JSONError) -> Value
    mutating func readData() throws(JSONError) -> Data
    /// Reads a value that is kept as JSON.
    mutating func readJSONText() throws(JSONError) -> String

    /// An error at the reader's offset, or at another one.
    func failure(_ kind: JSONError.Kind, at offset: Int?) -> JSONError

    /// Goes on in other bytes, which begin with what stands here.
    mutating func goOn(in bytes: UnsafeRawBufferPointer)

    /// Lets another reader go on from here, while this one stays.
    func lookAhead(_ body: (inout Self) throws(JSONError) -> Void) throws(JSONError)

    /// Divides the objects of the array from this one on, as far as it shows where they are: the first unit
    /// has up to `first` of them, the others up to `others`.
    func units(first: Int, others: Int, limit: Int) -> [SnapshotUnit]
    /// Lets another reader read just a unit, on any thread.
    ///
    /// - Returns: How many elements of containers it handed out, where that is limited.
    func read(_ unit: SnapshotUnit, _ body: (inout Self) throws -> Void) throws -> Int
    /// Passes the next unit, which another reader has read.
    mutating func pass(_ unit: SnapshotUnit, elements: Int) throws(JSONError)
}

extension SnapshotInput where Self: ~Copyable {
    /// An error at the reader's offset.
    func failure(_ kind: JSONError.Kind) -> JSONError { failure(kind, at: nil) }

    /// An error that tells what should stand at the reader's offset, or at another one.
    func expected(_ description: String, at offset: Int? = nil) -> JSONError {
        failure(.invalidValue(expected: description), at: offset)
    }
}

/// A text of a snapshot.
enum SnapshotText {
    case utf8(UnsafeRawBufferPointer)
    case string(String)
}

extension JSONReader: SnapshotInput {
    mutating func beginOrderedObject() throws(JSONError) { try beginObject() }

    mutating func readText(_ take: (SnapshotText) -> Void) throws(JSONError) {
        try readString(as: "a text") { take(.utf8($0)) }
    }

    mutating func readData() throws(JSONError) -> Data {
        try readString(as: "Base64") { bytes in
            Data(base64Encoded: String(decoding: bytes, as: UTF8.self))
        }
    }

    mutating func readDate() throws(JSONError) -> Double {
        guard try peekKind() == .string else { return try readDouble() }
        return try readString(as: "an instant such as 2026-11-21T09:41:00Z") { bytes in
            SnapshotDate.seconds(of: bytes)
                ?? JSONNonFinite.allCases.first { bytes.elementsEqual($0.rawValue.utf8) }?.value
        }
    }

    mutating func readJSONText() throws(JSONError) -> String {
        _ = try peekKind()
        let start = offset
        try skipValue()
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    func lookAhead(_ body: (inout JSONReader) throws(JSONError) -> Void) throws(JSONError) {
        var scout = JSONReader(bytes)
        scout.offset = offset
        try body(&scout)
    }
}
