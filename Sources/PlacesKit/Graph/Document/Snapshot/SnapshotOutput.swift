import Foundation
import PlacesBase

/// What a snapshot is written as: JSON, or a property list of either kind.
protocol SnapshotOutput {
    init()

    mutating func beginObject()
    mutating func endObject()
    mutating func beginArray()
    mutating func endArray()
    /// Puts what comes next on a line of its own, where there are lines.
    mutating func beginNewLine()
    /// Writes a key, whose value has to follow.
    mutating func writeKey(_ name: String)
    /// Writes a key of a table, whose value has to follow.
    mutating func writeKey(_ index: Int, in table: JSONKeyTable)

    mutating func writeNull()
    mutating func write(_ value: Bool)
    mutating func write(_ value: Int64)
    mutating func write(_ value: UInt64)
    mutating func write(_ value: Double)
    mutating func write(_ value: String)
    /// Writes a text of valid UTF-8.
    mutating func write(text utf8: UnsafeRawBufferPointer)
    mutating func write(_ value: Data)
    /// Writes an instant, given in seconds since 2001.
    mutating func write(date seconds: Double)
    /// Writes text of plain ASCII without anything to escape; a property list writes any string as it stands.
    mutating func writePlain(_ text: String)
    /// Writes a value that is JSON already.
    mutating func writeJSON(_ text: String)

    /// Hands what has been written so far to `sink` and forgets it, if it is long enough.
    mutating func drain(
        atLeast threshold: Int, into sink: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows
    /// Ends the file, after its one value.
    mutating func finish(into sink: (UnsafeRawBufferPointer) throws -> Void) rethrows

    /// Whether elements of an array can be written by other writers, on any thread.
    static var writesApart: Bool { get }
    /// Whether at least some bytes have not been drained.
    func isLong(_ count: Int) -> Bool
    /// Hands on the elements that another writer wrote, each on a line of its own, behind what this one has.
    mutating func drain(
        elements: Self, into sink: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows
}

extension JSONWriter: SnapshotOutput {
    mutating func write(_ value: Data) {
        writePlain(value.base64EncodedString())
    }

    mutating func write(date seconds: Double) {
        guard let date = SnapshotDate(seconds) else { return write(seconds) }
        putValue(upTo: SnapshotDate.textLimit + 2) { cursor in
            cursor.put(UInt8(ascii: "\""))
            date.put(at: &cursor)
            cursor.put(UInt8(ascii: "\""))
        }
    }

    mutating func finish(into sink: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        endLine()
        try drain(atLeast: 0, into: sink)
    }
}

extension JSONWriter {
    static var writesApart: Bool { true }

    func isLong(_ count: Int) -> Bool { self.count >= count }
}

/// What writers of property lists have in common.
protocol PropertyListOutput: SnapshotOutput {}

extension PropertyListOutput {
    static var writesApart: Bool { false }

    func isLong(_ count: Int) -> Bool { false }

    mutating func drain(
        elements: Self, into sink: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        preconditionFailure("Each element is written behind those before it.")
    }

    mutating func beginNewLine() {}

    mutating func writeKey(_ index: Int, in table: JSONKeyTable) { writeKey(table.names[index]) }

    mutating func write(_ value: String) { writePlain(PropertyListNull.written(value)) }

    mutating func write(text utf8: UnsafeRawBufferPointer) {
        write(String(decoding: utf8, as: UTF8.self))
    }

    mutating func writeJSON(_ text: String) { write(text) }
}

extension BinaryPropertyListWriter: PropertyListOutput {
    mutating func writeNull() { writeConstant(PropertyListNull.text) }
}

extension XMLPropertyListWriter: PropertyListOutput {
    mutating func writeNull() { writePlain(PropertyListNull.text) }

    /// Dates have whole seconds in XML; any other instant is a number.
    mutating func write(date seconds: Double) {
        if seconds == seconds.rounded(), let text = SnapshotDate(seconds)?.text {
            write(instant: text)
        } else {
            write(seconds)
        }
    }
}
