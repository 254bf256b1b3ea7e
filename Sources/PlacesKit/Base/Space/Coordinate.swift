import Foundation

/// A point on the Earth in degrees of latitude and longitude (WGS 84).
///
/// It stores any two numbers as they came; `isValid` says whether they are a point on the Earth.
/// Photo sources only return valid coordinates.
public struct Coordinate: Sendable, Codable, Hashable {
    /// Degrees north of the equator, from -90 to 90.
    public var latitude: Double
    /// Degrees east of Greenwich, from -180 to 180.
    public var longitude: Double

    /// Creates a coordinate from degrees.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether both numbers are in their range; infinities and NaN are not.
    public var isValid: Bool {
        (-90...90).contains(latitude) && (-180...180).contains(longitude)
    }

    /// The radius of the sphere on which distances are measured, in kilometres.
    package static let earthRadius = 6_371.0

    /// The great-circle distance in kilometres, on a sphere of 6,371 km.
    public func distance(to other: Coordinate) -> Double {
        let radians = Double.pi / 180
        let halfHeight = sin((other.latitude - latitude) * radians / 2)
        let halfWidth = sin((other.longitude - longitude) * radians / 2)
        let haversine =
            halfHeight * halfHeight
            + cos(latitude * radians) * cos(other.latitude * radians) * halfWidth * halfWidth
        return 2 * Self.earthRadius * asin(min(1, haversine.squareRoot()))
    }
}
