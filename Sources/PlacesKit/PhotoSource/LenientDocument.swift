/// A JSON text as a flat list of its values, in the order in which they stand; nothing is copied or
/// converted until it is asked for.
final class LenientDocument: Sendable {
    enum Kind: UInt8 {
        case object, array, plainString, escapedString, number, boolTrue, boolFalse, null
    }

    /// A value, or the key of one.
    struct Token {
        let kind: Kind
        /// Where a scalar's bytes lie, a string's without its quotation marks.
        var start: Int32 = 0
        var end: Int32 = 0
        /// The index of the token after this one and all within it.
        var next: Int32
    }

    let bytes: [UInt8]
    let tokens: [Token]

    /// Reads a text; faults inside strings are mended.
    init(_ bytes: [UInt8]) throws(JSONError) {
        self.bytes = bytes
        let result = bytes.withUnsafeBytes { buffer -> Result<[Token], JSONError> in
            do throws(JSONError) {
                guard buffer.count < Int32.max else {
                    throw JSONError(
                        .unexpectedEnd(expected: "a text below 2 GB"), at: 0, in: buffer)
                }
                return .success(try Self.tokens(of: buffer))
            } catch {
                return .failure(error)
            }
        }
        tokens = try result.get()
    }

    private static func tokens(of bytes: UnsafeRawBufferPointer) throws(JSONError) -> [Token] {
        var reader = JSONReader(bytes)
        reader.mendsStrings = true
        var tokens: [Token] = []
        tokens.reserveCapacity(bytes.count / 12)
        var open: [Int] = []
        repeat {
            switch try reader.peekKind() {
            case .object:
                try reader.beginObject()
                open.append(tokens.count)
                tokens.append(Token(kind: .object, next: 0))
            case .array:
                try reader.beginArray()
                open.append(tokens.count)
                tokens.append(Token(kind: .array, next: 0))
            case .string: append(string: try reader.scanString(), to: &tokens)
            case .number: append(.number, try reader.scanNumber().range, to: &tokens)
            case .boolean:
                append(try reader.readBool() ? .boolTrue : .boolFalse, 0..<0, to: &tokens)
            case .null:
                try reader.readNull()
                append(.null, 0..<0, to: &tokens)
            }
            try moveToNextValue(&reader, &tokens, &open)
        } while !open.isEmpty
        try reader.expectEnd()
        return tokens
    }

    /// Moves to the next value of the innermost container, its key being noted, and closes those that end.
    private static func moveToNextValue(
        _ reader: inout JSONReader, _ tokens: inout [Token], _ open: inout [Int]
    ) throws(JSONError) {
        while let container = open.last {
            if tokens[container].kind == .object {
                if try reader.advanceToKey() {
                    append(string: try reader.scanString(), to: &tokens)
                    try reader.expectColon()
                    return
                }
            } else if try reader.nextElement() {
                return
            }
            tokens[container].next = Int32(truncatingIfNeeded: tokens.count)
            open.removeLast()
        }
    }

    private static func append(string: JSONReader.StringToken, to tokens: inout [Token]) {
        append(string.hasEscapes ? .escapedString : .plainString, string.range, to: &tokens)
    }

    private static func append(_ kind: Kind, _ range: Range<Int>, to tokens: inout [Token]) {
        tokens.append(
            Token(
                kind: kind, start: Int32(truncatingIfNeeded: range.lowerBound),
                end: Int32(truncatingIfNeeded: range.upperBound),
                next: Int32(truncatingIfNeeded: tokens.count + 1)))
    }

    /// The index of the value of a member of an object, the first of its name; nil if there is none.
    func member(_ key: StaticString, of object: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            tokens.withUnsafeBufferPointer { tokens in
                let end = Int(tokens[object].next)
                var index = object + 1
                while index < end {
                    if Self.isKey(tokens[index], key, in: bytes) { return index + 1 }
                    index = Int(tokens[index + 1].next)
                }
                return nil
            }
        }
    }

    /// Whether a key is spelt so, without escapes.
    static func isKey(
        _ token: Token, _ key: StaticString, in bytes: UnsafeRawBufferPointer
    ) -> Bool {
        let length = key.utf8CodeUnitCount
        guard Int(token.end - token.start) == length, token.kind == .plainString else {
            return false
        }
        let wanted = UnsafeRawBufferPointer(start: key.utf8Start, count: length)
        return JSONScan.matches(wanted, in: bytes, at: Int(token.start))
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

    /// A whole number of up to 18 digits that stands alone in a string or number; nil for any other text.
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
