public import Foundation
import PlacesGraph
import PlacesPhotos

/// A place where photos are taken.
public final class Place: ManagedObject {
    /// The identifier that the place's source gave it, or that of a grid cell of 0.1 degrees.
    @Attribute(.unique) public var identifier: String
    /// The full name, from near to far.
    @Attribute public var name = ""
    /// The text that a list shows first: the first part of the name.
    @Attribute public var title = ""
    /// The text that a list shows below: the middle parts of the name.
    @Attribute public var subtitle = ""
    /// The section of a list to which the place belongs: the last part of the name.
    @Attribute public var country = ""
    /// The place of the name in the alphabet.
    @Derived(from: \Place.name, by: Alphabet.key) package var nameKey: String
    /// The place of the title in the alphabet.
    @Derived(from: \Place.title, by: Alphabet.key) package var titleKey: String
    /// The place of the country in the alphabet.
    @Derived(from: \Place.country, by: Alphabet.key) package var countryKey: String
    /// The latitude of its middle in degrees north of the equator, if the source tells it.
    @Attribute public var latitude: Double?
    /// The longitude of its middle in degrees east of Greenwich, if the source tells it.
    @Attribute public var longitude: Double?
    /// The place's rank in the list of top places; `nil` if it is not one of them now.
    @Attribute(.indexed) public internal(set) var rank: Int?
    /// Whether the library has asked for the region of the place; it may be in none.
    @Attribute(.indexed) package internal(set) var isRegionKnown = false
    /// The region that the place is in.
    @Relationship(inverse: \Region.places) public internal(set) var region: Region?
    /// The photos taken there.
    @Relationship public var photos: ObjectSet<Photo>
    /// Whether one of its photos is a favorite.
    @Derived(any: \Place.photos, where: \Photo.isFavorite, .indexed) public var hasFavorites: Bool
    /// When the user last viewed one of its photos; `nil` for never.
    @Derived(max: \Place.photos, \Photo.lastViewed, .indexed) public var lastViewed: Date?

    /// Takes the values of a source's record of the place.
    func update(from record: PlaceRecord) {
        // A record without a name says nothing against the one that is known.
        if !record.name.isEmpty || name.isEmpty {
            name = record.name
            (title, subtitle, country) = record.lines
        }
        guard let coordinate = record.coordinate else { return }
        latitude = coordinate.latitude
        longitude = coordinate.longitude
    }

    /// Lets the library ask for the region again, as a photo that came since may lead to it.
    ///
    /// Nothing is asked again if the source named the place. If it knew no names, this may have been because of the photos
    /// that it was asked by: their owners can take their positions away.
    func reconsiderRegion() {
        if isRegionKnown, region == nil, name.isEmpty { isRegionKnown = false }
    }

    /// The middle of the place, if the source tells it.
    public var coordinate: Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// The record with which the source can be asked about the place.
    public var record: PlaceRecord {
        PlaceRecord(identifier: identifier, name: name, coordinate: coordinate)
    }
}
