import Foundation
import PlacesBase

/// Writes records as an array of JSON objects, one on a line.
struct JSONRecordOutput: RecordOutput {
    private var writer = JSONWriter()
    private let keys: JSONKeyTable
    private var column = 0

    init(_ columns: [String]) {
        keys = JSONKeyTable(columns)
        writer.beginArray()
    }

    mutating func beginRecord() {
        writer.beginNewLine()
        writer.beginObject()
        column = 0
    }

    mutating func write(_ value: RecordValue, isJSON: Bool) {
        writer.writeKey(column, in: keys)
        column += 1
        writer.write(value, isJSON: isJSON)
    }

    mutating func skip() { column += 1 }

    mutating func endRecord() { writer.endObject() }

    mutating func finish() {
        writer.beginNewLine()
        writer.endArray()
        writer.endLine()
    }

    mutating func drain(
        atLeast threshold: Int, into sink: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        try writer.drain(atLeast: threshold, into: sink)
    }
}

extension JSONWriter {
    /// Writes what a column holds.
    mutating func write(_ value: RecordValue, isJSON: Bool) {
        switch value {
        case .property(.attribute(.string(let text))) where isJSON: writeJSON(text)
        case .property(.attribute(let datum)): datum.write(to: &self)
        case .property(.object(let id)):
            if let id { write(id.number) } else { writeNull() }
        case .property(.objects(let ids)):
            beginArray()
            for id in ids { write(id.number) }
            endArray()
        case .values(let values):
            beginArray()
            for value in values { write(.property(.attribute(value)), isJSON: isJSON) }
            endArray()
        }
    }
}
