import Foundation
import PlacesGraph

/// What a library remembers besides its lists; there is one at most.
final class LibrarySettings: ManagedObject {
    /// The same for all, so that there is one only.
    @Attribute(.unique) var key: String
    @Attribute var mapLatitude: Double?
    @Attribute var mapLongitude: Double?
    @Attribute var mapHeight = 0.0
    @Attribute var mapWidth = 0.0
    /// When recent photos were fetched last.
    @Attribute var lastFetch: Date?

    static let key = "settings"
}
