public import Foundation
import PlacesGraph
import PlacesPhotos

/// A place where photos are taken.
public final class Place: ManagedObject {
    /// The identifier that the place's source gave it, or that of an area of a tenth of a degree.
    @Attribute(.unique) public var identifier: String
    /// The full name, from near to far.
    @Attribute public var name = ""
    /// What a list shows first: the first part of the name.
    @Attribute public var title = ""
    /// What a list shows below: the middle parts of the name.
    @Attribute public var subtitle = ""
    /// The section of a list that the place belongs into: the last part of the name.
    @Attribute public var country = ""
    /// Degrees north of the equator of its middle, if the source says.
    @Attribute public var latitude: Double?
    /// Degrees east of Greenwich of its middle, if the source says.
    @Attribute public var longitude: Double?
    /// The place's rank in the list of top places; `nil` when it is not one of them now.
    @Attribute(.indexed) public internal(set) var rank: Int?
    /// Whether it was found out which region the place is in; it may be in none.
    @Attribute(.indexed) package internal(set) var isRegionKnown = false
    /// The region that the place is in.
    @Relationship(inverse: \Region.places) public internal(set) var region: Region?
    /// The photos taken there.
    @Relationship public var photos: ObjectSet<Photo>
    /// Whether one of its photos is a favorite.
    @Derived(any: \Place.photos, where: \Photo.isFavorite, .indexed) public var hasFavorites: Bool
    /// When one of its photos was viewed last; `nil` for never.
    @Derived(max: \Place.photos, \Photo.lastViewed, .indexed) public var lastViewed: Date?
}

extension Place {
    /// Takes over what a source says of the place.
    func update(from record: PlaceRecord) {
        name = record.name
        title = record.title
        subtitle = record.subtitle
        country = record.section
        guard let coordinate = record.coordinate else { return }
        latitude = coordinate.latitude
        longitude = coordinate.longitude
    }

    /// The middle of the place, if the source says.
    public var coordinate: Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// The place in the terms of its source.
    public var record: PlaceRecord {
        PlaceRecord(identifier: identifier, name: name, coordinate: coordinate)
    }
}
