/// How a list of tags is sorted; the tag of all photos is always the first.
public enum TagOrder: String, Sendable, Hashable, CaseIterable {
    /// By name.
    case name
    /// By the number of photos, the largest first, and then by name.
    case photoCount
}
