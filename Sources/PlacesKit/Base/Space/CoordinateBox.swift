import Foundation

/// A part of the map between two parallels and two meridians, its edges included.
///
/// If the western edge lies east of the eastern one, the box crosses the 180th meridian.
public struct CoordinateBox: Sendable, Codable, Hashable {
    /// The lower left corner.
    public var southwest: Coordinate
    /// The upper right corner.
    public var northeast: Coordinate

    /// Creates a box from two corners.
    public init(southwest: Coordinate, northeast: Coordinate) {
        self.southwest = southwest
        self.northeast = northeast
    }

    /// Creates the box that extends some degrees from a point to each side, cut off at the poles.
    public init(center: Coordinate, degrees: Double) {
        self = CoordinateBox(southwest: center, northeast: center)
            .expanded(height: degrees, width: degrees)
    }

    /// Whether both corners are points on the Earth, the first south of the second, and on another meridian.
    ///
    /// A box without height or width has points too, which ``contains(_:)`` tells, and no photo source searches it.
    public var isValid: Bool {
        southwest.isValid && northeast.isValid && southwest.latitude < northeast.latitude
            && southwest.longitude != northeast.longitude
    }

    /// Whether the box crosses the 180th meridian.
    package var crossesAntimeridian: Bool { southwest.longitude > northeast.longitude }

    /// Whether a point lies in the box.
    ///
    /// The 180th meridian is one, whether the longitude of a point there is 180 or −180.
    public func contains(_ coordinate: Coordinate) -> Bool {
        let longitude = coordinate.longitude
        return southwest.latitude <= coordinate.latitude
            && coordinate.latitude <= northeast.latitude
            && (spans(longitude) || abs(longitude) == 180 && spans(-longitude))
    }

    /// Whether a longitude, as it is written, lies between the western and the eastern edge.
    func spans(_ longitude: Double) -> Bool {
        let isEast = southwest.longitude <= longitude
        let isWest = longitude <= northeast.longitude
        return crossesAntimeridian ? isEast || isWest : isEast && isWest
    }

    /// The middle of the box.
    public var center: Coordinate {
        let longitude = southwest.longitude + width / 2
        return Coordinate(
            latitude: (southwest.latitude + northeast.latitude) / 2,
            longitude: longitude > 180 ? longitude - 360 : longitude)
    }

    /// The area in square kilometres, computed as height times width at the middle.
    public var area: Double {
        let kilometersPerDegree = Coordinate.earthRadius * Double.pi / 180
        let height = (northeast.latitude - southwest.latitude) * kilometersPerDegree
        return height * width * kilometersPerDegree * cos(center.latitude * .pi / 180)
    }

    /// The parts of the box on either side of the 180th meridian; the box itself if it does not cross it.
    package var parts: [CoordinateBox] {
        guard crossesAntimeridian else { return [self] }
        return [
            CoordinateBox(
                southwest: southwest,
                northeast: Coordinate(latitude: northeast.latitude, longitude: 180)),
            CoordinateBox(
                southwest: Coordinate(latitude: southwest.latitude, longitude: -180),
                northeast: northeast),
        ].filter(\.isValid)
    }

    /// A box with all points that are so near to a point: a little larger than need be.
    package init(around center: Coordinate, kilometers: Double) {
        let angle = max(0, kilometers) / Coordinate.earthRadius * (1 + 1e-9) + 1e-10
        let height = angle * 180 / .pi
        let (south, north) = (center.latitude - height, center.latitude + height)
        // A circle that holds a pole goes around the Earth; the last meridian it touches lies nearer to the pole than
        // its middle.
        let width =
            south <= -90 || north >= 90
            ? .infinity
            : asin(min(1, sin(angle) / cos(center.latitude * .pi / 180))) * 180 / .pi + 1e-9
        self = CoordinateBox(southwest: center, northeast: center)
            .expanded(height: height, width: width)
    }

    /// The box extended by this many kilometres on each side.
    package func expanded(by kilometers: Double) -> CoordinateBox {
        let height = kilometers / 111
        let highest = max(abs(southwest.latitude), abs(northeast.latitude)) + height
        return expanded(height: height, width: height / cos(min(89, highest) * .pi / 180))
    }

    /// The box extended by this many degrees on each side, up to the poles; around the Earth if its sides meet.
    package func expanded(height: Double, width margin: Double) -> CoordinateBox {
        let reachesAround = width + 2 * margin >= 360
        func wrapped(_ longitude: Double) -> Double {
            longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
        }
        return CoordinateBox(
            southwest: Coordinate(
                latitude: max(-90, southwest.latitude - height),
                longitude: reachesAround ? -180 : wrapped(southwest.longitude - margin)),
            northeast: Coordinate(
                latitude: min(90, northeast.latitude + height),
                longitude: reachesAround ? 180 : wrapped(northeast.longitude + margin)))
    }

    private var width: Double {
        northeast.longitude - southwest.longitude + (crossesAntimeridian ? 360 : 0)
    }
}
