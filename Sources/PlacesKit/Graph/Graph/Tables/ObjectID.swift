/// The identity of an object, which never changes, even when its document is opened again.
public struct ObjectID: Hashable, Sendable, Codable {
    /// The name of the object's entity.
    public let entity: String
    /// The object's number within its entity.
    public let number: Int64

    package init(entity: String, number: Int64) { (self.entity, self.number) = (entity, number) }
}

extension ObjectID: LosslessStringConvertible {
    /// The entity and the number, as in `Photo/17`.
    public var description: String { "\(entity)/\(number)" }

    /// Makes the identity from its description, as in `Photo/17`; `nil` for any other text.
    ///
    /// The object need not exist: see ``ManagedObjectContext/existingObject(with:)``.
    public init?(_ description: String) {
        // The name of a class may have a slash itself.
        guard let slash = description.utf8.lastIndex(of: UInt8(ascii: "/")),
            slash > description.startIndex,
            let number = Int64(description[slash...].dropFirst())
        else { return nil }
        (entity, self.number) = (String(description[..<slash]), number)
        guard self.description == description else { return nil }
    }
}
