/// Something that a photo source can do, or cannot.
public enum PhotoSourceCapability: String, Sendable, Codable, Hashable, CaseIterable {
    /// Name the places where most photos are taken.
    case places
    /// List the photos of a place that it has named.
    case photosOfPlaces
    /// List the newest photos that say where they were taken.
    case recentPhotos
    /// Search the photos around a point.
    case photosNearPoints
    /// Search the photos in a box of the map.
    case photosInBoxes
    /// Say more of a photo than lists do, by its identifier.
    case details
    /// Name the place at a point.
    case placeNames

    /// What it is called in a sentence.
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

extension PhotoArea {
    /// The capability that searching this kind of area needs.
    public var capability: PhotoSourceCapability {
        switch self {
        case .circle: .photosNearPoints
        case .box: .photosInBoxes
        }
    }
}
