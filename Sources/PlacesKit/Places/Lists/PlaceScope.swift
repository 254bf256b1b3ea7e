/// Which of the places and photos that are kept a list shows.
public enum PlaceScope: String, Sendable, Hashable, CaseIterable {
    /// Favorites only.
    case favorites
    /// All that were ever viewed.
    case viewed
}
