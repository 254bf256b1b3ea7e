import Foundation
import PlainModel

/// The same class as `PlainPhoto`, in the module that uses it: nothing is left to check.
final class LocalPhoto: PlainObject {
    var views = 0

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

    init(uniqueID: String) {
        self.uniqueID = uniqueID
    }
}
