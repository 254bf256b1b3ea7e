/// How long a photo source allows its replies to be kept, and what those who show them have to do.
public struct PhotoCachingPolicy: Sendable, Codable, Hashable {
    /// The age from which a kept reply or thumbnail is fetched again; nil for no limit.
    public var maximumAge: Duration?
    /// Whether a favorite photo may be kept longer, as long as its source still publishes it.
    public var mayKeepFavorites: Bool
    /// Whether `PhotoRecord.creditLine` has to be shown with a photo.
    public var requiresCredit: Bool
    /// Whether a photo has to link to its `PhotoRecord.pageURL`.
    public var requiresPageLink: Bool
    /// A text that the source wants an application to show.
    public var notice: String?

    /// Creates a policy; by default everything may be kept for ever.
    public init(
        maximumAge: Duration? = nil, mayKeepFavorites: Bool = true, requiresCredit: Bool = false,
        requiresPageLink: Bool = false, notice: String? = nil
    ) {
        self.maximumAge = maximumAge
        self.mayKeepFavorites = mayKeepFavorites
        self.requiresCredit = requiresCredit
        self.requiresPageLink = requiresPageLink
        self.notice = notice
    }
}
