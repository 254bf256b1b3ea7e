import Foundation

/// What identifies a place at Flickr: its place id, its WOE id, or a cell of the map grid.
///
/// Replies since about 2020 contain WOE ids but hardly any place ids. A cell is a tenth of a degree
/// wide and high.
enum FlickrPlaceKey: Hashable, Sendable {
    case placeID(String)
    case woeID(String)
    case cell(latitude: Int, longitude: Int)

    /// The key for the identifier of a place record; nil if that is empty, not a cell of the map, or
    /// nothing that Flickr calls a place.
    ///
    /// What Flickr does not understand it may leave out of a search, which then finds photos from
    /// everywhere.
    init?(identifier: String) {
        let parts = identifier.split(separator: ":", omittingEmptySubsequences: false)
        switch (parts.first, parts.count) {
        case ("woe", 2):
            guard let woeID = Self.name(String(parts[1])) else { return nil }
            self = .woeID(woeID)
        case ("cell", 3):
            guard let latitude = Int(parts[1]), (-900..<900).contains(latitude),
                let longitude = Int(parts[2]), (-1800..<1800).contains(longitude)
            else { return nil }
            self = .cell(latitude: latitude, longitude: longitude)
        default:
            guard let placeID = Self.name(identifier) else { return nil }
            self = .placeID(placeID)
        }
    }

    /// What Flickr may call a place; nil for any other text, and for the zero that stands for none.
    private static func name(_ text: String?) -> String? {
        guard var text, !text.isEmpty, text != "0", text.withUTF8(nameBytes.containsAll) else {
            return nil
        }
        return text
    }

    private static let nameBytes = ASCIISet.alphanumerics.union(ASCIISet("._-"))

    /// The key in a photo's location.
    init?(_ location: LenientJSON) {
        if let woeID = Self.name(location["woeid"].nonEmptyText) {
            self = .woeID(woeID)
        } else if let placeID = Self.name(location["place_id"].nonEmptyText) {
            self = .placeID(placeID)
        } else {
            return nil
        }
    }

    /// The key in an element of a list of places.
    init?(preferringPlaceID place: LenientJSON) {
        if let placeID = Self.name(place["place_id"].nonEmptyText) {
            self = .placeID(placeID)
        } else {
            self.init(place)
        }
    }

    /// The cell that contains a valid coordinate; the last row and column include their far edge.
    init(cellOf coordinate: Coordinate) {
        self = .cell(
            latitude: min(899, Int((coordinate.latitude * 10).rounded(.down))),
            longitude: min(1799, Int((coordinate.longitude * 10).rounded(.down))))
    }

    /// The identifier for a place record.
    var identifier: String {
        switch self {
        case .placeID(let id): id
        case .woeID(let id): "woe:\(id)"
        case .cell(let latitude, let longitude): "cell:\(latitude):\(longitude)"
        }
    }

    /// The parameter that narrows a search to the place.
    var searchParameter: (name: String, value: String) {
        switch self {
        case .placeID(let id): return ("place_id", id)
        case .woeID(let id): return ("woe_id", id)
        case .cell(let latitude, let longitude):
            let edges = [longitude, latitude, longitude + 1, latitude + 1]
            return ("bbox", edges.map { (Double($0) / 10).decimalText }.joined(separator: ","))
        }
    }
}
