import Foundation

/// The attributes of one photo, before any contestant has stored it.
struct PhotoSample {
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
}
