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
        case .property(.attribute(let datum)): write(datum, isJSON: isJSON)
        case .property(.object(let id)):
            if let id { write(id.number) } else { writeNull() }
        case .property(.objects(let ids)):
            beginArray()
            for id in ids { write(id.number) }
            endArray()
        case .values(let values):
            beginArray()
            for value in values { write(value, isJSON: isJSON) }
            endArray()
        }
    }

    private mutating func write(_ datum: Datum, isJSON: Bool) {
        switch datum {
        case .null: writeNull()
        case .boolean(let value): write(value)
        case .integer(let value): write(value)
        case .unsigned(let value): write(value)
        case .decimal(let value): write(value)
        case .double(let value): write(value)
        case .string(let value): if isJSON { writeJSON(value) } else { write(value) }
        case .date(let value): write(date: value.timeIntervalSinceReferenceDate)
        case .uuid(let value): write(plain: value.uuidString)
        case .data(let value): write(value)
        }
    }
}
