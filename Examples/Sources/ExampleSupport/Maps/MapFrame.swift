import PlacesKit

/// The part of the world that a map shows, in degrees; all degrees are as wide as high.
struct MapFrame {
    /// So many degrees of longitude are shown at least, so that one sees where in the world it is.
    private static let leastWidth = 50.0
    /// So much of the map is free around what is on it.
    private static let margin = 1.3

    private(set) var west = -180.0
    private(set) var north = 90.0
    private(set) var width = 360.0
    private(set) var height: Double

    /// The part around some points whose width is so many times its height.
    init(around points: [Coordinate], ratio: Double) {
        let (longitudes, latitudes) = (points.map(\.longitude), points.map(\.latitude))
        let (west, east) = (longitudes.min() ?? -180, longitudes.max() ?? 180)
        let (south, north) = (latitudes.min() ?? -90, latitudes.max() ?? 90)
        let needed = max(Self.leastWidth, (east - west) * Self.margin)
        let width = max(needed, (north - south) * Self.margin * ratio)
        // Most of the world is all of it.
        self.width = width > 240 ? 360 : width
        height = self.width / ratio
        self.west = Self.start(of: self.width, around: (west + east) / 2, in: -180...180)
        // Of the whole world the middle is shown north of the equator, as land is.
        let middle = self.width == 360 && (-50...80).contains(south) ? 15 : (south + north) / 2
        self.north = Self.start(of: height, around: middle, in: -90...90) + height
    }

    /// Where a part of a range begins that has a middle, or is as near to it as the range allows.
    private static func start(
        of length: Double, around middle: Double, in range: ClosedRange<Double>
    ) -> Double {
        let last = range.upperBound - length
        guard last > range.lowerBound else {
            return (range.lowerBound + range.upperBound - length) / 2
        }
        return min(max(middle - length / 2, range.lowerBound), last)
    }
}
