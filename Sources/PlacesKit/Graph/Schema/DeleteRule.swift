/// What happens to the objects at the other end of a relationship when its owner is deleted.
public enum DeleteRule: String, Sendable, Codable, CaseIterable {
    /// The other objects stay and forget the deleted one.
    case nullify
    /// The other objects are deleted too.
    case cascade
    /// The owner is not deleted while at least one other object remains.
    case deny
    /// The owner is deleted, whatever it leads to.
    ///
    /// In Core Data the other objects go on referring to an object that is gone. Here no reference
    /// leads nowhere, so this does what `nullify` does.
    case noAction
}
