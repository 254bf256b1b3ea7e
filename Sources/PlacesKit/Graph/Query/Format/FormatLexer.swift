/// Cuts a predicate format string into words.
///
/// It walks Unicode scalars, so that no combining mark joins a quote or an operator; columns count
/// characters, as an editor does.
struct FormatLexer {
    private let format: String
    private let scalars: String.UnicodeScalarView
    private var position: String.UnicodeScalarView.Index

    init(_ format: String) {
        self.format = format
        scalars = format.unicodeScalars
        position = scalars.startIndex
    }

    /// All words, the end last.
    ///
    /// - Complexity: O(n).
    static func tokens(of format: String) throws(PredicateFormatError) -> [FormatToken] {
        var lexer = FormatLexer(format)
        var tokens: [FormatToken] = []
        var columns = ColumnCounter(format)
        while true {
            let isAttached = !lexer.skipSpace()
            let column = columns.column(of: lexer.position)
            do throws(LexicalMistake) {
                let kind = try lexer.next()
                tokens.append(FormatToken(kind: kind, column: column, isAttached: isAttached))
                if kind == .end { return tokens }
            } catch {
                throw PredicateFormatError(
                    format: format, column: columns.column(of: error.position),
                    problem: error.problem)
            }
        }
    }

    /// What is wrong with a word, and where.
    private struct LexicalMistake: Error {
        var position: String.Index
        var problem: PredicateFormatError.Problem
    }

    private func expected(_ what: String, at start: String.Index) -> LexicalMistake {
        let found =
            if start == scalars.endIndex {
                "the end"
            } else if scalars[start].properties.isWhitespace {
                "a space"
            } else {
                String(Character(scalars[start]))
            }
        return LexicalMistake(position: start, problem: .unexpected(found: found, expected: what))
    }

    /// What is wrong with a word that was read from `start` on.
    private func expected(_ what: String, insteadOf start: String.Index) -> LexicalMistake {
        LexicalMistake(
            position: start,
            problem: .unexpected(found: String(scalars[start..<position]), expected: what))
    }

    // MARK: - Scalars

    private var current: Unicode.Scalar? {
        position < scalars.endIndex ? scalars[position] : nil
    }

    private mutating func advance() { scalars.formIndex(after: &position) }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard current == scalar else { return false }
        advance()
        return true
    }

    /// Skips white space; returns whether there was any.
    private mutating func skipSpace() -> Bool {
        let start = position
        while let scalar = current, scalar.properties.isWhitespace { advance() }
        return position != start
    }

    private mutating func take(while isIncluded: (Unicode.Scalar) -> Bool) -> String {
        let start = position
        while let scalar = current, isIncluded(scalar) { advance() }
        return String(scalars[start..<position])
    }

    // MARK: - Words

    private mutating func next() throws(LexicalMistake) -> FormatToken.Kind {
        guard let scalar = current else { return .end }
        switch scalar {
        case "'", "\"": return .string(try string(quote: scalar))
        case "#": return .escapedWord(try name(behind: "#"))
        case "`": return .escapedWord(try rawName())
        case "@": return .aggregate(try name(behind: "@"))
        case "$": return .variable(try name(behind: "$"))
        case "%": return try argument()
        case "0"..."9": return try number()
        case _ where scalar.beginsName: return .word(take(while: \.continuesName))
        default: return .mark(try mark())
        }
    }

    private mutating func name(behind sign: String) throws(LexicalMistake) -> String {
        advance()
        guard let scalar = current, scalar.beginsName else {
            throw expected("a name behind \(sign)", at: position)
        }
        return take(while: \.continuesName)
    }

    /// A name that has other signs than names mostly have, as raw identifiers may.
    private mutating func rawName() throws(LexicalMistake) -> String {
        let start = position
        advance()
        let name = take { $0 != "`" }
        guard !name.isEmpty, skip("`") else { throw expected("a name between `", at: start) }
        return name
    }

    private mutating func argument() throws(LexicalMistake) -> FormatToken.Kind {
        let start = position
        advance()
        switch current {
        case "@", "K", "d", "i", "u", "f", "%":
            let letter = Character(scalars[position])
            advance()
            return .argument(letter)
        default:
            // The lengths of C's numbers mean nothing here: %ld and %lu are %d, %lf is %f.
            var end = position
            while end < scalars.endIndex, scalars[end] == "l" || scalars[end] == "q" {
                scalars.formIndex(after: &end)
            }
            guard end != position, end < scalars.endIndex,
                ["d", "i", "u", "f"].contains(scalars[end])
            else { throw expected("%@, %K, %d, %f or %%", at: start) }
            let letter = Character(scalars[end])
            position = scalars.index(after: end)
            return .argument(letter)
        }
    }

    private mutating func mark() throws(LexicalMistake) -> FormatMark {
        for mark in FormatMark.allCases {
            if scalars[position...].starts(with: mark.rawValue.unicodeScalars) {
                scalars.formIndex(&position, offsetBy: mark.rawValue.unicodeScalars.count)
                return mark
            }
        }
        throw expected("a name, a value or an operator", at: position)
    }

    // MARK: - Literals

    private mutating func number() throws(LexicalMistake) -> FormatToken.Kind {
        let start = position
        if skip("0"), let radix = radix(of: current) {
            advance()
            let digits = take { $0.properties.isAlphabetic || ("0"..."9").contains($0) }
            if let value = Int64(digits, radix: radix) { return .integer(value) }
            guard let value = UInt64(digits, radix: radix) else {
                throw expected(
                    "a number of base \(radix) that 64 bits can hold", insteadOf: start)
            }
            return .unsigned(value)
        }
        _ = take { ("0"..."9").contains($0) }
        var isInteger = true
        if current == ".", let digit = scalar(after: position), ("0"..."9").contains(digit) {
            isInteger = false
            advance()
            _ = take { ("0"..."9").contains($0) }
        }
        if current == "e" || current == "E" {
            isInteger = false
            advance()
            if current == "+" || current == "-" { advance() }
            guard let digit = current, ("0"..."9").contains(digit) else {
                throw expected("the digits of an exponent", at: position)
            }
            _ = take { ("0"..."9").contains($0) }
        }
        let text = String(scalars[start..<position])
        if let scalar = current, scalar.beginsName {
            let end = position
            let name = take(while: \.continuesName)
            throw LexicalMistake(
                position: end,
                problem: .unexpected(
                    found: name, expected: "a space or an operator behind \(text)"))
        }
        if isInteger, let value = Int64(text) { return .integer(value) }
        if isInteger, let value = UInt64(text) { return .unsigned(value) }
        guard let value = Double(text), value.isFinite else {
            throw expected("a number that a Double can hold", insteadOf: start)
        }
        return .number(value)
    }

    private func radix(of scalar: Unicode.Scalar?) -> Int? {
        switch scalar {
        case "x", "X": 16
        case "o", "O": 8
        case "b", "B": 2
        default: nil
        }
    }

    private func scalar(after index: String.Index) -> Unicode.Scalar? {
        let next = scalars.index(after: index)
        return next < scalars.endIndex ? scalars[next] : nil
    }

    private mutating func string(quote: Unicode.Scalar) throws(LexicalMistake) -> String {
        let start = position
        advance()
        var text = String.UnicodeScalarView()
        while let scalar = current {
            if scalar == quote {
                advance()
                return String(text)
            }
            if scalar == "\\" {
                text.append(try escape())
            } else {
                text.append(scalar)
                advance()
            }
        }
        throw LexicalMistake(position: start, problem: .unterminatedString)
    }

    private mutating func escape() throws(LexicalMistake) -> Unicode.Scalar {
        let start = position
        advance()
        guard let scalar = current else { throw expected("what \\ escapes", at: position) }
        advance()
        switch scalar {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "0": return "\0"
        case "\\", "'", "\"", "%": return scalar
        case "x": return Unicode.Scalar(UInt8(try hexadecimal(digits: 2, from: start)))
        case "u": return try utf16(from: start)
        default:
            throw LexicalMistake(
                position: start,
                problem: .unexpected(
                    found: "\\\(scalar)",
                    expected: "one of \\n \\t \\r \\0 \\\\ \\' \\\" \\% \\x41 \\u00e9"))
        }
    }

    /// A character by its unit of UTF-16, or by the two of a pair of surrogates: `\ud83d\ude00`.
    private mutating func utf16(from start: String.Index) throws(LexicalMistake) -> Unicode.Scalar {
        let unit = try hexadecimal(digits: 4, from: start)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let second = position
        if unit < 0xdc00, skip("\\"), skip("u") {
            let low = try hexadecimal(digits: 4, from: second)
            if (0xdc00...0xdfff).contains(low),
                let scalar = Unicode.Scalar(0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00))
            {
                return scalar
            }
        }
        throw LexicalMistake(
            position: start,
            problem: .unexpected(
                found: "\\u\(String(unit, radix: 16)) alone",
                expected: "both surrogates of a character, as in \\ud83d\\ude00"))
    }

    private mutating func hexadecimal(
        digits: Int, from start: String.Index
    ) throws(LexicalMistake) -> UInt32 {
        var text = ""
        while text.count < digits, let scalar = current, scalar.properties.isASCIIHexDigit {
            text.unicodeScalars.append(scalar)
            advance()
        }
        guard text.count == digits, let number = UInt32(text, radix: 16) else {
            throw expected("\(digits) hexadecimal digits of a character", at: start)
        }
        return number
    }
}

extension StringProtocol {
    /// The text as a name of a property, whatever it has in it.
    var asFormatName: String {
        let scalars = unicodeScalars
        let isPlain = scalars.first?.beginsName == true && scalars.allSatisfy(\.continuesName)
        return isPlain ? String(self) : "`\(self)`"
    }

    /// Whether a word that follows without a space would be read as a part of the last one.
    func runs(into word: String) -> Bool {
        guard let last = unicodeScalars.last, let first = word.unicodeScalars.first else {
            return false
        }
        return last.continuesName && first.continuesName
    }
}

extension Unicode.Scalar {
    fileprivate var beginsName: Bool { self == "_" || properties.isXIDStart }

    fileprivate var continuesName: Bool { self == "_" || properties.isXIDContinue }
}

/// Counts the characters before ascending positions of a text, each of them once.
private struct ColumnCounter {
    private let text: String
    private var reached: String.Index
    private var column = 1

    init(_ text: String) {
        self.text = text
        reached = text.startIndex
    }

    /// The column of a position that is not before one asked for earlier.
    mutating func column(of position: String.Index) -> Int {
        while reached < position {
            let next = text.index(after: reached)
            guard next <= position else { break }
            reached = next
            column += 1
        }
        return column
    }
}
