/// Something that a photo source may be able to do.
public enum PhotoSourceCapability: String, Sendable, Codable, Hashable, CaseIterable {
    /// Name the places where most photos are taken.
    case places
    /// List the photos of a place that it returned.
    case photosOfPlaces
    /// List the newest photos that have a position.
    case recentPhotos
    /// Search the photos around a point.
    case photosNearPoints
    /// Search the photos in a box of the map.
    case photosInBoxes
    /// Tell more about a photo than lists contain, by its identifier.
    case details
    /// Name the place at a point.
    case placeNames

    /// The words for it in a sentence.
    var phrase: String {
        switch self {
        case .places: "listing places"
        case .photosOfPlaces: "listing the photos of a place"
        case .recentPhotos: "listing recent photos"
        case .photosNearPoints: "searching around a point"
        case .photosInBoxes: "searching in a box"
        case .details: "looking up a photo"
        case .placeNames: "naming the place at a point"
        }
    }
}

extension CoordinateArea {
    /// The capability that a source needs to search this kind of area.
    public var capability: PhotoSourceCapability {
        switch self {
        case .circle: .photosNearPoints
        case .box: .photosInBoxes
        }
    }
}
