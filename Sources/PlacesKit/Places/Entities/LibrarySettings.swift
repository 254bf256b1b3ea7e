import Foundation
import PlacesGraph

/// What a library stores besides its lists; there is at most one such object.
final class LibrarySettings: ManagedObject {
    /// The same in every object, so that there can only be one.
    @Attribute(.unique) var key: String
    @Attribute var mapLatitude: Double?
    @Attribute var mapLongitude: Double?
    @Attribute var mapHeight = 0.0
    @Attribute var mapWidth = 0.0
    /// When recent photos were last fetched.
    @Attribute var lastFetch: Date?

    static let key = "settings"
}
