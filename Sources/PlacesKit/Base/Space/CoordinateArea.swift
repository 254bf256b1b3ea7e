/// A part of the Earth's surface in which objects or photos are looked for.
public enum CoordinateArea: Sendable, Codable, Hashable {
    /// The points between two parallels and two meridians, the edges included; it may cross the 180th meridian.
    case box(CoordinateBox)
    /// The points that are at most so many kilometres away from one, on a sphere of 6,371 km.
    case circle(center: Coordinate, kilometers: Double)

    /// Whether a point lies in the area; what is no point of the Earth does not.
    public func contains(_ point: Coordinate) -> Bool {
        guard point.isValid else { return false }
        switch self {
        case .box(let box): return box.contains(point)
        case .circle(let center, let kilometers):
            return center.isValid && center.distance(to: point) <= kilometers
        }
    }

    /// Boxes with all points of the area.
    ///
    /// None of them crosses the 180th meridian, and no two have a point in common.
    /// A point has the longitude that it is written with, so that the 180th meridian may be the edge of two boxes.
    package var boxes: [CoordinateBox] {
        switch self {
        case .box(let box): box.halves
        case .circle(let center, let kilometers):
            center.isValid && kilometers >= 0
                ? CoordinateBox(around: center, kilometers: kilometers).halves : []
        }
    }
}

extension CoordinateBox {
    /// The box, cut where it crosses the 180th meridian, without what lies beyond the poles; where it ends at that meridian,
    /// also the line that is the same with the other sign.
    fileprivate var halves: [CoordinateBox] {
        let edges = [
            southwest.latitude, southwest.longitude, northeast.latitude, northeast.longitude,
        ]
        // Nothing lies between two edges if one of them is not a number.
        if edges.contains(where: \.isNaN) { return [] }
        func box(_ west: Double, _ east: Double) -> CoordinateBox {
            CoordinateBox(
                southwest: Coordinate(
                    latitude: max(-90, southwest.latitude), longitude: max(-180, west)),
                northeast: Coordinate(
                    latitude: min(90, northeast.latitude), longitude: min(180, east)))
        }
        let halves =
            crossesAntimeridian
            ? [box(southwest.longitude, 180), box(-180, northeast.longitude)]
            : [box(southwest.longitude, northeast.longitude)]
        let lines = [180.0, -180].filter { !spans($0) && spans(-$0) }
        return halves + lines.map { box($0, $0) }
    }
}
