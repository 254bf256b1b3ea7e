import PlacesBase

/// How far the album of a pin is.
public enum AlbumState: Sendable, Hashable {
    /// Its photos are still to be looked for.
    case notSearched
    /// So many of its pictures are still to come.
    case downloading(missing: Int)
    /// All its pictures are here.
    case ready
    /// There are no photos around the pin.
    case empty
    /// So many of its pictures could not be fetched; loading the album asks for them again.
    case incomplete(failed: Int)

    /// How far an album of so many photos is, in words.
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
