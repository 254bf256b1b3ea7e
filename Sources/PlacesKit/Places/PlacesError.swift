import Foundation
public import PlacesBase
public import PlacesGraph
import PlacesPhotos

/// Why a library refuses to do something.
public enum PlacesError: DescribedError, Hashable {
    /// The album of a pin is being loaded already.
    case albumIsLoading(pin: String)
    /// These degrees are not a point on the Earth.
    case noPoint(Coordinate)
    /// The height or width of a part of the map is no number of degrees.
    case noExtent(MapRegion)
    /// The object belongs to another view of the library, or to no view.
    case objectOfAnotherView(ObjectID)

    /// One sentence that says what is wrong and what to do.
    public var description: String {
        switch self {
        case .albumIsLoading(let pin):
            "The album of \(pin) is being loaded already; wait until its pictures are there."
        case .noPoint(let coordinate):
            "\(coordinate.latitude), \(coordinate.longitude) is no point of the Earth: latitudes go from "
                + "-90 to 90, longitudes from -180 to 180."
        case .noExtent(let region):
            "No map is \(region.latitudeDelta) degrees high and \(region.longitudeDelta) wide; "
                + "give both as numbers that are not negative."
        case .objectOfAnotherView(let object):
            "\(object) is an object of another view; give each view objects of its own, by "
                + "context.existingObject(_:with:) and the objectID."
        }
    }
}
