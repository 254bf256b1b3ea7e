/// For how long a photo source allows its answers to be kept, and what it asks of those who show them.
public struct PhotoCachingPolicy: Sendable, Codable, Hashable {
    /// How old a kept answer or thumbnail may become, in seconds, before it is asked for again; nil for any age.
    public var maximumAge: Double?
    /// Whether a photo that the user chose to keep may stay longer, as long as it is still published.
    public var mayKeepFavorites: Bool
    /// Whether `PhotoRecord.creditLine` has to be shown with a photo.
    public var requiresCredit: Bool
    /// Whether a photo has to link to its `PhotoRecord.pageURL`.
    public var requiresPageLink: Bool
    /// Words that the source wants an application to show.
    public var notice: String?

    /// Creates a policy; by default everything may be kept for ever.
    public init(
        maximumAge: Double? = nil, mayKeepFavorites: Bool = true, requiresCredit: Bool = false,
        requiresPageLink: Bool = false, notice: String? = nil
    ) {
        self.maximumAge = maximumAge
        self.mayKeepFavorites = mayKeepFavorites
        self.requiresCredit = requiresCredit
        self.requiresPageLink = requiresPageLink
        self.notice = notice
    }
}
