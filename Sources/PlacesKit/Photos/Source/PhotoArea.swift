/// A part of the Earth to search for photos.
public enum PhotoArea: Sendable, Codable, Hashable {
    /// All points within `radius` kilometres of a point.
    case circle(center: Coordinate, radius: Double)
    /// All points between two parallels and two meridians.
    case box(CoordinateBox)

    /// Whether a point lies in the area.
    public func contains(_ coordinate: Coordinate) -> Bool {
        switch self {
        case .circle(let center, let radius): center.distance(to: coordinate) <= radius
        case .box(let box): box.contains(coordinate)
        }
    }

    /// The middle of the area.
    public var center: Coordinate {
        switch self {
        case .circle(let center, _): center
        case .box(let box): box.center
        }
    }
}
