import Foundation
import PlacesKit

/// The classes that the tests of results controllers use.
enum ResultsModel {
    final class Photo: ManagedObject {
        @Attribute var title = ""
        @Attribute var views = 0
        @Attribute var isFavorite = false
        @Attribute var date: Date?
        @Relationship(inverse: \Place.photos) var takenAt: Place?

        /// Computed, so that a query must ask each object.
        var initial: String { String(title.prefix(1)) }
        /// Computed across a relationship, which no change of the photo itself tells of.
        var isAbroad: Bool { takenAt?.country ?? "France" != "France" }
    }

    final class Place: ManagedObject {
        @Attribute var name = ""
        @Attribute var country: String?
        @Relationship var photos: ObjectSet<Photo>

        var label: String { "\(country ?? "?")\(photos.count % 2)" }
    }

    /// A store of these classes.
    static func store() throws -> GraphStore {
        try GraphStore(model: [Photo.self, Place.self])
    }
}

/// All values of a context, to be compared with those of another moment.
struct ResultsWorldState {
    struct Photo: Equatable {
        var title: String
        var views: Int
        var isFavorite: Bool
        var date: Date?
        var takenAt: ObjectID?
    }

    struct Place: Equatable {
        var name: String
        var country: String?
        var photos: [ObjectID]
    }

    var photos: [ObjectID: Photo] = [:]
    var places: [ObjectID: Place] = [:]

    init(_ context: ManagedObjectContext) throws {
        for photo in try context.fetch(ResultsModel.Photo.self) {
            photos[photo.objectID] = Photo(
                title: photo.title, views: photo.views, isFavorite: photo.isFavorite,
                date: photo.date, takenAt: photo.takenAt?.objectID)
        }
        for place in try context.fetch(ResultsModel.Place.self) {
            places[place.objectID] = Place(
                name: place.name, country: place.country, photos: place.photos.map(\.objectID))
        }
    }
}

/// What a query reads of the objects at the other end of its relationship.
struct ResultsReads: OptionSet {
    let rawValue: Int

    static let name = ResultsReads(rawValue: 1)
    static let country = ResultsReads(rawValue: 2)
    static let isFavorite = ResultsReads(rawValue: 4)
    /// What is read is not known, for something is computed.
    static let opaque = ResultsReads(rawValue: 8)
}

extension ResultsWorldState {
    /// The names of an object's own properties that changed.
    func changedProperties(of id: ObjectID, since before: Self) -> Set<String> {
        var names: Set<String> = []
        if let new = photos[id], let old = before.photos[id] {
            if new.title != old.title { names.insert("title") }
            if new.views != old.views { names.insert("views") }
            if new.isFavorite != old.isFavorite { names.insert("isFavorite") }
            if new.date != old.date { names.insert("date") }
            if new.takenAt != old.takenAt { names.insert("takenAt") }
        }
        if let new = places[id], let old = before.places[id] {
            if new.name != old.name { names.insert("name") }
            if new.country != old.country { names.insert("country") }
            if new.photos != old.photos { names.insert("photos") }
        }
        return names
    }

    /// The objects of which a query must tell, where it shows them, when `before` became this.
    func touched(since before: Self, reads: ResultsReads) -> Set<ObjectID> {
        var touched: Set<ObjectID> = []
        for id in Set(photos.keys).union(before.photos.keys) where photos[id] != before.photos[id] {
            touched.insert(id)
        }
        for id in Set(places.keys).union(before.places.keys) where places[id] != before.places[id] {
            touched.insert(id)
        }
        for (id, photo) in photos {
            guard let place = photo.takenAt else { continue }
            let (new, old) = (places[place], before.places[place])
            if reads.contains(.name) && new?.name != old?.name
                || reads.contains(.country) && new?.country != old?.country
            {
                touched.insert(id)
            }
            if reads.contains(.isFavorite), let old = before.photos[id],
                old.isFavorite != photo.isFavorite
            {
                touched.insert(place)
            }
        }
        return touched
    }
}
