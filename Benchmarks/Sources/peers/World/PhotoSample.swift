import Foundation

/// The attributes of one photo, before any contestant has stored it.
///
/// A class, so that going through them does not copy five strings for each.
final class PhotoSample: Sendable {
    let uniqueID: String
    let title: String
    let subtitle: String
    let url: String
    let views: Int
    let rating: Int
    let latitude: Double
    let longitude: Double
    let isFavorite: Bool
    let dateUploaded: Date
    let lastViewed: Date?
    let photographer: String
    /// The position of its place in the world's places.
    let place: Int

    init(
        uniqueID: String, title: String, subtitle: String, url: String, views: Int, rating: Int,
        latitude: Double, longitude: Double, isFavorite: Bool, dateUploaded: Date,
        lastViewed: Date?, photographer: String, place: Int
    ) {
        self.uniqueID = uniqueID
        self.title = title
        self.subtitle = subtitle
        self.url = url
        self.views = views
        self.rating = rating
        self.latitude = latitude
        self.longitude = longitude
        self.isFavorite = isFavorite
        self.dateUploaded = dateUploaded
        self.lastViewed = lastViewed
        self.photographer = photographer
        self.place = place
    }
}
