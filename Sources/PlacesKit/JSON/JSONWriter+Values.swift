extension JSONWriter {
    /// Writes a string; only what RFC 8259 demands is escaped, as briefly as it can be.
    mutating func write(_ value: String) {
        beginValue()
        appendQuoted(value)
    }

    /// Writes a string of bytes that are known to be plain ASCII without quotation marks, backslashes
    /// and control characters, such as the digits of a UUID.
    mutating func writePlainText(_ text: some Sequence<UInt8>) {
        beginValue()
        buffer.append(UInt8(ascii: "\""))
        buffer.append(contentsOf: text)
        buffer.append(UInt8(ascii: "\""))
    }

    /// Writes a boolean.
    mutating func write(_ value: Bool) {
        beginValue()
        if value {
            buffer.append(contentsOf: [0x74, 0x72, 0x75, 0x65])
        } else {
            buffer.append(contentsOf: [0x66, 0x61, 0x6C, 0x73, 0x65])
        }
    }

    /// Writes an integer.
    mutating func write(_ value: Int64) {
        beginValue()
        appendDigits(of: value)
    }

    /// Writes an integer that is not negative.
    mutating func write(_ value: UInt64) {
        beginValue()
        buffer.append(contentsOf: String(value).utf8)
    }

    /// Writes a value that is JSON already.
    mutating func writeJSON(_ text: String) {
        beginValue()
        buffer.append(contentsOf: text.utf8)
    }

    /// Writes a double with the fewest digits that give the same double back, or one of the strings
    /// "NaN", "Infinity" and "-Infinity".
    mutating func write(_ value: Double) {
        guard value.isFinite else {
            return writePlainText(JSONNonFinite(value).rawValue.utf8)
        }
        beginValue()
        if value.magnitude < 0x1p53, value == value.rounded(.towardZero),
            value != 0 || value.sign == .plus
        {
            appendDigits(of: Int64(value))
            buffer.append(UInt8(ascii: "."))
            buffer.append(UInt8(ascii: "0"))
        } else {
            var text = value.description
            text.withUTF8 { buffer.append(contentsOf: $0) }
        }
    }

    private mutating func appendDigits(of value: Int64) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var start = digits.count
            var rest = value.magnitude
            repeat {
                start -= 1
                digits.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(rest % 10))
                rest /= 10
            } while rest != 0
            if value < 0 {
                start -= 1
                digits.initializeElement(at: start, to: UInt8(ascii: "-"))
            }
            buffer.append(contentsOf: UnsafeMutableBufferPointer(rebasing: digits[start...]))
        }
    }

    /// Appends a string with its quotation marks.
    mutating func appendQuoted(_ string: String) {
        var string = string
        string.withUTF8 { text in
            let text = UnsafeRawBufferPointer(text)
            buffer.append(UInt8(ascii: "\""))
            var position = 0
            while true {
                let end = JSONScan.endOfPlainText(in: text, from: position)
                buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[position..<end]))
                guard end < text.count else { break }
                appendEscape(of: text[end])
                position = end + 1
            }
            buffer.append(UInt8(ascii: "\""))
        }
    }

    private mutating func appendEscape(of byte: UInt8) {
        buffer.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: buffer.append(UInt8(ascii: "b"))
        case 0x09: buffer.append(UInt8(ascii: "t"))
        case 0x0A: buffer.append(UInt8(ascii: "n"))
        case 0x0C: buffer.append(UInt8(ascii: "f"))
        case 0x0D: buffer.append(UInt8(ascii: "r"))
        case 0x00..<0x20:
            let digits = "0123456789abcdef".utf8.map(\.self)
            buffer.append(contentsOf: "u00".utf8)
            buffer.append(digits[Int(byte >> 4)])
            buffer.append(digits[Int(byte & 0xF)])
        default: buffer.append(byte)
        }
    }
}
