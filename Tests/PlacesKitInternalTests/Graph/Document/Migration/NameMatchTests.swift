import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// What is the same in two versions of a model.
@Suite struct NameMatchTests {
    private struct Thing: Renamed {
        var name: String
        var originalName: String?

        init(_ name: String, _ originalName: String? = nil) {
            (self.name, self.originalName) = (name, originalName)
        }
    }

    private func pairs(_ new: [Thing], _ old: [Thing]) -> [String?] {
        NameMatch.positions(of: new, in: old).map { $0.map { old[$0].name } }
    }

    @Test func `the first name, the name before, and the name itself are recognised`() {
        #expect(pairs([Thing("a")], [Thing("b"), Thing("a")]) == ["a"])
        #expect(pairs([Thing("b", "a")], [Thing("a")]) == ["a"])
        #expect(pairs([Thing("c", "a")], [Thing("b", "a")]) == ["b"])
        #expect(pairs([Thing("c", "b")], [Thing("b", "a")]) == ["b"])
        #expect(pairs([Thing("b", "a")], [Thing("b", "a")]) == ["b"])
        #expect(pairs([Thing("b", "a")], [Thing("b")]) == ["b"])
        #expect(
            pairs([Thing("a", "b"), Thing("b", "a")], [Thing("a"), Thing("b")]) == ["b", "a"])
        #expect(pairs([Thing("b", "a"), Thing("a")], [Thing("a")]) == ["a", nil])
        #expect(pairs([Thing("x")], []) == [nil])
    }

    @Test func `a name that says nothing of earlier ones is that name, whoever had it once`() {
        #expect(
            pairs([Thing("title"), Thing("label")], [Thing("title", "label")]) == ["title", nil])
        #expect(
            pairs([Thing("label"), Thing("title")], [Thing("title", "label")]) == [nil, "title"])
        #expect(
            pairs([Thing("a"), Thing("b")], [Thing("a", "b"), Thing("b", "a")]) == ["a", "b"])
        #expect(pairs([Thing("label")], [Thing("title", "label")]) == ["title"])
        // What a new one says comes before the names of others.
        #expect(
            pairs([Thing("label"), Thing("title", "label")], [Thing("title", "label")])
                == [nil, "title"])
        #expect(
            pairs([Thing("a"), Thing("b", "a")], [Thing("a", "b"), Thing("b", "a")])
                == ["a", "b"])
    }

    @Test func `after a stage, the first name of one may be the name of another`() {
        let old = [Thing("dateText", "date"), Thing("date")]
        #expect(pairs([Thing("dateText"), Thing("date")], old) == ["dateText", "date"])
        #expect(
            pairs([Thing("date", "year"), Thing("dateText", "date")], old)
                == ["date", "dateText"])
        #expect(pairs([Thing("dateText"), Thing("year", "date")], old) == ["dateText", "date"])
        #expect(pairs([Thing("text", "date"), Thing("date")], old) == ["dateText", "date"])
    }

    @Test func `after an edit, names are those before it, and what was added is nothing earlier`() {
        let old = [Thing("b", "a"), Thing("d", "b"), Thing("a")]
        let edited = [Thing("a", ""), Thing("c", "b"), Thing("d"), Thing("e")]
        #expect(NameMatch.positions(ofEdited: edited, in: old) == [nil, 0, 1, nil])
    }

    enum First {
        final class Photo: ManagedObject {
            @Attribute var label = ""
            @Attribute var width = 0
            @Attribute var height = 0
        }
    }
    enum Second {
        final class Photo: ManagedObject {
            @Attribute(.originalName("label")) var title = ""
            @Attribute(.originalName("height")) var width = 0
            @Attribute(.originalName("width")) var height = 0
        }
    }
    enum Third {
        final class Photo: ManagedObject {
            @Attribute var title = ""
            @Attribute var width = 0
            @Attribute var height = 0
            @Attribute var label = "new"
        }
    }

    @Test func `an original name can be dropped, and its name be given to something new`()
        async throws
    {
        try await withTemporaryDirectory { url in
            try await MigrationWorld.make(url, [First.Photo.self]) { context in
                let photo = First.Photo(context: context)
                (photo.label, photo.width, photo.height) = ("Tram 28", 640, 480)
            }
            // A renaming is written with the first save.
            try await MigrationWorld.make(url, [Second.Photo.self]) { context in
                let photo = try #require(try context.fetch(Second.Photo.self).first)
                #expect(photo.title == "Tram 28")
                #expect((photo.width, photo.height) == (480, 640))
                photo.title = "Tram 12"
            }
            try await MigrationWorld.migrate(url, to: [Third.Photo.self]) { context in
                let photo = try #require(try context.fetch(Third.Photo.self).first)
                #expect(photo.title == "Tram 12" && photo.label == "new")
                #expect((photo.width, photo.height) == (480, 640))
            }
        }
    }

    enum Model {
        class Animal: ManagedObject {
            override class var originalName: String? { "Creature" }
            @Attribute var name = ""
        }
        final class Dog: Animal {
            @Attribute var trick = ""
        }
        final class Cat: Animal {
            override class var originalName: String? { "Tiger" }
            @Attribute var lives = 9
        }
        final class Beast: ManagedObject {
            override class var originalName: String? { "Creature" }
            @Attribute var name = ""
        }
    }

    @Test func `a class has its original name for itself, and no two have one`() throws {
        let model = try ObjectModel([Model.Animal.self, Model.Dog.self, Model.Cat.self])
        #expect(model.schema.entities.map(\.originalName) == ["Creature", nil, "Tiger"])
        #expect(
            throws: SchemaError.duplicateOriginalName(entity: "Beast", originalName: "Creature")
        ) {
            try ObjectModel([Model.Animal.self, Model.Beast.self])
        }
    }
}
