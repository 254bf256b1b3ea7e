/// Which picture it is: of which source, which photo, and which of its variants.
struct ImageKey: Hashable, Sendable {
    var source: String
    var photo: String
    var variant: String
}
