extension PhotoRecord {
    /// The caption without markup, as plain text.
    public var plainCaption: String { PlainText.rendering(html: caption) }

    /// The text to show for the photo: its title, else its description, else "Unknown".
    ///
    /// A title or description that consists of white space counts as empty.
    public var displayTitle: String {
        let title = title.trimmingWhitespace
        guard title.isEmpty else { return title }
        let caption = plainCaption
        return caption.isEmpty ? "Unknown" : caption
    }

    /// The text to show below the title: the description, unless it already serves as the title.
    public var displaySubtitle: String {
        title.trimmingWhitespace.isEmpty ? "" : plainCaption
    }

    /// The smallest variant whose longest edge is at least `edge` pixels, else the largest variant.
    ///
    /// A variant of unknown size is only returned if there is no other.
    ///
    /// - Parameters:
    ///   - edge: The wanted length of the longest edge, in pixels.
    ///   - allowsCropping: Whether variants cropped to a square are acceptable, as for thumbnails.
    /// - Returns: The variant, or nil if the photo has none.
    public func variant(atLeast edge: Int, allowsCropping: Bool = false) -> PhotoVariant? {
        var best: (edge: Int, index: Int)?
        var last: Int?
        for index in variants.indices where allowsCropping || !variants[index].isCropped {
            last = index
            guard let found = variants[index].longestEdge else { continue }
            let isBetter =
                best.map { best in
                    best.edge < edge ? found > best.edge : found >= edge && found < best.edge
                } ?? true
            if isBetter { best = (found, index) }
        }
        return (best?.index ?? last).map { variants[$0] }
    }
}
