import PlacesBase
import PlacesPhotos

/// The visible part of the map: its middle, and its height and width in degrees.
public struct MapRegion: Sendable, Codable, Hashable {
    /// The middle.
    public var center: Coordinate
    /// How many degrees of latitude are visible.
    public var latitudeDelta: Double
    /// How many degrees of longitude are visible.
    public var longitudeDelta: Double

    /// Creates a region of the map.
    public init(center: Coordinate, latitudeDelta: Double, longitudeDelta: Double) {
        self.center = center
        self.latitudeDelta = latitudeDelta
        self.longitudeDelta = longitudeDelta
    }

    /// Whether height and width are numbers of degrees.
    var hasExtent: Bool {
        [latitudeDelta, longitudeDelta].allSatisfy { $0.isFinite && $0 >= 0 }
    }

    /// What is visible, as a part of the map in which objects are looked for.
    public var area: CoordinateArea {
        .box(
            CoordinateBox(southwest: center, northeast: center)
                .expanded(height: latitudeDelta / 2, width: longitudeDelta / 2))
    }
}
