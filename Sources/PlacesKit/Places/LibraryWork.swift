import PlacesBase
import PlacesGraph

/// What is under way in a library, whichever view of its document began it.
final class LibraryWork {
    /// Where changes are made that would keep the library's actor busy.
    let background = BlockingQueue("PlacesKit.PlacesLibrary")
    /// What changes in the background passes, and what deletes or names that to which such changes lead:
    /// a merge of two commits does not lead to what one of them has deleted, and does not know what the
    /// other one would have done to a new photo.
    let turnstile = Turnstile()
    /// Which load of top places is the newest, so that an older one cannot overwrite it.
    var loadNumber = 0
    /// The pins whose albums are being loaded.
    var loadingAlbums: Set<ObjectID> = []
    /// The places whose regions are being asked for.
    var placesBeingNamed: Set<ObjectID> = []
}

@available(*, unavailable)
extension LibraryWork: Sendable {}
