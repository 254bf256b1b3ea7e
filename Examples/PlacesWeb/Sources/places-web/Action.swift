import Foundation
import PlacesKit

/// What a page asks to be done, at the address of a pane.
struct Action: Decodable {
    var action: String
    /// The row that it is about.
    var row: String?
    var isFavorite: Bool?
    var latitude: Double?
    var longitude: Double?
    var name: String?
    var region: MapRegion?

    var coordinate: Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}

/// What came of an action.
struct ActionAnswer: Encodable {
    /// Where the page goes on, if elsewhere.
    var path: String?
    /// What went wrong, for a person.
    var failure: String?
}
