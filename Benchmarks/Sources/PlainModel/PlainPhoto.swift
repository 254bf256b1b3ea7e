import Foundation

/// A photo as a plain class of another module, with the stored properties of the other photos.
///
/// As it is public, each access to it from outside is checked for exclusivity while it runs.
public final class PlainPhoto {
    /// The number of times it was looked at.
    public var views = 0

    let uniqueID: String
    var title = ""
    var subtitle = ""
    var url = ""
    var rating = 0
    var latitude = 0.0
    var longitude = 0.0
    var isFavorite = false
    var dateUploaded = Date.distantPast
    var lastViewed: Date?
    var photographer = ""
    var takenAt: PlainPlace?

    /// Makes a photo whose other attributes have their defaults.
    public init(uniqueID: String) {
        self.uniqueID = uniqueID
    }
}
