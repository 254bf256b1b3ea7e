import PlacesGraph

/// The state of the download of a photo's picture into an album.
public enum PictureState: String, CaseIterable, Sendable, Codable, AttributeValue {
    /// No album wants it.
    case unwanted
    /// It is waiting for its turn.
    case waiting
    /// It is being fetched.
    case loading
    /// It has been downloaded.
    case ready
    /// It could not be fetched.
    case failed
    /// It could not be fetched, and the library is trying again.
    case retrying

    /// Whether the picture is still to be downloaded.
    var isMissing: Bool {
        switch self {
        case .waiting, .loading, .retrying: true
        case .unwanted, .ready, .failed: false
        }
    }
}
