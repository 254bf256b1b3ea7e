import PlacesKit

/// A place that counts its favorites.
final class CountedPlace: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship var photos: ObjectSet<CountedPhoto>
    @Derived(count: \CountedPlace.photos, where: \CountedPhoto.isFavorite) var favoriteCount: Int
}

/// A photo that may be a favorite.
final class CountedPhoto: ManagedObject {
    @Attribute(.unique) var uniqueID: String
    @Attribute var isFavorite = false
    @Relationship(inverse: \CountedPlace.photos) var takenAt: CountedPlace?
}
