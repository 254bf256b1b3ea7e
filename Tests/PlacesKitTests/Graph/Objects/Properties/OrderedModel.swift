import PlacesKit

/// Ordered relationships: one-to-many, and many-to-many of which one side or both are ordered.
enum OrderedModel {
    final class Album: ManagedObject {
        @Attribute var title = ""
        @Relationship(inverse: \Photo.album) var photos: OrderedObjectSet<Photo>
        @Relationship(inverse: \Tag.albums) var tags: OrderedObjectSet<Tag>
        @Relationship(inverse: \Guide.albums) var guides: OrderedObjectSet<Guide>

        /// Moves a photo, and the guide of the same position.
        func move(from: Int, to: Int) {
            photos.move(from: from, to: to)
            guides.move(from: from, to: to)
        }
    }
    final class Photo: ManagedObject {
        @Attribute var number = 0
        @Relationship var album: Album?
    }
    final class Tag: ManagedObject {
        @Attribute var number = 0
        @Relationship var albums: ObjectSet<Album>
    }
    final class Guide: ManagedObject {
        @Attribute var number = 0
        @Relationship var albums: OrderedObjectSet<Album>
    }

    static let types: [ManagedObject.Type] = [Album.self, Photo.self, Tag.self, Guide.self]

    static func context() throws -> ManagedObjectContext {
        ManagedObjectContext(try GraphStore(model: types))
    }

    /// A saved album with so many numbered photos and guides.
    static func album(of count: Int) throws -> Album {
        let context = try context()
        let album = Album(context: context)
        for number in 0..<count {
            let photo = Photo(context: context)
            photo.number = number
            album.photos.append(photo)
            let guide = Guide(context: context)
            guide.number = number
            album.guides.append(guide)
        }
        try context.save()
        return album
    }
}
