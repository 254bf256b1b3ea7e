/// A `Codable` type that an attribute can have; its values are kept as JSON.
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
/// - Arrays, sets and dictionaries of `Codable` attribute values conform already. A type of raw values
///   adopts ``AttributeValue`` instead.
/// - An attribute that is not optional needs a default, unless its type can be decoded from an empty
///   array or object: it must read as something before it is given a value.
/// - Each read decodes and each write encodes: keep what is read often in attributes of its own.
/// - Predicates and sort descriptors ask the objects, for equal values may be written differently.
/// - A value that throws when it is encoded is refused by the next save, and one in a file that the
///   type cannot decode when the document is opened.
public protocol CodableAttribute: AttributeValue, Codable where Stored == String {}

@_documentation(visibility: internal)
extension CodableAttribute {
    /// Decodes a value; `nil` where the type cannot be decoded from the JSON.
    ///
    /// An attribute whose value could not be encoded reads as a default of the type, until the save
    /// that refuses it.
    public init?(stored: String) {
        guard let value = CodableText.decode(Self.self, from: stored) else { return nil }
        self = value
    }

    /// The value as JSON; empty where it cannot be encoded.
    public var stored: String { CodableText.encode(self) }
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
