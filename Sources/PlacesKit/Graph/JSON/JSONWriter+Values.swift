import PlacesBase

extension JSONWriter {
    /// Writes `null`.
    package mutating func writeNull() {
        putValue(upTo: 4) { $0.put("null") }
    }

    /// Writes a boolean.
    package mutating func write(_ value: Bool) {
        putValue(upTo: 5) { $0.put(value ? "true" : "false") }
    }

    /// Writes an integer.
    package mutating func write(_ value: Int64) {
        putValue(upTo: 20) { cursor in
            if value < 0 { cursor.put(UInt8(ascii: "-")) }
            cursor.put(digits: value.magnitude)
        }
    }

    /// Writes an integer that is not negative.
    package mutating func write(_ value: UInt64) {
        putValue(upTo: 20) { $0.put(digits: value) }
    }

    /// Writes a value that is JSON already, in one line.
    package mutating func writeJSON(_ text: String) {
        // A person may have laid it out on several lines; white space means nothing, and stands in no string like this.
        guard text.utf8.contains(where: Self.endsLine) else { return writeUnchanged(text) }
        let space = UInt8(ascii: " ")
        let line = text.utf8.map { Self.endsLine($0) ? space : $0 }
        line.withUnsafeBytes { line in putValue(upTo: line.count) { $0.put(line) } }
    }

    private static func endsLine(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    /// Writes a value as it stands.
    private mutating func writeUnchanged(_ text: String) {
        var text = text
        text.withUTF8 { text in
            let text = UnsafeRawBufferPointer(text)
            putValue(upTo: text.count) { $0.put(text) }
        }
    }

    /// Writes a double with the fewest digits that give the same double back, or one of the strings
    /// "NaN", "Infinity" and "-Infinity".
    package mutating func write(_ value: Double) {
        guard value.isFinite else { return writePlain(JSONNonFinite(value).rawValue) }
        guard value.magnitude < 0x1p53, value == value.rounded(.towardZero),
            value != 0 || value.sign == .plus
        else { return writeUnchanged(value.description) }
        putValue(upTo: 22) { cursor in
            if value < 0 { cursor.put(UInt8(ascii: "-")) }
            cursor.put(digits: UInt64(value.magnitude))
            cursor.put(".0")
        }
    }

    /// Writes a string of plain ASCII without quotation marks, backslashes and control characters, such
    /// as the digits of a UUID.
    package mutating func writePlain(_ text: String) {
        var text = text
        text.withUTF8 { putQuoted(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a string; only what RFC 8259 demands is escaped, as briefly as it can be.
    package mutating func write(_ value: String) {
        var value = value
        value.withUTF8 { write(text: UnsafeRawBufferPointer($0)) }
    }

    /// Writes a text of valid UTF-8.
    package mutating func write(text utf8: UnsafeRawBufferPointer) {
        let end = JSONScan.endOfPlainText(in: utf8, from: 0)
        if end == utf8.count { putQuoted(utf8) } else { putEscaping(utf8, from: end) }
    }

    @inline(__always)
    private mutating func putQuoted(_ text: UnsafeRawBufferPointer) {
        putValue(upTo: text.count + 2) { cursor in
            cursor.put(UInt8(ascii: "\""))
            cursor.put(text)
            cursor.put(UInt8(ascii: "\""))
        }
    }

    /// Puts a string whose first character to escape is at `first`.
    private mutating func putEscaping(_ text: UnsafeRawBufferPointer, from first: Int) {
        putValue(upTo: 1) { $0.put(UInt8(ascii: "\"")) }
        var (position, end) = (0, first)
        while true {
            let plain = UnsafeRawBufferPointer(rebasing: text[position..<end])
            putMore(upTo: plain.count + 6) { cursor in
                cursor.put(plain)
                if end < text.count {
                    cursor.put(escapeOf: text[end])
                } else {
                    cursor.put(UInt8(ascii: "\""))
                }
            }
            guard end < text.count else { return }
            position = end + 1
            end = JSONScan.endOfPlainText(in: text, from: position)
        }
    }
}

extension ByteBuffer.Cursor {
    fileprivate mutating func put(escapeOf byte: UInt8) {
        put(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: put(UInt8(ascii: "b"))
        case 0x09: put(UInt8(ascii: "t"))
        case 0x0A: put(UInt8(ascii: "n"))
        case 0x0C: put(UInt8(ascii: "f"))
        case 0x0D: put(UInt8(ascii: "r"))
        case 0x00..<0x20:
            put(byte < 0x10 ? "u000" : "u001")
            let digit = byte & 0xF
            put(digit < 10 ? 0x30 + digit : 0x61 + digit - 10)
        default: put(byte)
        }
    }
}
