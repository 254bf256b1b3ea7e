import PlacesBase

/// The progress of a pin's album.
public enum AlbumState: Sendable, Hashable {
    /// The library has not searched for its photos yet, or has to search for some again that an undo could not bring back.
    case notSearched
    /// This many of its pictures have not been downloaded yet.
    case downloading(missing: Int)
    /// All its pictures have been downloaded.
    case ready
    /// There are no photos around the pin.
    case empty
    /// This many of its pictures could not be fetched; loading the album tries them again.
    case incomplete(failed: Int)

    /// The state in words, for an album of `count` photos.
    func words(of count: Int) -> String {
        switch self {
        case .notSearched: "not looked for yet"
        case .downloading(let missing): "\(count - missing) of \(count) pictures"
        case .ready: count.counted("picture")
        case .empty: "no photos here"
        case .incomplete(let failed): "\(count - failed) of \(count) pictures, \(failed) failed"
        }
    }
}
