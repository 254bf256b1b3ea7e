import PlacesBase
import PlacesGraph

/// The work under way in a library, shared by all views of its document.
final class LibraryWork {
    /// The queue for changes that would keep the library's actor busy.
    let background = BlockingQueue("PlacesKit.PlacesLibrary")
    /// Lets only one of the following run at a time: changes in the background, and changes of the
    /// user that delete or name objects to which the former add photos.
    ///
    /// When two commits are merged, neither adds links to an object that the other deleted, and
    /// neither does for new photos what the other did for existing ones.
    let turnstile = Turnstile()
    /// The number of the newest load of top places, so that an older load cannot overwrite it.
    var loadNumber = 0
    /// The pins whose albums are being loaded.
    var loadingAlbums: Set<ObjectID> = []
    /// The places whose regions are being requested.
    var placesBeingNamed: Set<ObjectID> = []
}

@available(*, unavailable)
extension LibraryWork: Sendable {}
