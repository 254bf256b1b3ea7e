/// A request for a picture of a photo, with the variants that may be used.
public struct ImageRequest: Sendable, Hashable {
    /// The identifier of the photo within its source.
    public var photo: String
    /// The acceptable variants, best first; one is requested only if those before it are gone.
    public var ladder: [PhotoVariant]

    /// Creates a request.
    public init(photo: String, ladder: [PhotoVariant]) {
        self.photo = photo
        self.ladder = ladder
    }

    /// Requests the smallest variant of at least `edge` pixels, else the next smaller ones.
    ///
    /// - Parameters:
    ///   - photo: The photo.
    ///   - edge: The wanted length of the longest edge, in pixels.
    ///   - allowsCropping: Whether variants cropped to a square are acceptable, as for thumbnails.
    public init(_ photo: PhotoRecord, atLeast edge: Int, allowsCropping: Bool = false) {
        let best = photo.variant(atLeast: edge, allowsCropping: allowsCropping)
        let longest = best?.longestEdge ?? 0
        let smaller = photo.variants
            .filter { (allowsCropping || !$0.isCropped) && ($0.longestEdge ?? 0) < longest }
            .sorted { ($0.longestEdge ?? 0) > ($1.longestEdge ?? 0) }
        self.init(photo: photo.identifier, ladder: (best.map { [$0] } ?? []) + smaller)
    }
}
