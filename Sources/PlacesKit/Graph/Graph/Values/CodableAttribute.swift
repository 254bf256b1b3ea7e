/// A `Codable` type that an attribute can have; PlacesKit stores its values as JSON.
///
/// ```swift
/// struct Address: CodableAttribute {
///     var street = ""
///     var city = ""
/// }
///
/// final class Person: ManagedObject {
///     @Attribute var address = Address()
///     @Attribute var nicknames: [String]
/// }
/// ```
///
/// - Arrays, sets and dictionaries of `Codable` attribute values already conform. A type with raw
///   values conforms to ``AttributeValue`` instead.
/// - An attribute that is not optional needs a default, unless its type can be decoded from an
///   empty array or object: it must have a value even before you give it one.
/// - Each read decodes and each write encodes. Keep what you read often in attributes of its own.
/// - Writing a value that is equal to that of the attribute, or to the saved one, is no change, though a set inside
///   it may be encoded in another order.
/// - Predicates and sort descriptors read the objects, since equal values may have different JSON.
/// - If encoding a value throws, or writes a `Decimal` that is not a number, the next save refuses it, and
///   so it does if the type cannot decode what it encoded. If a file has a value that the type cannot
///   decode, opening the document refuses it.
public protocol CodableAttribute: AttributeValue, Codable where Stored == String {}

@_documentation(visibility: internal)
extension CodableAttribute {
    /// Decodes a value; `nil` if the type cannot be decoded from the JSON.
    ///
    /// If a value could not be encoded, its attribute reads as a default of the type until the save
    /// that refuses it.
    @_disfavoredOverload
    public init?(stored: String) {
        guard let value = CodableText.decode(Self.self, from: stored) else { return nil }
        self = value
    }

    /// The value as JSON; empty if it cannot be encoded.
    public var stored: String { CodableText.encode(self) }

    /// `true`.
    @inlinable public static var isKeptAsJSON: Bool { true }
}

extension AttributeType {
    /// Whether values of a Swift type are kept as JSON, in which equal ones may be written differently.
    static func isJSON(_ type: Any.Type) -> Bool {
        (type as? any AttributeValue.Type)?.attributeType == .json
    }
}

extension Array: CodableAttribute where Element: AttributeValue & Codable {}

extension Set: CodableAttribute where Element: AttributeValue & Codable {}

extension Dictionary: CodableAttribute
where Key: AttributeValue & Codable, Value: AttributeValue & Codable {}
