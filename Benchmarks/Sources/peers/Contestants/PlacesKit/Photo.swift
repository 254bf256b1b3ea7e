import Foundation
import PlacesKit

final class Photo: ManagedObject {
    @Attribute(.unique) var uniqueID: String
    @Attribute var title = ""
    @Attribute var subtitle = ""
    @Attribute var url = ""
    @Attribute var views = 0
    @Attribute var rating = 0
    @Attribute var latitude = 0.0
    @Attribute var longitude = 0.0
    @Attribute var isFavorite = false
    @Attribute var dateUploaded = Date.distantPast
    @Attribute var lastViewed: Date?
    @Attribute var photographer = ""
    @Relationship(inverse: \Place.photos) var takenAt: Place?
}
