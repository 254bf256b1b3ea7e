import Foundation
import PlacesKit

/// The same photos and places with an index of the dates, for what asks in their order, and one of
/// the titles' words.
enum Library {
    final class Photo: ManagedObject {
        @Attribute(.unique) var uniqueID: String
        @Attribute(.searchable) var title = ""
        @Attribute var views = 0
        @Attribute(.indexed) var dateUploaded = Date.distantPast
        @Attribute var photographer = ""
        @Relationship(inverse: \Place.photos) var takenAt: Place?
    }

    final class Place: ManagedObject {
        @Attribute(.unique) var name: String
        @Relationship var photos: ObjectSet<Photo>
    }

    /// A context with the photos and places of a world.
    static func loaded(with world: World) throws -> ManagedObjectContext {
        let context = ManagedObjectContext(try GraphStore(model: [Photo.self, Place.self]))
        let places = world.places.map { sample in
            let place = Place(context: context)
            place.name = sample.name
            return place
        }
        for sample in world.photos {
            let photo = Photo(context: context)
            photo.uniqueID = sample.uniqueID
            photo.title = sample.title
            photo.views = sample.views
            photo.dateUploaded = sample.dateUploaded
            photo.photographer = sample.photographer
            photo.takenAt = places[sample.place]
        }
        try context.save()
        return context
    }
}
