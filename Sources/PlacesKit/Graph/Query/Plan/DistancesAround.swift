import Foundation
import PlacesBase

/// How far points lie from one point, as haversines, which grow with the distance and take less time.
///
/// - Source: R. W. Sinnott, "Virtues of the Haversine", Sky and Telescope 68 (1984).
struct DistancesAround {
    private static let radians = Double.pi / 180

    private let center: Coordinate
    private let sine: Double
    private let cosine: Double

    init(_ center: Coordinate) {
        self.center = center
        (sine, cosine) = (sin(center.latitude * Self.radians), cos(center.latitude * Self.radians))
    }

    /// The haversine of the angle between the point and another one.
    func haversine(to point: Coordinate) -> Double {
        let height = (point.latitude - center.latitude) * Self.radians
        let width = (point.longitude - center.longitude) * Self.radians
        // Within some 120 kilometres the first terms of the series are exact to one part in 10¹⁰.
        let isNear = abs(height) < 0.02 && abs(width) < 0.02
        let cosineThere =
            isNear
            ? cosine * (1 - height * height / 2 * (1 - height * height / 12))
                - sine * height * (1 - height * height / 6)
            : cos(point.latitude * Self.radians)
        let halfHeight = isNear ? Self.nearSine(height / 2) : sin(height / 2)
        let halfWidth = isNear ? Self.nearSine(width / 2) : sin(width / 2)
        return halfHeight * halfHeight + cosine * cosineThere * halfWidth * halfWidth
    }

    private static func nearSine(_ angle: Double) -> Double {
        let square = angle * angle
        return angle * (1 - square / 6 * (1 - square / 20))
    }

    /// The haversine of a distance; more than any other where it is more than half around the Earth.
    func haversine(of kilometers: Double) -> Double {
        let half = kilometers / (2 * Coordinate.earthRadius)
        return half >= .pi / 2 ? 2 : sin(half) * sin(half)
    }

    /// The distance of a haversine.
    func kilometers(of haversine: Double) -> Double {
        2 * Coordinate.earthRadius * asin(min(1, haversine.squareRoot()))
    }
}
