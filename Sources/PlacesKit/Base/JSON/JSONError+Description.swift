extension JSONError {
    /// The position, the fault and the remedy in one sentence.
    public var description: String {
        "line \(line), column \(column) (byte \(byteOffset)): \(kind)"
    }

    /// Says that the file cannot be read, then gives ``description``.
    public var errorDescription: String? {
        "The file cannot be read at \(description)."
    }
}

extension JSONError.Kind {
    /// The fault without its position.
    @usableFromInline package var description: String {
        switch self {
        case .unexpectedByte(let byte, let expected):
            "expected \(expected), found \(Self.name(of: byte))"
        case .unexpectedEnd(let expected):
            "expected \(expected), found the end of the text; it may have been cut off"
        case .byteOrderMark:
            "the text begins with a byte order mark; save it as UTF-8 without one"
        case .unterminatedString:
            "this string has no closing '\"'; the text may have been cut off"
        case .controlCharacter(let byte):
            "the control character \(Self.name(of: byte)) must be escaped in a string"
        case .invalidEscape:
            #"expected one of \" \\ \/ \b \f \n \r \t or \u with four hexadecimal digits"#
        case .loneSurrogate:
            #"expected a pair of surrogates, such as \ud83c\udf0d, found half of one"#
        case .invalidUTF8:
            "the bytes are not UTF-8; save the text in that encoding"
        case .notAnInteger:
            "expected an integer, found a number with a fraction or an exponent"
        case .numberOutOfRange(let type):
            "this number does not fit \(type)"
        case .wrongType(let expected, let found):
            "expected \(expected), found \(found)"
        case .invalidValue(let expected):
            "expected \(expected)"
        case .nestingTooDeep(let limit):
            "arrays and objects are nested deeper than \(limit) levels"
        case .trailingBytes:
            "expected the end of the text after its value"
        }
    }

    private static func name(of byte: UInt8) -> String {
        if (0x21...0x7E).contains(byte) {
            return "'\(Unicode.Scalar(byte))'"
        }
        let digits = String(byte, radix: 16, uppercase: true)
        return "byte 0x" + (digits.count == 1 ? "0" : "") + digits
    }
}

extension JSONError.ValueKind {
    /// The type with its article.
    @usableFromInline package var description: String {
        switch self {
        case .object, .array: "an \(rawValue)"
        case .string, .number, .boolean: "a \(rawValue)"
        case .null: rawValue
        }
    }
}
