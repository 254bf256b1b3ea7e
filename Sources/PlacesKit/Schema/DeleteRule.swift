/// What happens to the objects at the other end of a relationship when its owner is deleted.
public enum DeleteRule: String, Sendable, Codable, CaseIterable {
    /// The other objects stay and forget the deleted one.
    case nullify
    /// The other objects are deleted too.
    case cascade
    /// The owner is not deleted while at least one other object remains.
    case deny
}
