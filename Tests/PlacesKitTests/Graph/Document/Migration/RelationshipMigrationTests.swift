import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Relationships and entities that were added, removed, renamed or made otherwise.
@Suite struct RelationshipMigrationTests {
    enum Old {
        final class Picture: ManagedObject {
            @Attribute var name = ""
            @Relationship(inverse: \Place.pictures) var place: Place?
            @Relationship(inverse: \Tag.pictures) var tags: ObjectSet<Tag>
            @Relationship var cover: Tag?
        }
        final class Place: ManagedObject {
            @Attribute var name = ""
            @Relationship var pictures: OrderedObjectSet<Picture>
        }
        final class Tag: ManagedObject {
            @Attribute var name = ""
            @Relationship var pictures: ObjectSet<Picture>
        }
        static let types: [ManagedObject.Type] = [Picture.self, Place.self, Tag.self]

        static func fill(_ context: ManagedObjectContext) {
            let place = Place(context: context)
            let tags = ["a", "b"].map { name in
                let tag = Tag(context: context)
                tag.name = name
                return tag
            }
            let pictures = (0..<3).map { number in
                let picture = Picture(context: context)
                picture.name = "\(number)"
                picture.tags.insert(tags[number % 2])
                picture.cover = tags[0]
                return picture
            }
            for picture in pictures.reversed() { place.pictures.append(picture) }
        }
    }

    enum Other {
        final class Photo: ManagedObject {
            override class var originalName: String? { "Picture" }
            @Attribute var name = ""
            // From one to many, in both directions; from many to one; with an inverse by now.
            @Relationship(originalName: "place", inverse: \Place.pictures)
            var places: ObjectSet<Place>
            @Relationship(originalName: "tags", inverse: \Tag.pictures) var tag: Tag?
            @Relationship(inverse: \Tag.covered) var cover: Tag?
        }
        final class Place: ManagedObject {
            @Attribute var name = ""
            @Relationship var pictures: ObjectSet<Photo>
            @Relationship(inverse: \Country.places) var country: Country?
        }
        final class Tag: ManagedObject {
            @Attribute var name = ""
            @Relationship var pictures: ObjectSet<Photo>
            @Relationship var covered: ObjectSet<Photo>
        }
        final class Country: ManagedObject {
            @Relationship var places: ObjectSet<Place>
        }
        static let types: [ManagedObject.Type] = [
            Photo.self, Place.self, Tag.self, Country.self,
        ]
    }

    @Test func `relationships take their links along to what they are now`() async throws {
        try await MigrationWorld.with(Old.types, Old.fill) { url in
            try await MigrationWorld.migrate(url, to: Other.types) { context in
                let photos = Array(try context.fetch(Other.Photo.self))
                #expect(photos.map(\.name) == ["0", "1", "2"])
                #expect(photos.map { $0.tag?.name } == ["a", "b", "a"])
                #expect(photos.map { $0.cover?.name } == ["a", "a", "a"])
                #expect(photos.allSatisfy { $0.places.count == 1 })
                let place = try #require(try context.fetch(Other.Place.self).first)
                #expect(place.pictures.map(\.name) == ["2", "1", "0"])
                let tag = try #require(try context.fetch(Other.Tag.self).first)
                #expect(tag.covered.count == 3)
                #expect(try context.fetch(Other.Country.self).isEmpty)
            }
        }
    }

    enum Single {
        final class Picture: ManagedObject {
            @Relationship(originalName: "tags", inverse: \Tag.picture) var tag: Tag?
            @Relationship var cover: Place?
        }
        final class Place: ManagedObject {
            @Attribute var name = ""
        }
        final class Tag: ManagedObject {
            @Relationship(originalName: "pictures") var picture: Picture?
        }
    }

    @Test func `links for which there is no room are counted`() async throws {
        try await MigrationWorld.with(Old.types, Old.fill) { url in
            let errors = try await MigrationWorld.refusal(
                url, of: [Single.Picture.self, Single.Place.self, Single.Tag.self])
            #expect(
                errors == [
                    .linksLost(
                        entity: "Tag", relationship: "picture", count: 1,
                        object: ObjectID(entity: "Tag", number: 0)),
                    .linksLost(
                        entity: "Picture", relationship: "cover", count: 3,
                        object: ObjectID(entity: "Picture", number: 0)),
                ])
        }
    }

    enum Fewer {
        final class Place: ManagedObject {
            @Attribute var name = ""
        }
    }

    @Test func `entities go with their objects and links`() async throws {
        try await MigrationWorld.with(Old.types, Old.fill) { url in
            try await MigrationWorld.migrate(url, to: [Fewer.Place.self]) { context in
                let places = try context.fetch(Fewer.Place.self)
                #expect(places.count == 1)
            }
        }
    }

    @Test func `a document of none of the model's classes is refused`() async throws {
        try await MigrationWorld.with(Old.types, Old.fill) { url in
            let errors = try await MigrationWorld.refusal(url, of: Flat.types)
            #expect(errors == [.otherDocument(entities: ["Picture", "Place", "Tag"])])
        }
    }

    // MARK: - Hierarchies

    enum Flat {
        final class Dog: ManagedObject {
            @Attribute var name = ""
            @Attribute var trick: String?
            @Relationship(inverse: \Owner.dogs) var owner: Owner?
        }
        final class Cat: ManagedObject {
            @Attribute var name = ""
            @Attribute var lives = 9
            @Relationship(inverse: \Owner.cats) var owner: Owner?
        }
        final class Owner: ManagedObject {
            @Relationship var dogs: ObjectSet<Dog>
            @Relationship var cats: ObjectSet<Cat>
        }
        static let types: [ManagedObject.Type] = [Dog.self, Cat.self, Owner.self]
    }
    enum Deep {
        class Animal: ManagedObject {
            override class var isAbstract: Bool { self == Animal.self }
            @Attribute var name = ""
            @Relationship(inverse: \Owner.animals) var owner: Owner?
        }
        final class Dog: Animal {
            @Attribute var trick: String?
        }
        final class Cat: Animal {
            @Attribute var lives = 9
        }
        final class Owner: ManagedObject {
            @Relationship(originalName: "dogs") var animals: ObjectSet<Animal>
        }
        static let types: [ManagedObject.Type] = [
            Animal.self, Dog.self, Cat.self, Owner.self,
        ]
    }

    @Test func `a superclass that came takes its properties from those that had them`()
        async throws
    {
        try await withTemporaryDirectory { url in
            try await MigrationWorld.make(url, Flat.types) { context in
                let owner = Flat.Owner(context: context)
                for number in 0..<2 {
                    let (dog, cat) = (Flat.Dog(context: context), Flat.Cat(context: context))
                    (dog.name, dog.trick, dog.owner) = ("dog \(number)", "sit", owner)
                    (cat.name, cat.lives, cat.owner) = ("cat \(number)", number, owner)
                }
            }
            try await MigrationWorld.migrate(url, to: Deep.types) { context in
                let dogs = Array(try context.fetch(Deep.Dog.self))
                let cats = Array(try context.fetch(Deep.Cat.self))
                #expect(dogs.map(\.name) == ["dog 0", "dog 1"])
                #expect(dogs.map(\.objectID.number) == [0, 1])
                #expect(cats.map(\.name) == ["cat 0", "cat 1"])
                #expect(cats.map(\.lives) == [0, 1])
                // Numbers are given once in a hierarchy.
                #expect(cats.map(\.objectID.number) == [2, 3])
                let owner = try #require(dogs.first?.owner)
                #expect(owner.animals.count == 4)
                #expect(cats.allSatisfy { $0.owner === owner })
            }
        }
    }

    @Test func `tables that become one give no object the number of a deleted one`() async throws {
        try await withTemporaryDirectory { url in
            try await MigrationWorld.make(url, Flat.types) { context in
                for _ in 0..<2 { _ = Flat.Dog(context: context) }
                let cats = (0..<4).map { _ in Flat.Cat(context: context) }
                try context.save()
                cats[2...].forEach(context.delete)
            }
            try await MigrationWorld.migrate(url, to: Deep.types) { context in
                let dogs = try context.fetch(Deep.Dog.self).map { $0.objectID.number }
                #expect(dogs == [0, 1])
                // The cats 2 and 3 are no more.
                let cats = try context.fetch(Deep.Cat.self).map { $0.objectID.number }
                #expect(cats == [4, 5])
            }
        }
    }

    enum Split {
        final class Dog: ManagedObject {
            @Attribute var name = ""
            @Relationship(inverse: \Owner.hounds) var owner: Owner?
        }
        final class Cat: ManagedObject {
            @Attribute var name = ""
            @Relationship(inverse: \Owner.cats) var owner: Owner?
        }
        final class Owner: ManagedObject {
            @Relationship var hounds: ObjectSet<Dog>
            @Relationship var cats: ObjectSet<Cat>
        }
        static let types: [ManagedObject.Type] = [Dog.self, Cat.self, Owner.self]
    }

    @Test func `a superclass that went leaves its properties to those that inherited them`()
        async throws
    {
        try await withTemporaryDirectory { url in
            try await MigrationWorld.make(url, Deep.types) { context in
                let owner = Deep.Owner(context: context)
                let (dog, cat) = (Deep.Dog(context: context), Deep.Cat(context: context))
                (dog.name, dog.owner) = ("Rex", owner)
                (cat.name, cat.owner) = ("Tom", owner)
            }
            try await MigrationWorld.migrate(url, to: Split.types) { context in
                let dog = try #require(try context.fetch(Split.Dog.self).first)
                let cat = try #require(try context.fetch(Split.Cat.self).first)
                #expect(dog.name == "Rex" && cat.name == "Tom")
                #expect(dog.objectID.number == 0 && cat.objectID.number == 1)
                #expect(dog.owner != nil && dog.owner === cat.owner)
            }
        }
    }
}
