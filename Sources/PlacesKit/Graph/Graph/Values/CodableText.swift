import Foundation
import PlacesBase

/// The JSON that stands for a `Codable` value in a column.
///
/// Keys are sorted, and so are the elements of a set and the pairs of a dictionary whose keys are not
/// text, so that an unchanged value gives an unchanged text. Sets inside other values keep the order
/// in which they come: compare the values, not the texts.
enum CodableText {
    /// How deep a value may be nested: less than what the readers of snapshots allow for a whole file.
    static let nestingLimit = 256

    /// The JSON of a value; empty, which is no JSON, where it cannot be encoded.
    static func encode(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        // An attribute that holds no value is written as `null`.
        guard let text = (value as? any OrderlessElements)?.text(encoder) ?? encoder.text(value),
            text != "null", isValue(text)
        else { return "" }
        return text
    }

    /// The value of a JSON text, or `nil` where the type cannot be decoded from it.
    static func decode<Value: Decodable>(_ type: Value.Type, from text: String) -> Value? {
        guard !text.isEmpty else { return nil }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return try? decoder.decode(type, from: Data(text.utf8))
    }

    /// Whether two texts have the same bytes, in whatever order.
    ///
    /// Those of equal values have them, unless something is spelled otherwise in one, as `é` and `-0.0` may be.
    static func haveSameBytes(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.utf8.sorted() == right.utf8.sorted()
    }

    /// Whether a text is one JSON value, and not nested too deeply: Foundation's encoder writes a `Decimal` that is not
    /// a number as the bare word NaN.
    private static func isValue(_ text: String) -> Bool {
        let read: Void? = try? JSONReader.read(Array(text.utf8)) { reader in
            reader.depth = JSONReader.nestingLimit - nestingLimit
            try reader.skipValue()
        }
        return read != nil
    }
}

extension JSONEncoder {
    fileprivate func text(_ value: some Encodable) -> String? {
        (try? encode(value)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The JSON of an array whose elements are `values`, a group of texts at a time, in the order of
    /// the groups; `nil` where one cannot be encoded.
    fileprivate func sortedText(_ groups: [[String?]]) -> String? {
        var texts: [[String]] = []
        for group in groups {
            let encoded = group.compactMap(\.self)
            guard encoded.count == group.count else { return nil }
            texts.append(encoded)
        }
        texts.sort { $0.lexicographicallyPrecedes($1) }
        return "[" + texts.joined().joined(separator: ",") + "]"
    }
}

/// A collection that has no order of its own, and so is written in that of its elements' texts.
private protocol OrderlessElements {
    /// The JSON of the collection, or `nil` where it is written as the encoder has it.
    func text(_ encoder: JSONEncoder) -> String?
}

extension Set: OrderlessElements where Element: Encodable {
    fileprivate func text(_ encoder: JSONEncoder) -> String? {
        encoder.sortedText(map { [encoder.text($0)] })
    }
}

extension Dictionary: OrderlessElements where Key: Encodable, Value: Encodable {
    fileprivate func text(_ encoder: JSONEncoder) -> String? {
        // These are written as objects, whose keys the encoder sorts.
        guard Key.self != String.self, Key.self != Int.self,
            !(Key.self is any CodingKeyRepresentable.Type)
        else { return nil }
        return encoder.sortedText(map { [encoder.text($0), encoder.text($1)] })
    }
}
