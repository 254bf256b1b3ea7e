import Foundation

/// A JSON value read the way Flickr writes it: the same field is a string here, a number or a boolean
/// there, an object with `_content` elsewhere, and missing in between.
struct LenientJSON {
    private let value: Any?

    init(_ value: Any?) {
        self.value = value
    }

    /// The member of an object; an empty value if there is none or this is no object.
    subscript(key: String) -> LenientJSON {
        LenientJSON((value as? [String: Any])?[key])
    }

    /// Whether there is a value at all, and not null.
    var exists: Bool { value != nil && !(value is NSNull) }

    /// The members' names, if this is an object.
    var isObject: Bool { value is [String: Any] }

    /// The elements of an array; an only element may stand without one, and nothing has none.
    var elements: [LenientJSON] {
        if let array = value as? [Any] { return array.map { LenientJSON($0) } }
        return exists ? [self] : []
    }

    /// Any scalar as text, booleans as "1" and "0".
    var text: String? {
        switch value {
        case let text as String: text
        case let number as NSNumber: number.stringValue
        case let object as [String: Any]: LenientJSON(object["_content"]).scalarText
        default: nil
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
        nonEmptyText.flatMap { Int($0) } ?? double.flatMap { Int(exactly: $0) }
    }

    /// Any scalar as a truth value.
    var bool: Bool? {
        switch nonEmptyText?.lowercased() {
        case "1", "true", "yes": true
        case "0", "false", "no": false
        default: nil
        }
    }

    private var scalarText: String? { isObject ? nil : text }
}
