import PlacesBase

/// A JSON text as a flat list of its values, in their order.
///
/// It copies and converts nothing until it is asked for a value.
final class LenientDocument: Sendable {
    enum Kind: UInt8 {
        case object, array, plainString, escapedString, number, boolTrue, boolFalse, null
    }

    /// A value, or the key of a value.
    struct Token {
        let kind: Kind
        /// The range of a scalar's bytes, for a string without its quotation marks.
        ///
        /// For an object it is the range of its index of members, if it has one.
        var start: Int32 = 0
        var end: Int32 = 0
        /// The index of the token after this one and all tokens within it.
        var next: Int32
    }

    let bytes: [UInt8]
    let tokens: [Token]
    /// The indexes of those objects that have one; see `member(_:of:)`.
    let slots: [UInt16]

    /// Reads a text, and repairs faults inside strings.
    init(_ bytes: [UInt8]) throws(JSONError) {
        self.bytes = bytes
        let result = bytes.withUnsafeBytes { buffer -> Result<Tokenizer, JSONError> in
            do throws(JSONError) {
                guard buffer.count < Int32.max else {
                    throw JSONError(
                        .unexpectedEnd(expected: "a text below 2 GB"), at: 0, in: buffer)
                }
                var tokenizer = Tokenizer(capacity: buffer.count / 12)
                try tokenizer.read(buffer)
                return .success(tokenizer)
            } catch {
                return .failure(error)
            }
        }
        let tokenizer = try result.get()
        tokens = tokenizer.tokens
        slots = tokenizer.slots
    }

    /// The text of a string or number.
    func text(at index: Int) -> String {
        let token = tokens[index]
        let range = Int(token.start)..<Int(token.end)
        return bytes.withUnsafeBytes { bytes in
            guard token.kind == .escapedString else {
                return String(
                    decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
            }
            return JSONReader(bytes)
                .unescaped(JSONReader.StringToken(range: range, hasEscapes: true))
        }
    }

    /// The number in a string or number, if one rounding gives the nearest double; otherwise nil.
    func plainDouble(at index: Int) -> Double? {
        let token = tokens[index]
        return bytes.withUnsafeBytes { bytes in
            let text = bytes[Int(token.start)..<Int(token.end)]
            var reader = JSONReader(UnsafeRawBufferPointer(rebasing: text))
            guard let number = try? reader.scanNumber(), number.range.upperBound == text.count
            else {
                return nil
            }
            return JSONReader.exactDouble(number)
        }
    }

    /// A whole number of up to 18 digits alone in a string or number; nil for any other text.
    func plainInt(at index: Int) -> Int? {
        let token = tokens[index]
        var start = Int(token.start)
        let end = Int(token.end)
        return bytes.withUnsafeBytes { bytes in
            let isNegative = start < end && bytes[start] == UInt8(ascii: "-")
            if isNegative { start += 1 }
            guard (1...18).contains(end - start) else { return nil }
            var value = 0
            for position in start..<end {
                let digit = bytes[position] &- UInt8(ascii: "0")
                guard digit < 10 else { return nil }
                value = value * 10 + Int(digit)
            }
            return isNegative ? -value : value
        }
    }
}
