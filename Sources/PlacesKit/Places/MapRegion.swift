import PlacesPhotos

/// The part of the map that is shown: its middle, and how many degrees it is high and wide.
public struct MapRegion: Sendable, Codable, Hashable {
    /// The middle.
    public var center: Coordinate
    /// How many degrees of latitude are shown.
    public var latitudeDelta: Double
    /// How many degrees of longitude are shown.
    public var longitudeDelta: Double

    /// Creates a region of the map.
    public init(center: Coordinate, latitudeDelta: Double, longitudeDelta: Double) {
        self.center = center
        self.latitudeDelta = latitudeDelta
        self.longitudeDelta = longitudeDelta
    }
}
