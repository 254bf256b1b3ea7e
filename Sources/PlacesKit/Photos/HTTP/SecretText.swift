/// A text that must not be shown, in whatever way others spell it.
///
/// Servers and transports quote an address in upper or lower case, and percent-encode some or all
/// of it; each that passes it on may encode it once more.
package struct SecretText: Sendable {
    /// The bytes, with letters in lower case.
    private let bytes: [UInt8]

    /// Creates a secret from a text; nil if the text is empty.
    package init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        bytes = text.utf8.map(Self.lowercased)
    }

    /// A text with the secret replaced.
    package func redacted(_ text: String, as replacement: String = "<redacted>") -> String {
        let bytes = Array(text.utf8)
        let redacted = redacted(bytes, as: Array(replacement.utf8))
        return redacted == bytes ? text : String(decoding: redacted, as: UTF8.self)
    }

    /// Bytes of any kind with the secret replaced.
    package func redacted(_ text: [UInt8], as replacement: [UInt8]) -> [UInt8] {
        var redacted: [UInt8] = []
        redacted.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if let end = end(of: bytes[...], in: text, from: index) {
                redacted += replacement
                index = end
            } else {
                redacted.append(text[index])
                index += 1
            }
        }
        return redacted
    }

    /// Where the rest of the secret ends, if the text contains it at an index; otherwise nil.
    private func end(of rest: ArraySlice<UInt8>, in text: [UInt8], from index: Int) -> Int? {
        guard let byte = rest.first else { return index }
        guard index < text.count else { return nil }
        if text[index] == Self.percent {
            // In a text that was encoded twice, the percent signs are encoded too.
            var next = index + 1
            while let encoded = Self.encodedByte(in: text, at: next) {
                next += 2
                if Self.lowercased(encoded) == byte,
                    let end = end(of: rest.dropFirst(), in: text, from: next)
                {
                    return end
                }
                guard encoded == Self.percent else { break }
            }
        }
        guard Self.lowercased(text[index]) == byte else { return nil }
        return end(of: rest.dropFirst(), in: text, from: index + 1)
    }

    /// The byte that two hexadecimal digits stand for.
    private static func encodedByte(in text: [UInt8], at index: Int) -> UInt8? {
        guard index + 1 < text.count, let high = digit(text[index]),
            let low = digit(text[index + 1])
        else { return nil }
        return high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static let percent = UInt8(ascii: "%")
}

extension SecretText: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
