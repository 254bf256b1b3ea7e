import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What stages of a migration make of a schema.
@Suite struct StageSchemaTests {
    enum Old {
        class Work: ManagedObject {
            @Attribute var title = ""
            @Attribute var date = ""
            @Attribute var isPublic = false
        }
        final class Photo: Work {
            @Relationship(inverse: \Album.photos) var album: Album?
            @Derived(\Photo.album?.name) var albumName: String?
        }
        final class Album: ManagedObject {
            @Attribute var name = ""
            @Relationship var photos: ObjectSet<Photo>
            @Derived(count: \Album.photos, where: \Photo.isPublic) var shown: Int
            @Derived(max: \Album.photos, \Photo.title) var last: String?
        }
        static let types: [ManagedObject.Type] = [Work.self, Photo.self, Album.self]

        static func fill(_ context: ManagedObjectContext) {
            let album = Album(context: context)
            album.name = "Lisbon"
            for (title, date) in [("Tram", "2023"), ("Castle", "2024")] {
                let photo = Photo(context: context)
                (photo.title, photo.date, photo.album) = (title, date, album)
                photo.isPublic = title == "Tram"
            }
        }
    }

    /// Makes a document, and migrates it with a stage.
    private func migrate(
        to types: [ManagedObject.Type],
        _ body: @escaping @Sendable (MigrationRecords) throws -> Void,
        _ check: (ManagedObjectContext) throws -> Void
    ) async throws {
        try await MigrationWorld.with(Old.types, Old.fill) { url in
            let plan = MigrationPlan(version: 2, stages: [MigrationStage(from: 1, to: 2, body)])
            try await MigrationWorld.migrate(url, to: types, plan: plan, check)
        }
    }

    // MARK: - Derived attributes

    enum Renamed {
        class Work: ManagedObject {
            @Attribute var caption = ""
        }
        final class Photo: Work {
            @Relationship(inverse: \Book.works) var book: Book?
            @Attribute var albumName: String?
        }
        final class Book: ManagedObject {
            @Attribute var label = ""
            @Relationship var works: ObjectSet<Photo>
            @Attribute var shown = -1
            @Attribute var last: String?
        }
    }

    @Test func `derived attributes follow what a stage renames`() async throws {
        try await migrate(to: [Renamed.Work.self, Renamed.Photo.self, Renamed.Book.self]) {
            records in
            try records.changeSchema { schema in
                try schema.renameProperty("photos", of: "Album", to: "works")
                try schema.renameProperty("title", of: "Work", to: "caption")
                try schema.renameProperty("isPublic", of: "Work", to: "isShown")
                try schema.renameProperty("album", of: "Photo", to: "book")
                try schema.renameProperty("name", of: "Album", to: "label")
                try schema.renameEntity("Album", to: "Book")
            }
            let book = try records.records(of: "Book")[0]
            book["label"] = .string("Porto")
            for photo in book[objects: "works"] {
                photo["isShown"] = .boolean(true)
                if photo["caption"] == .string("Castle") { photo["caption"] = .string("Zoo") }
            }
        } _: { context in
            let book = try #require(try context.fetch(Renamed.Book.self).first)
            #expect(book.label == "Porto" && book.shown == 2 && book.last == "Zoo")
            let photos = try context.fetch(Renamed.Photo.self)
            #expect(photos.map(\.caption) == ["Tram", "Zoo"])
            #expect(photos.map(\.albumName) == ["Porto", "Porto"])
        }
    }

    enum Stored {
        class Work: ManagedObject {
            @Attribute var date = ""
        }
        final class Photo: Work {
            @Relationship(inverse: \Album.photos) var album: Album?
            @Attribute var albumName: String?
        }
        final class Album: ManagedObject {
            @Relationship var photos: ObjectSet<Photo>
            @Attribute var shown = -1
            @Attribute var last: String?
        }
    }

    @Test(arguments: [false, true])
    func `what cannot be derived any more after a change of a stage keeps its values`(
        removesRelationship: Bool
    ) async throws {
        try await migrate(to: [Stored.Work.self, Stored.Photo.self, Stored.Album.self]) { records in
            try records.changeSchema { schema in
                if removesRelationship {
                    try schema.removeProperty("photos", of: "Album")
                    return
                }
                try schema.removeProperty("isPublic", of: "Work")
                try schema.removeProperty("name", of: "Album")
                for number in schema.entities.indices {
                    schema.entities[number].properties = schema.entities[number].properties.map {
                        guard case .attribute(var attribute) = $0, attribute.name == "title" else {
                            return $0
                        }
                        attribute.type = .data
                        return .attribute(attribute)
                    }
                }
            }
            for album in try records.records(of: "Album") where album["last"] == .string("Tram") {
                album["last"] = .string("Tram 28")
            }
            _ = try records.insert("Album")
        } _: { context in
            let albums = Array(try context.fetch(Stored.Album.self))
            #expect(albums.map(\.shown) == [1, -1])
            #expect(albums.map(\.last) == ["Tram 28", nil])
            #expect(albums.map(\.photos.count) == [removesRelationship ? 0 : 2, 0])
            let photos = try context.fetch(Stored.Photo.self)
            #expect(photos.map(\.albumName) == ["Lisbon", "Lisbon"])
            #expect(photos.map(\.date) == ["2023", "2024"])
        }
    }

    // MARK: - Names that are given again

    enum Dated {
        class Work: ManagedObject {
            @Attribute var dateText = ""
            @Attribute var date = 0
        }
        final class Photo: Work {}
    }
    /// The same with original names, as a model needs them that was migrated without a stage.
    enum Told {
        class Work: ManagedObject {
            @Attribute(.originalName("date")) var dateText = ""
            @Attribute(.originalName("number")) var date = 0
        }
        final class Photo: Work {}
    }
    /// A model after the one for which the stage is.
    enum Later {
        class Work: ManagedObject {
            @Attribute var dateText = ""
            @Attribute(.originalName("date")) var year = 0
        }
        final class Photo: Work {}
    }

    @Test(arguments: [false, true])
    func `a stage renames an attribute, and gives its name to a new one`(inOneChange: Bool)
        async throws
    {
        let body: @Sendable (MigrationRecords) throws -> Void = { records in
            if inOneChange {
                try records.changeSchema { schema in
                    try schema.renameProperty("date", of: "Work", to: "text")
                    try schema.addAttribute("date", .int64, to: "Work")
                }
            } else {
                try records.changeSchema { try $0.renameProperty("date", of: "Work", to: "text") }
                try records.changeSchema { try $0.addAttribute("date", .int64, to: "Work") }
            }
            for photo in try records.records(of: "Photo") { photo["date"] = photo["text"] }
            // The new one is not what is renamed once more.
            try records.changeSchema { try $0.renameProperty("text", of: "Work", to: "dateText") }
        }
        let (texts, numbers) = (["2023", "2024"], [2023, 2024])
        try await migrate(to: [Dated.Work.self, Dated.Photo.self], body) { context in
            let photos = try context.fetch(Dated.Photo.self)
            #expect(photos.map(\.dateText) == texts && photos.map(\.date) == numbers)
        }
        try await migrate(to: [Told.Work.self, Told.Photo.self], body) { context in
            let photos = try context.fetch(Told.Photo.self)
            #expect(photos.map(\.dateText) == texts && photos.map(\.date) == numbers)
        }
        try await migrate(to: [Later.Work.self, Later.Photo.self], body) { context in
            let photos = try context.fetch(Later.Photo.self)
            #expect(photos.map(\.dateText) == texts && photos.map(\.year) == numbers)
        }
    }

    enum Again {
        class Work: ManagedObject {
            @Attribute var date = "none"
        }
        final class Photo: Work {}
        final class Book: ManagedObject {
            @Attribute var name = ""
        }
        final class Album: ManagedObject {
            @Attribute var year = 0
        }
        static let types: [ManagedObject.Type] = [
            Work.self, Photo.self, Book.self, Album.self,
        ]
    }

    @Test func `a stage renames an entity, and gives its name to a new one`() async throws {
        try await migrate(to: Again.types) { records in
            try records.changeSchema { schema in
                try schema.renameEntity("Album", to: "Book")
                try schema.addEntity("Album")
                try schema.addAttribute("year", .int64, to: "Album")
            }
            try records.insert("Album")["year"] = .integer(2024)
            try records.changeSchema { try $0.addAttribute("year", .int64, to: "Book") }
        } _: { context in
            #expect(try context.fetch(Again.Book.self).map(\.name) == ["Lisbon"])
            let albums = try context.fetch(Again.Album.self)
            #expect(albums.map(\.year) == [2024])
            #expect(albums.map(\.objectID) == [ObjectID(entity: "Album", number: 0)])
        }
    }

    @Test func `what a stage adds is new, even in the change that removes what had its name`()
        async throws
    {
        try await migrate(to: Again.types) { records in
            try records.changeSchema { schema in
                try schema.removeProperty("date", of: "Work")
                try schema.addAttribute("date", .string, to: "Work")
                try schema.removeEntity("Album")
                try schema.addEntity("Album")
            }
        } _: { context in
            let photos = try context.fetch(Again.Photo.self)
            #expect(photos.map(\.date) == ["none", "none"])
            #expect(try context.fetch(Again.Album.self).isEmpty)
        }
    }

    enum Kinds {
        class Animal: ManagedObject {
            override class var isAbstract: Bool { self == Animal.self }
            @Attribute var name = ""
        }
        final class Dog: Animal {}
    }
    enum Plain {
        final class Animal: ManagedObject {
            @Attribute var name = ""
        }
    }

    @Test func `a stage removes the only heir of an abstract entity`() async throws {
        try await withTemporaryDirectory { url in
            try await MigrationWorld.make(url, [Kinds.Animal.self, Kinds.Dog.self]) { context in
                Kinds.Dog(context: context).name = "Rex"
            }
            let stage = MigrationStage(from: 1, to: 2) { records in
                for dog in try records.records(of: "Dog") {
                    try records.insert("Animal")["name"] = dog["name"]
                }
                try records.changeSchema { try $0.removeEntity("Dog") }
            }
            let plan = MigrationPlan(version: 2, stages: [stage])
            try await MigrationWorld.migrate(url, to: [Plain.Animal.self], plan: plan) { context in
                let animals = try context.fetch(Plain.Animal.self)
                #expect(animals.map(\.name) == ["Rex"])
            }
        }
    }

    // MARK: - Relationships

    enum Daily {
        class Work: ManagedObject {
            @Attribute var title = ""
            @Relationship(inverse: \Day.works) var day: Day?
        }
        final class Photo: Work {
            @Relationship(inverse: \Day.mentioned) var mentions: ObjectSet<Day>
            @Relationship(inverse: \Day.cover) var coverOf: Day?
        }
        final class Day: ManagedObject {
            @Attribute var name = ""
            @Relationship var works: OrderedObjectSet<Work>
            @Relationship var mentioned: ObjectSet<Photo>
            @Relationship var cover: Photo?
        }
    }

    @Test func `a stage adds relationships between records that it parts`() async throws {
        try await migrate(to: [Daily.Work.self, Daily.Photo.self, Daily.Day.self]) { records in
            try records.changeSchema { schema in
                try schema.addEntity("Day")
                try schema.addAttribute("name", .string, to: "Day")
                try schema.addRelationship(
                    "day", to: "Work", destination: "Day", inverse: "works")
                try schema.addRelationship(
                    "mentions", to: "Photo", destination: "Day", inverse: "mentioned",
                    isToMany: true)
                try schema.addRelationship("cover", to: "Day", destination: "Photo")
            }
            for photo in try records.records(of: "Photo") {
                let day = try records.insert("Day")
                day["name"] = photo["date"]
                photo[object: "day"] = day
                day[object: "cover"] = photo
                day[objects: "mentioned"] = try records.records(of: "Photo")
            }
        } _: { context in
            let days = Array(try context.fetch(Daily.Day.self))
            #expect(days.map(\.name) == ["2023", "2024"])
            #expect(days.map { $0.works.map(\.title) } == [["Tram"], ["Castle"]])
            #expect(days.map(\.cover?.title) == ["Tram", "Castle"])
            #expect(days.map(\.mentioned.count) == [2, 2])
            let photos = try context.fetch(Daily.Photo.self)
            #expect(photos.map(\.coverOf?.name) == ["2023", "2024"])
            #expect(photos.map(\.mentions.count) == [2, 2])
        }
    }

    enum Loose {
        final class Person: ManagedObject {
            @Relationship var favorite: Pet?
        }
        final class Pet: ManagedObject {
            @Relationship var owner: Person?
            @Relationship var sitter: Person?
        }
    }
    enum Looser {
        final class Person: ManagedObject {
            @Relationship var favorite: Pet?
        }
        final class Pet: ManagedObject {
            @Relationship var owner: Person?
            @Relationship var doctor: Person?
        }
    }

    @Test func `relationships become no pair because a stage removes another`() async throws {
        try await withTemporaryDirectory { url in
            try await MigrationWorld.make(url, [Loose.Person.self, Loose.Pet.self]) { context in
                Loose.Pet(context: context).owner = Loose.Person(context: context)
            }
            let stage = MigrationStage(from: 1, to: 2) { records in
                try records.changeSchema { try $0.removeProperty("sitter", of: "Pet") }
            }
            try await MigrationWorld.migrate(
                url, to: [Looser.Person.self, Looser.Pet.self],
                plan: MigrationPlan(version: 2, stages: [stage])
            ) { context in
                let person = try #require(try context.fetch(Looser.Person.self).first)
                #expect(person.favorite == nil)
                #expect(try context.fetch(Looser.Pet.self).first?.owner == person)
            }
        }
    }
}
