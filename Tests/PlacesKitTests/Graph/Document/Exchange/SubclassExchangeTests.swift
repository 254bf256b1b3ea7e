import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Files with the objects of a class and of its subclasses.
@Suite struct SubclassExchangeTests {
    class Card: ManagedObject {
        @Attribute(.unique) var key: String
        @Attribute var title = ""
        @Relationship(inverse: \Board.cards) var board: Board?
    }

    class Story: Card {
        @Attribute var estimate: Double?
        @Attribute var mark: String? = "none"
        @Relationship(inverse: \Story.parts) var whole: Story?
        @Relationship var parts: ObjectSet<Story>
        @Relationship var bugs: ObjectSet<Bug>
    }

    final class Epic: Story {
        @Attribute var color = "red"
    }

    final class Bug: Card {
        /// Not what a story has by that name.
        @Attribute var mark = 0
        @Relationship(inverse: \Story.bugs) var foundIn: Story?
    }

    final class Board: ManagedObject {
        @Attribute(.unique) var name: String
        @Relationship var cards: ObjectSet<Card>
    }

    private static let model: [ManagedObject.Type] = [
        Board.self, Card.self, Story.self, Epic.self, Bug.self,
    ]

    private let store: GraphStore

    init() throws {
        store = try GraphStore(model: Self.model)
        let context = ManagedObjectContext(store)
        let board = Board(context: context)
        board.name = "b"
        let (card, story) = (Card(context: context), Story(context: context))
        let (epic, bug) = (Epic(context: context), Bug(context: context))
        (card.key, story.key, epic.key, bug.key) = ("c", "s", "e", "g")
        (card.title, card.board, epic.board) = ("A card", board, board)
        (story.estimate, story.mark, story.whole) = (2.5, nil, epic)
        (epic.color, epic.mark) = ("blue", "")
        (bug.mark, bug.foundIn) = (7, story)
        try context.save()
    }

    /// What the cards of a store are, in the order of their keys.
    private func account(_ store: GraphStore) throws -> [String] {
        try store.snapshot().context().fetch(
            FetchRequest<Card>(sortBy: [SortDescriptor(\.key)])
        ).map { card in
            let rest: [Any?] =
                switch card {
                case let bug as Bug: [bug.mark, bug.foundIn?.key]
                case let story as Story:
                    [story.estimate, story.mark, story.whole?.key, (story as? Epic)?.color]
                default: []
                }
            return "\(type(of: card)) \(card.key) \(card.title) \(card.board?.name as Any) \(rest)"
        }
    }

    /// Imports a text into a class, and gives the error in words, or what was done.
    private func answer<Object: ManagedObject>(
        _ text: String, as format: ExchangeFormat, into type: Object.Type,
        _ policy: ImportPolicy<Object> = .insert
    ) async throws -> String {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "file")
            try Data(text.utf8).write(to: url)
            do {
                let summary = try await store.importObjects(
                    into: type, from: url, as: format, policy: policy)
                return "\(summary.inserted) inserted, \(summary.updated) updated"
            } catch let error as ImportError {
                return error.description
                    .replacing(url.path(percentEncoded: false) + ":", with: "")
            }
        }
    }

    private func card(_ key: String) throws -> Card? {
        try store.snapshot().context().find(Card.self, \.key, key)
    }

    @Test(arguments: ExchangeFormat.allCases)
    func `objects come back with their classes, and with all that those declare`(
        format: ExchangeFormat
    ) async throws {
        try await withTemporaryDirectory { folder in
            let files = ["Boards", "Cards"].map { folder.appending(path: $0) }
            try await store.export(FetchRequest<Board>(), to: files[0], as: format)
            try await store.export(FetchRequest<Card>(), to: files[1], as: format)
            let other = try GraphStore(model: Self.model)
            try await other.importObjects(into: Board.self, from: files[0], as: format)
            let summary = try await other.importObjects(into: Card.self, from: files[1], as: format)
            #expect(summary == ImportSummary(inserted: 4, updated: 0))
            #expect(try account(other) == account(store))

            // What there is already is found, by either policy.
            let found = ImportSummary(inserted: 0, updated: 4)
            #expect(
                try await other.importObjects(
                    into: Card.self, from: files[1], as: format, policy: .upsert(by: \.key))
                    == found)
            #expect(
                try await store.importObjects(
                    into: Card.self, from: files[1], as: format, policy: .identifiers) == found)
            #expect(store.commitNumber == 1 && other.commitNumber == 2, "nothing has changed")
            try ManagedObjectContext(other).checkIntegrity()
        }
    }

    @Test func `each object has the keys of its class, and a line of CSV those of all`()
        async throws
    {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "Cards")
            try await store.export(FetchRequest<Card>(), to: url, as: .json)
            let json = try String(contentsOf: url, encoding: .utf8)
            #expect(
                json.contains(
                    """
                    {"id":0,"entity":"Card","key":"c","title":"A card","board.name":"b"},

                    """))
            #expect(
                json.contains(
                    """
                    {"id":3,"entity":"Bug","key":"g","title":"","board.name":null,"mark":7,\
                    "foundIn.key":"s"}
                    """))
            try await store.export(FetchRequest<Bug>(), to: url, as: .json)
            #expect(try !String(contentsOf: url, encoding: .utf8).contains("entity"))
            try await store.export(FetchRequest<Card>(), to: url, as: .csv)
            let csv = try String(contentsOf: url, encoding: .utf8)
            #expect(csv.hasPrefix("id,entity,key,title,board.name,"))
            #expect(csv.contains("\r\n0,Card,c,A card,b,,,,,\r\n"))
            try await store.export(
                FetchRequest<Card>(sortBy: [SortDescriptor(\.key)]), to: url, as: .csv,
                keyPaths: ["key", "entity"])
            #expect(
                try String(contentsOf: url, encoding: .utf8)
                    == "key,entity\r\nc,Card\r\ne,Epic\r\ng,Bug\r\ns,Story\r\n")
        }
    }

    @Test func `a file that names no classes has objects of the one that it is imported into`()
        async throws
    {
        #expect(
            try await answer("key,title\nx,X\n", as: .csv, into: Card.self)
                == "1 inserted, 0 updated")
        #expect(
            try await answer(#"[{"key":"y","title":"Y"}]"#, as: .json, into: Card.self)
                == "1 inserted, 0 updated")
        for key in ["x", "y"] {
            #expect(try card(key).map { type(of: $0) == Card.self } == true)
        }
        // Whom it finds keeps its class.
        #expect(
            try await answer(
                "key,entity,title\ns,,S\n", as: .csv, into: Card.self, .upsert(by: \.key))
                == "0 inserted, 1 updated")
        #expect(try card("s") is Story && card("s")?.title == "S")
    }

    @Test func `the class of an object may come behind what depends on it`() async throws {
        let text = """
            [{"mark":3,"key":"x","entity":"Bug"},
             {"mark":"m","key":"y","entity":"Epic","color":"green"},
             {"key":"z","entity":null}]
            """
        #expect(try await answer(text, as: .json, into: Card.self) == "3 inserted, 0 updated")
        let (bug, epic) = (try card("x") as? Bug, try card("y") as? Epic)
        #expect(bug?.mark == 3 && epic?.mark == "m" && epic?.color == "green")
        #expect(try card("z").map { type(of: $0) == Card.self } == true)
        #expect(
            try await answer("key,entity\nw,Bug\n", as: .csv, into: Bug.self)
                == "1 inserted, 0 updated")
    }

    @Test(arguments: [
        ("entity,key\nStori,a\n", "2:1: expected Card or "),
        ("entity,key,estimate\nCard,a,1\n", "2:8: expected an empty field, for the class of the"),
        ("entity,key,mark\nBug,a,x\n", "2:7: mark: expected a number"),
        ("key,estimate\na,1\n", "1:5: Card has no property estimate"),
        ("entity,key,nothing\n", "1:12: Card has no property nothing"),
        ("entity,objectID.entity,key\n", "1:8: the columns entity and objectID.entity tell of"),
        ("entity,id,key\nStory,0,a\n", "2:7: there is no Story 0: leave the id out"),
        (
            "[{\"entity\":\"Card\",\"key\":\"a\",\"estimate\":1}]",
            "1:29: Card has no property estimate"
        ),
        ("[{\"key\":\"a\",\"entity\":\"Moon\"}]", "1:22: expected Card or "),
        ("[{\"entity\":1,\"key\":\"a\"}]", "1:12: expected a string"),
        ("[{\"entity\":\"Bug\",\"entity\":\"Bug\"}]", "1:18: the column entity is there twice"),
    ])
    func `a mistake about classes is told with its location`(
        text: String, expected: String
    ) async throws {
        let format = text.hasPrefix("[") ? ExchangeFormat.json : .csv
        let answer = try await answer(text, as: format, into: Card.self, .identifiers)
        #expect(answer.hasPrefix(expected), "\(answer)")
    }

    /// To count lines and columns from the beginning for each of them would take minutes.
    @Test func `a record that tells its class again and again is refused as one that does twice`()
        async throws
    {
        let again = String(repeating: ",\"entity\":\"Bug\"", count: 20_000)
        let answer = try await answer("[{\"key\":\"a\"\(again)}]", as: .json, into: Card.self)
        #expect(answer.hasPrefix("1:28: the column entity is there twice"), "\(answer)")
    }

    @Test func `an object of another class with the value of an upsert is told of`() async throws {
        for text in ["entity,key\nStory,c\n", "entity,key\nBug,e\n"] {
            let answer = try await answer(text, as: .csv, into: Card.self, .upsert(by: \.key))
            #expect(answer.contains("has this key and is no "), "\(answer)")
        }
        #expect(
            try await answer("key\nc\n", as: .csv, into: Story.self, .upsert(by: \.key))
                .hasPrefix(
                    "2:1: Card/0 has this key and is no Story, and an object keeps its class"))
    }

    // MARK: - Names

    class Root: ManagedObject {
        @Attribute var name = ""
    }

    final class Leaf: Root {
        @Attribute var id: Int?
        @Attribute var entity = ""
    }

    @Test(arguments: ExchangeFormat.allCases)
    func `subclasses may have properties with the names of an object's number and class`(
        format: ExchangeFormat
    ) async throws {
        try await withTemporaryDirectory { folder in
            let store = try GraphStore(model: [Root.self, Leaf.self])
            let context = ManagedObjectContext(store)
            Root(context: context).name = "r"
            let leaf = Leaf(context: context)
            (leaf.name, leaf.id, leaf.entity) = ("l", 9, "Moon")
            try context.save()
            let url = folder.appending(path: "Roots")
            try await store.export(FetchRequest<Root>(), to: url, as: format)
            let other = try GraphStore(model: [Root.self, Leaf.self])
            try await other.importObjects(into: Root.self, from: url, as: format)
            let found = Array(try ManagedObjectContext(other).fetch(Root.self))
            #expect(found.map(\.name) == ["r", "l"] && !(found[0] is Leaf))
            let again = try #require(found[1] as? Leaf)
            #expect(again.id == 9 && again.entity == "Moon")
        }
    }

    // MARK: - Relationships of one name

    class Pet: ManagedObject {
        @Attribute(.unique) var name: String
    }

    final class Dog: Pet {
        @Relationship(inverse: \Person.dogs) var owner: Person?
    }

    final class Cow: Pet {
        /// Leads to something else than what a dog has by that name.
        @Relationship(inverse: \Farm.cows) var owner: Farm?
    }

    final class Person: ManagedObject {
        @Attribute(.unique) var email: String
        @Relationship var dogs: OrderedObjectSet<Dog>
    }

    final class Farm: ManagedObject {
        @Relationship var cows: ObjectSet<Cow>
    }

    private static let pets: [ManagedObject.Type] = [
        Pet.self, Dog.self, Cow.self, Person.self, Farm.self,
    ]

    /// A store with a person and a farm, and the context that made them.
    private func makeOwners() throws -> (GraphStore, ManagedObjectContext) {
        let store = try GraphStore(model: Self.pets)
        let context = ManagedObjectContext(store)
        for email in ["a@b", "c@d"] { Person(context: context).email = email }
        _ = Farm(context: context)
        try context.save()
        return (store, context)
    }

    /// Whose pet each one of a store is, in the order of their names.
    private func owners(_ store: GraphStore) throws -> [String] {
        try store.snapshot().context().fetch(
            FetchRequest<Pet>(sortBy: [SortDescriptor(\.name)])
        ).map { pet in
            let owner: ManagedObject? = (pet as? Dog)?.owner ?? (pet as? Cow)?.owner
            return "\(pet.name) \(owner.map { "\(type(of: $0))" } ?? "nobody")"
        }
    }

    @Test(arguments: ExchangeFormat.allCases)
    func `relationships of one name may lead to objects that are named in several ways`(
        format: ExchangeFormat
    ) async throws {
        let (store, context) = try makeOwners()
        let (rex, stray) = (Dog(context: context), Dog(context: context))
        let (milka, wild) = (Cow(context: context), Cow(context: context))
        (rex.name, stray.name, milka.name, wild.name) = ("rex", "stray", "milka", "wild")
        rex.owner = try context.find(Person.self, \.email, "a@b")
        milka.owner = try context.fetch(Farm.self).first
        try context.save()
        let all = ["milka Farm", "rex Person", "stray nobody", "wild nobody"]
        #expect(try owners(store) == all)
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "Pets")
            try await store.export(FetchRequest<Pet>(), to: url, as: format)
            let (other, _) = try makeOwners()
            try await other.importObjects(into: Pet.self, from: url, as: format)
            #expect(try owners(other) == all)
            // Who had an owner has none if the file says so.
            stray.owner = rex.owner
            wild.owner = milka.owner
            try context.save()
            try await store.importObjects(
                into: Pet.self, from: url, as: format, policy: .upsert(by: \.name))
            #expect(try owners(store) == all)
        }
    }

    @Test func `of several columns for a relationship a record fills one`() async throws {
        let (store, _) = try makeOwners()
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "Pets")
            for (columns, fields, location) in [
                ("owner.email,owner", "a@b,0", "2:13"), ("owner,owner.email", "0,a@b", "2:11"),
            ] {
                try Data("entity,name,\(columns)\nDog,rex,\(fields)\n".utf8).write(to: url)
                let error = await #expect(throws: ImportError.self) {
                    try await store.importObjects(into: Pet.self, from: url, as: .csv)
                }
                let names = columns.replacing(",", with: " and ")
                let path = url.path(percentEncoded: false)
                #expect(
                    error?.description.hasPrefix(
                        "\(path):\(location): the columns \(names) tell of the same") == true)
            }
        }
    }

    @Test(arguments: [("owner.email,owner", "a@b,"), ("owner,owner.email", ",a@b")])
    func `an object stays where it is among those of its owner, whichever column is empty`(
        columns: String, fields: String
    ) async throws {
        let (store, context) = try makeOwners()
        let owner = try #require(try context.find(Person.self, \.email, "a@b"))
        for name in ["rex", "bello"] {
            let dog = Dog(context: context)
            (dog.name, dog.owner) = (name, owner)
        }
        try context.save()
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "Pets")
            try Data("entity,name,\(columns)\nDog,rex,\(fields)\n".utf8).write(to: url)
            try await store.importObjects(
                into: Pet.self, from: url, as: .csv, policy: .upsert(by: \.name))
        }
        let dogs = try store.snapshot().context().find(Person.self, \.email, "a@b")?.dogs
        #expect(dogs?.map(\.name) == ["rex", "bello"])
    }
}
