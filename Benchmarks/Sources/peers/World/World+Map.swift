import PlacesKit

/// What is asked of a map.
extension World {
    /// The boxes that `in-box` shows: of a town, a country and half a continent, on both sides of the 180th meridian too.
    var boxes: [CoordinateBox] {
        mapCenters.enumerated().map { index, center in
            CoordinateBox(center: center, degrees: [0.5, 2, 8][index % 3])
        }
    }

    /// The points whose nearest photos `nearest-50` finds.
    var mapCenters: [Coordinate] {
        (0..<60).map { number in
            let fraction = Double(number * 37 % 60) / 60
            return Coordinate(
                latitude: Double(number) * 2.5 - 74, longitude: fraction * 359.8 - 179.9)
        }
    }
}
