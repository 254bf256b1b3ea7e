import PlacesBase
import PlacesGraph

/// A part of a country; it is the more popular, the more photographers take photos there.
public final class Region: ManagedObject {
    /// The name; two regions with the same name are one object.
    @Attribute(.unique) public var name: String
    /// The place of the name in the alphabet.
    @Derived(from: \Region.name, by: Alphabet.key) package var nameKey: String
    /// The places in the region.
    @Relationship public var places: ObjectSet<Place>
    /// The photos taken there.
    @Relationship public var photos: ObjectSet<Photo>
    /// How many different photographers took those photos.
    @Derived(countDistinct: \Region.photos, \Photo.takenBy, .indexed)
    public var photographerCount: Int
    /// How many photos there are.
    @Derived(count: \Region.photos) public var photoCount: Int

    /// How many photographers and photos there are, in words.
    public var subtitle: String {
        "\(photographerCount.counted("photographer")), \(photoCount.counted("photo"))"
    }
}
