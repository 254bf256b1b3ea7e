import PlacesBase
import PlacesGraph

/// The work under way in a library, shared by all views of its document.
final class LibraryWork {
    /// The queue for changes that would keep the library's actor busy.
    let background = BlockingQueue("PlacesKit.PlacesLibrary")
    /// Lets only one of several changes run at a time that would not survive a merge.
    ///
    /// These are changes in the background, and changes that delete or name objects to which those
    /// changes lead. A merge of two commits does not lead to an object that one of them deleted,
    /// and does not know what the other one would have done to a new photo.
    let turnstile = Turnstile()
    /// The number of the newest load of top places, so that an older load cannot overwrite it.
    var loadNumber = 0
    /// The pins whose albums are being loaded.
    var loadingAlbums: Set<ObjectID> = []
    /// The identifiers of the photos that a person deleted, by what the views' undo knows them by.
    ///
    /// They stay while the library is open: an undo may ask for any, and a person does not delete that many.
    var deletedPhotos: [ObjectID: String] = [:]
    /// The places whose regions are being requested.
    var placesBeingNamed: Set<ObjectID> = []
    /// The photos by which a place could not be named, for their source has them no more.
    var gonePhotos: Set<String> = []
    /// What the source told of photos whose pictures' addresses led nowhere.
    let answers = SourceAnswers()
}

@available(*, unavailable)
extension LibraryWork: Sendable {}
