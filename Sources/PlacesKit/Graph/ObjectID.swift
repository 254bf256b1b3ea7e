/// The identity of an object: stable for its life, across saves and openings of its document.
public struct ObjectID: Hashable, Sendable, Codable {
    /// The name of the object's entity.
    public let entity: String
    /// The object's number within its entity.
    public let number: Int64
}

extension ObjectID: CustomStringConvertible {
    /// The entity and the number, as in `Photo/17`.
    public var description: String { "\(entity)/\(number)" }
}
