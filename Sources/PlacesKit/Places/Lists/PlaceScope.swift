/// Which of the places and photos in the library a list shows.
public enum PlaceScope: String, Sendable, Hashable, CaseIterable {
    /// Favorites only.
    case favorites
    /// All that the user has ever viewed.
    case viewed
}
