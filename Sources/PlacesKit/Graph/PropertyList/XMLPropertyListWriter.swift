import Foundation

/// Writes a property list in XML, with the calls of ``JSONWriter``.
///
/// It looks as Apple's do, but for dictionaries, whose keys keep the order in which they are written.
/// It is the caller's part to close what it opens and to give every key a value.
struct XMLPropertyListWriter {
    private static let prolog = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    /// What has been written and not been drained.
    private var buffer = Array(Self.prolog.utf8)
    private var depth = 0

    /// Begins a dictionary.
    mutating func beginObject() { begin("dict") }

    /// Begins an array.
    mutating func beginArray() { begin("array") }

    /// Ends the dictionary that was begun last.
    mutating func endObject() { end("dict") }

    /// Ends the array that was begun last.
    mutating func endArray() { end("array") }

    private mutating func begin(_ name: String) {
        indent()
        append("<\(name)>\n")
        depth += 1
    }

    private mutating func end(_ name: String) {
        depth -= 1
        indent()
        append("</\(name)>\n")
    }

    /// Writes a key, whose value has to follow.
    mutating func writeKey(_ name: String) { writeElement("key", name) }

    /// Writes a string; as data, where it has characters that XML has no way to write, or that others do not read.
    mutating func writePlain(_ value: String) {
        if value.unicodeScalars.allSatisfy(Self.isWritable) {
            writeElement("string", value)
        } else {
            write(Data(value.utf8))
        }
    }

    private static func isWritable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0xFFFE, 0xFFFF: false
        // Foundation's reader drops a byte order mark at the beginning of a text.
        case 0xFEFF: false
        default: true
        }
    }

    /// Writes a boolean.
    mutating func write(_ value: Bool) {
        indent()
        append(value ? "<true/>\n" : "<false/>\n")
    }

    /// Writes an integer.
    mutating func write(_ value: Int64) { writePlain("integer", String(value)) }

    /// Writes an integer that is not negative.
    mutating func write(_ value: UInt64) { writePlain("integer", String(value)) }

    /// Writes a double with the fewest digits that give the same double back.
    mutating func write(_ value: Double) {
        writePlain(
            "real",
            value.isNaN ? "nan" : value.isInfinite ? (value < 0 ? "-inf" : "inf") : "\(value)")
    }

    /// Writes an instant that a text spells, such as "2026-11-21T09:41:00Z".
    mutating func write(instant: String) { writePlain("date", instant) }

    /// Writes data.
    mutating func write(_ value: Data) { writePlain("data", value.base64EncodedString()) }

    private mutating func writePlain(_ name: String, _ text: String) {
        indent()
        append("<\(name)>\(text)</\(name)>\n")
    }

    private mutating func writeElement(_ name: String, _ text: String) {
        indent()
        append("<\(name)>")
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "<"): append("&lt;")
            case UInt8(ascii: ">"): append("&gt;")
            case UInt8(ascii: "&"): append("&amp;")
            case 0x0D: append("&#13;")
            default: buffer.append(byte)
            }
        }
        append("</\(name)>\n")
    }

    private mutating func indent() {
        buffer.append(contentsOf: repeatElement(0x09, count: depth))
    }

    private mutating func append(_ text: String) { buffer.append(contentsOf: text.utf8) }

    /// Hands what has been written so far to `sink` and forgets it, if it is long enough.
    mutating func drain(
        atLeast threshold: Int = 1 << 20, into sink: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        guard buffer.count >= threshold, !buffer.isEmpty else { return }
        try buffer.withUnsafeBytes(sink)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Ends the list, after its last value.
    mutating func finish(into sink: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        append("</plist>\n")
        try drain(atLeast: 0, into: sink)
    }
}
