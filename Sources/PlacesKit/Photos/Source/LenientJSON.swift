import PlacesBase

/// A JSON value, read in all the ways in which services write it.
///
/// The same field may be a string, a number or a boolean, an object with `_content`, or missing.
struct LenientJSON: Sendable {
    private let document: LenientDocument
    /// The index of the value in the document, or a negative number for no value.
    private let index: Int

    @inline(__always)
    private init(_ document: LenientDocument, _ index: Int) {
        self.document = document
        self.index = index
    }

    /// Reads the one value of a JSON text.
    init(parsing bytes: [UInt8]) throws(JSONError) {
        self.init(try LenientDocument(bytes), 0)
    }

    private var kind: LenientDocument.Kind? { index < 0 ? nil : document.tokens[index].kind }

    /// The member of an object; an empty value if there is none or this is not an object.
    @inline(__always)
    subscript(key: StaticString) -> LenientJSON {
        LenientJSON(document, isObject ? document.member(key, of: index) ?? -1 : -1)
    }

    /// Whether there is a value that is not null.
    var exists: Bool { kind != nil && kind != .null }

    /// Whether this is an object.
    var isObject: Bool { kind == .object }

    /// Whether this is an array.
    var isArray: Bool { kind == .array }

    /// The elements of an array; a value that is not an array counts as its only element.
    var elements: [LenientJSON] {
        guard isArray else { return exists ? [self] : [] }
        let end = Int(document.tokens[index].next)
        var elements: [LenientJSON] = []
        var element = index + 1
        while element < end {
            elements.append(LenientJSON(document, element))
            element = Int(document.tokens[element].next)
        }
        return elements
    }

    /// The members of an object, in order; for an array its elements, with empty names.
    var members: [(name: String, value: LenientJSON)] {
        guard isObject else { return elements.map { ("", $0) } }
        let end = Int(document.tokens[index].next)
        var members: [(name: String, value: LenientJSON)] = []
        var key = index + 1
        while key < end {
            members.append((document.text(at: key), LenientJSON(document, key + 1)))
            key = Int(document.tokens[key + 1].next)
        }
        return members
    }

    /// Any scalar as text; booleans as "1" and "0".
    var text: String? {
        switch kind {
        case .plainString, .escapedString, .number: document.text(at: index)
        case .boolTrue: "1"
        case .boolFalse: "0"
        case .object:
            self["_content"].isObject ? nil : self["_content"].text
        case .array, .null, nil: nil
        }
    }

    /// Calls `body` with the reply and the range of this string in it, before escapes are replaced.
    ///
    /// Returns nil if this is not a string.
    func withRawText<Value>(_ body: (UnsafeRawBufferPointer, Range<Int>) -> Value?) -> Value? {
        guard kind == .plainString || kind == .escapedString else { return nil }
        let token = document.tokens[index]
        return document.bytes.withUnsafeBytes { body($0, Int(token.start)..<Int(token.end)) }
    }

    /// Any scalar as text; nil if the text is empty.
    var nonEmptyText: String? {
        guard let text = text?.trimmingWhitespace, !text.isEmpty else { return nil }
        return text
    }

    /// Any scalar as a finite number.
    var double: Double? {
        if kind == .plainString || kind == .number, let number = document.plainDouble(at: index) {
            return number
        }
        guard let number = nonEmptyText.flatMap(Double.init), number.isFinite else { return nil }
        return number
    }

    /// Any scalar as a whole number.
    var int: Int? {
        switch kind {
        case .plainString, .number:
            if let number = document.plainInt(at: index) { return number }
        case nil, .null: return nil
        default: break
        }
        return nonEmptyText.flatMap { Int($0) } ?? double.flatMap { Int(exactly: $0) }
    }

    /// Any scalar as a truth value.
    var bool: Bool? {
        if let number = int { return number == 1 ? true : number == 0 ? false : nil }
        return switch nonEmptyText?.lowercased() {
        case "true", "yes": true
        case "false", "no": false
        default: nil
        }
    }
}
