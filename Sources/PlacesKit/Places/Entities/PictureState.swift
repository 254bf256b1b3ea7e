import PlacesGraph

/// How far the download of a photo's picture into an album is.
public enum PictureState: String, CaseIterable, Sendable, Codable, AttributeValue {
    /// No album wants it.
    case unwanted
    /// It waits for its turn.
    case waiting
    /// It is being fetched.
    case loading
    /// It is here.
    case ready
    /// It could not be fetched.
    case failed
    /// It could not be fetched, and is being asked for again.
    case retrying

    /// Whether the picture is still to come.
    public var isMissing: Bool {
        switch self {
        case .waiting, .loading, .retrying: true
        case .unwanted, .ready, .failed: false
        }
    }
}
