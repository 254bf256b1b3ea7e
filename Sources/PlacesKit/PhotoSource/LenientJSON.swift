/// A JSON value read the way services write it: the same field is a string here, a number or a boolean
/// there, an object with `_content` elsewhere, and missing in between.
struct LenientJSON: Sendable {
    private let document: LenientDocument?
    private let index: Int
    private var indexedMembers: LenientMembers?

    private init(_ document: LenientDocument?, _ index: Int) {
        self.document = document
        self.index = index
    }

    /// The one value of a JSON text.
    init(parsing bytes: [UInt8]) throws(JSONError) {
        self.init(try LenientDocument(bytes), 0)
    }

    private static let nothing = LenientJSON(nil, 0)

    private var kind: LenientDocument.Kind? { document?.tokens[index].kind }

    /// The member of an object; an empty value if there is none or this is no object.
    subscript(key: StaticString) -> LenientJSON {
        guard let document, document.tokens[index].kind == .object else { return Self.nothing }
        let member =
            indexedMembers.map { $0.member(key, in: document) }
            ?? document.member(key, of: index)
        return member.map { LenientJSON(document, $0) } ?? Self.nothing
    }

    /// The same value, an object of which many members will be asked for.
    ///
    /// Names could be chosen to make the index of a huge object slow, so it has none.
    var withIndexedMembers: LenientJSON {
        guard let document, isObject, Int(document.tokens[index].next) - index < 4_096 else {
            return self
        }
        var value = self
        value.indexedMembers = LenientMembers(of: index, in: document)
        return value
    }

    /// Whether there is a value at all, and not null.
    var exists: Bool { document != nil && kind != .null }

    /// Whether this is an object.
    var isObject: Bool { kind == .object }

    /// Whether this is an array.
    var isArray: Bool { kind == .array }

    /// The elements of an array; an only element may stand without one, and nothing has none.
    var elements: [LenientJSON] {
        guard let document, isArray else { return exists ? [self] : [] }
        let end = Int(document.tokens[index].next)
        var elements: [LenientJSON] = []
        var element = index + 1
        while element < end {
            elements.append(LenientJSON(document, element))
            element = Int(document.tokens[element].next)
        }
        return elements
    }

    /// The members of an object, in order; an array has its elements under empty names.
    var members: [(name: String, value: LenientJSON)] {
        guard let document, isObject else { return elements.map { ("", $0) } }
        let end = Int(document.tokens[index].next)
        var members: [(name: String, value: LenientJSON)] = []
        var key = index + 1
        while key < end {
            members.append((document.text(at: key), LenientJSON(document, key + 1)))
            key = Int(document.tokens[key + 1].next)
        }
        return members
    }

    /// Any scalar as text, booleans as "1" and "0".
    var text: String? {
        switch kind {
        case .plainString, .escapedString, .number: document?.text(at: index)
        case .boolTrue: "1"
        case .boolFalse: "0"
        case .object:
            self["_content"].isObject ? nil : self["_content"].text
        case .array, .null, nil: nil
        }
    }

    /// Any scalar as text, if it has some.
    var nonEmptyText: String? {
        guard let text = text?.trimmingWhitespace, !text.isEmpty else { return nil }
        return text
    }

    /// Any scalar as a finite number.
    var double: Double? {
        guard let number = nonEmptyText.flatMap(Double.init), number.isFinite else { return nil }
        return number
    }

    /// Any scalar as a whole number.
    var int: Int? {
        switch kind {
        case .plainString, .number:
            if let number = document?.plainInt(at: index) { return number }
        case nil, .null: return nil
        default: break
        }
        return nonEmptyText.flatMap { Int($0) } ?? double.flatMap { Int(exactly: $0) }
    }

    /// Any scalar as a truth value.
    var bool: Bool? {
        switch nonEmptyText?.lowercased() {
        case "1", "true", "yes": true
        case "0", "false", "no": false
        default: nil
        }
    }
}
