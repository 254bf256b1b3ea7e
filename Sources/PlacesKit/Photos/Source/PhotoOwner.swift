/// The photographer, or whoever published the photo.
public struct PhotoOwner: Sendable, Codable, Hashable {
    /// The identifier within its source.
    public var identifier: String
    /// The name to show; empty if the source does not know it.
    public var name: String

    /// Creates an owner.
    public init(identifier: String, name: String = "") {
        self.identifier = identifier
        self.name = name
    }
}
