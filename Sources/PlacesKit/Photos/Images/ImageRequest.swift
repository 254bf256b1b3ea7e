/// A picture that is wanted, and what will do if there is none.
public struct ImageRequest: Sendable, Hashable {
    /// The identifier of the photo within its source.
    public var photo: String
    /// The variants that will do, the best first; each is asked for only if those before it are gone.
    public var ladder: [PhotoVariant]

    /// Creates a request.
    public init(photo: String, ladder: [PhotoVariant]) {
        self.photo = photo
        self.ladder = ladder
    }

    /// Asks for the smallest variant of at least so many pixels, else for the next smaller ones.
    ///
    /// - Parameters:
    ///   - photo: The photo.
    ///   - edge: The wanted length of the longest edge, in pixels.
    ///   - allowsCropping: Whether variants cut to a square will do, as they do for thumbnails.
    public init(_ photo: PhotoRecord, atLeast edge: Int, allowsCropping: Bool = false) {
        let best = photo.variant(atLeast: edge, allowsCropping: allowsCropping)
        let longest = best?.longestEdge ?? 0
        let smaller = photo.variants
            .filter { (allowsCropping || !$0.isCropped) && ($0.longestEdge ?? 0) < longest }
            .sorted { ($0.longestEdge ?? 0) > ($1.longestEdge ?? 0) }
        self.init(photo: photo.identifier, ladder: (best.map { [$0] } ?? []) + smaller)
    }
}
