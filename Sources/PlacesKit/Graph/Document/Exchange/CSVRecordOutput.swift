import Foundation
import PlacesBase

/// Writes records as comma-separated values (RFC 4180): lines end in CR and LF, and a field is quoted
/// where it has to be, and where it is an empty text, which is not the same as none.
struct CSVRecordOutput: RecordOutput {
    private var buffer: [UInt8] = []
    private var isFirstField = true

    init(_ columns: [String]) {
        // Who reads them finds out what stands between the fields.
        for column in columns {
            let isQuoted = column.utf8.contains(where: CSVRecordInput.separators.contains)
            write(text: column, isQuoted: isQuoted)
        }
        endRecord()
    }

    mutating func beginRecord() {}

    mutating func write(_ value: RecordValue, isJSON: Bool) {
        switch value {
        case .property(.attribute(let datum)): write(datum)
        case .property(.object(let id)): write(plain: id.map { String($0.number) } ?? "")
        case .property(.objects), .values:
            // A list is one field, as JSON.
            var writer = JSONWriter()
            writer.write(value, isJSON: isJSON)
            write(text: String(decoding: writer.bytes, as: UTF8.self))
        }
    }

    mutating func skip() { write(plain: "") }

    private mutating func write(_ datum: Datum) {
        switch datum {
        case .null: write(plain: "")
        case .boolean(let value): write(plain: value ? "true" : "false")
        case .integer(let value): write(plain: String(value))
        case .unsigned(let value): write(plain: String(value))
        case .decimal(let value): write(plain: value.description)
        case .double(let value):
            write(plain: value.isFinite ? value.description : JSONNonFinite(value).rawValue)
        case .string(let value): write(text: value)
        case .date(let value):
            let seconds = value.timeIntervalSinceReferenceDate
            write(
                plain: SnapshotDate(seconds)?.text
                    ?? (seconds.isFinite
                        ? seconds.description : JSONNonFinite(seconds).rawValue))
        case .uuid(let value): write(plain: value.uuidString)
        case .data(let value): write(text: value.base64EncodedString())
        }
    }

    private mutating func beginField() {
        if !isFirstField { buffer.append(UInt8(ascii: ",")) }
        isFirstField = false
    }

    private mutating func write(plain text: String) {
        beginField()
        buffer.append(contentsOf: text.utf8)
    }

    private mutating func write(text: String, isQuoted: Bool = false) {
        beginField()
        let needsQuotes =
            isQuoted || text.isEmpty
            || text.utf8.contains {
                $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\n")
                    || $0 == UInt8(ascii: "\r")
            }
        guard needsQuotes else {
            buffer.append(contentsOf: text.utf8)
            return
        }
        buffer.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { buffer.append(byte) }
            buffer.append(byte)
        }
        buffer.append(UInt8(ascii: "\""))
    }

    mutating func endRecord() {
        buffer.append(UInt8(ascii: "\r"))
        buffer.append(UInt8(ascii: "\n"))
        isFirstField = true
    }

    mutating func finish() {}

    mutating func drain(
        atLeast threshold: Int, into sink: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        guard buffer.count >= threshold, !buffer.isEmpty else { return }
        try buffer.withUnsafeBytes(sink)
        buffer.removeAll(keepingCapacity: true)
    }
}
