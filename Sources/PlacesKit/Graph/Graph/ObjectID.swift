/// The identity of an object: stable for its life, across saves and openings of its document.
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

    /// The identity that is described so, as in `Photo/17`; `nil` for any other text.
    ///
    /// There need be no such object: see ``ManagedObjectContext/existingObject(with:)``.
    public init?(_ description: String) {
        let parts = description.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let number = Int64(parts[1]) else { return nil }
        (entity, self.number) = (String(parts[0]), number)
        guard self.description == description else { return nil }
    }
}
