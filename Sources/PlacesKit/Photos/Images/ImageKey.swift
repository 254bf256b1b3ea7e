/// Identifies a picture by its source, its photo and its variant.
struct ImageKey: Hashable, Sendable {
    var source: String
    var photo: String
    var variant: String
}
