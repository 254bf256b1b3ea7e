/// What happens to the objects at the other end of a relationship when its owner is deleted.
public enum DeleteRule: String, Sendable, Codable, CaseIterable {
    /// The other objects stay and forget the deleted one.
    case nullify
    /// The other objects are deleted too.
    case cascade
    /// A save refuses the delete while at least one other object remains.
    ///
    /// Until the others are deleted or moved to another owner, the deleted owner keeps its links to them.
    case deny
    /// The owner is deleted, whatever other objects it has.
    ///
    /// In Core Data the other objects then refer to a deleted object. In PlacesKit no reference
    /// ever does, so this is the same as `nullify`.
    case noAction
}
