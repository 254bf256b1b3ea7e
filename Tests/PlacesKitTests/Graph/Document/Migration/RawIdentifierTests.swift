import Foundation
import PlacesKit
import Testing

/// Properties whose names are raw identifiers.
@Suite struct RawIdentifierTests {
    enum Now {
        final class Person: ManagedObject {
            @Attribute var `full name` = "nobody"
            @Attribute var number = 0
            @Composite var `last place`: Coordinate?
            @Relationship(inverse: \Person.`all friends`) var `best friend`: Person?
            @Relationship var `all friends`: ObjectSet<Person>
            @Derived(count: \Person.`all friends`) var `friend count`: Int

            override class var constraints: [EntityConstraint] {
                [.unique(\Person.`full name`, \Person.number)]
            }
        }
    }

    enum Renamed {
        final class Person: ManagedObject {
            @Attribute(.originalName("full name")) var fullName = "new"
            @Attribute var number = 0
            @Composite var `last place`: Coordinate?
            @Relationship(originalName: "best friend", inverse: \Person.friends) var best: Person?
            @Relationship(originalName: "all friends") var friends: ObjectSet<Person>
        }
    }

    /// A document as it was when such names had their backticks and no-break spaces in it.
    private static let early = """
        {"placeskit":1,"entities":[{"name":"Person","properties":[
        {"name":"`_full\u{a0}name`","type":"string"},{"name":"number","type":"int64"},
        {"name":"`_last\u{a0}place`.latitude","type":"double","optional":true},
        {"name":"`_last\u{a0}place`.longitude","type":"double","optional":true},
        {"name":"`_best\u{a0}friend`","to":"Person","inverse":"`_all\u{a0}friends`","onDelete":"nullify"},
        {"name":"`_all\u{a0}friends`","to":"Person","many":true,"inverse":"`_best\u{a0}friend`","onDelete":"nullify"}],
        "unique":[["`_full\u{a0}name`","number"]]}],
        "objects":{"Person":[
        {"id":0,"`_full\u{a0}name`":"Ann","number":1,"`_last\u{a0}place`.latitude":2,"`_last\u{a0}place`.longitude":3},
        {"id":1,"`_full\u{a0}name`":"Bob","number":2,"`_best\u{a0}friend`":0}]}}
        """

    @Test func `the name of a property is that of the class, without backticks`() throws {
        let store = try GraphStore(model: [Now.Person.self])
        #expect(
            store.schema.entities[0].properties.map(\.name) == [
                "full name", "number", "last place.latitude", "last place.longitude",
                "best friend", "all friends", "friend count",
            ])
        let context = ManagedObjectContext(store)
        let person = Now.Person(context: context)
        try context.save()
        person.`full name` = "Ann"
        #expect(Array(person.changedValues().keys) == ["full name"])
    }

    enum Marked {
        final class `A.b`: ManagedObject {
            @Attribute var number = 0
            @Relationship(inverse: \`C.d`.many) var one: `C.d`?
        }
        final class `C.d`: ManagedObject { @Relationship var many: ObjectSet<`A.b`> }
        final class `E/f<g`: ManagedObject { @Attribute var number = 0 }
    }

    @Test func `the name of a class may have dots, slashes and brackets`() throws {
        let context = ManagedObjectContext(
            try GraphStore(
                model: [Marked.`A.b`.self, Marked.`C.d`.self, Marked.`E/f<g`.self]))
        let (one, other) = (Marked.`A.b`(context: context), Marked.`E/f<g`(context: context))
        one.one = Marked.`C.d`(context: context)
        try context.save()
        #expect(one.one?.many.count == 1)
        for (number, object) in [one, Marked.`A.b`(context: context)].enumerated() {
            object.number = 1 - number
        }
        let sorted = FetchRequest<Marked.`A.b`>(sortBy: [SortDescriptor(\.number)])
        #expect(Array(try context.fetch(sorted)).last === one)
        for id in [one.objectID, other.objectID] { #expect(ObjectID(id.description) == id) }
        for text in ["/1", "A", "A/", "A/b", "A/01", "A/1/"] { #expect(ObjectID(text) == nil) }
    }

    @Test func `formats have the name in backticks`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Now.Person.self]))
        let (ann, bob) = (Now.Person(context: context), Now.Person(context: context))
        (ann.`full name`, bob.`full name`, bob.`best friend`) = ("Ann", "Bob", ann)
        func names(_ format: PredicateFormat) throws -> [String] {
            try context.fetch(FetchRequest<Now.Person>(where: format)).map(\.`full name`)
        }
        #expect(try names(PredicateFormat("`full name` == 'Ann'")) == ["Ann"])
        #expect(try names(PredicateFormat("`best friend`.`full name` == 'Ann'")) == ["Bob"])
        let search = try PredicateFormat("%K == %@", "best friend.full name", "Ann")
        #expect(search.description == "`best friend`.`full name` == 'Ann'")
        #expect(try names(search) == ["Bob"])
        #expect(try names(PredicateFormat(search.description)) == ["Bob"])
        let written = try PredicateFormat(
            #Predicate<Now.Person> { $0.`best friend`?.`full name` == "Ann" })
        #expect(try names(PredicateFormat(written.description)) == ["Bob"])
        for format in ["`full name == 'Ann'", "`` == 'Ann'"] {
            #expect(throws: PredicateFormatError.self) { try PredicateFormat(format) }
        }
    }

    @Test func `a document with the backticks in it opens as it is, and is saved without`()
        async throws
    {
        let written = try HandwrittenDocument(of: [Now.Person.self], Self.early)
        let document = try await written.open()
        let people = try document.viewContext.fetch(Now.Person.self)
        #expect(people.map(\.`full name`) == ["Ann", "Bob"])
        #expect(people[0].`last place` == Coordinate(latitude: 2, longitude: 3))
        #expect(people[1].`last place` == nil)
        #expect(people[1].`best friend` == people[0])
        #expect(people.map(\.`friend count`) == [1, 0])
        people[1].`full name` = "Bea"
        let text = try await written.text(of: document)
        #expect(!text.contains("`") && text.contains(#""full name":"Bea""#))
        try await document.close()
        let again = try await written.open()
        #expect(try again.viewContext.fetch(Now.Person.self).map(\.number) == [1, 2])
        try await again.close()
    }

    @Test func `a property that had a raw identifier keeps its values under a new name`()
        async throws
    {
        let now = try await HandwrittenDocument.text(of: [Now.Person.self]) { context in
            let (ann, bob) = (Now.Person(context: context), Now.Person(context: context))
            (ann.`full name`, ann.`last place`) = ("Ann", Coordinate(latitude: 2, longitude: 3))
            (bob.`full name`, bob.`best friend`) = ("Bob", ann)
        }
        for text in [Self.early, now] {
            let document = try await HandwrittenDocument(of: [Renamed.Person.self], text).open()
            let people = try document.viewContext.fetch(Renamed.Person.self)
            #expect(people.map(\.fullName) == ["Ann", "Bob"])
            #expect(people[0].`last place` == Coordinate(latitude: 2, longitude: 3))
            #expect(Array(people[0].friends) == [people[1]])
            try await document.close()
        }
    }

    final class Dotted: ManagedObject { @Attribute var `a.b` = 1 }

    @Test func `a name with a dot is refused`() {
        let error = #expect(throws: SchemaError.self) { try GraphStore(model: [Dotted.self]) }
        #expect(error?.description.hasPrefix("Dotted.a.b has a dot in its name, ") == true)
    }
}
