import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Stages of a migration, and versions of models.
@Suite struct StageTests {
    enum Old {
        final class Person: ManagedObject {
            @Attribute var first = ""
            @Attribute var last = ""
            @Attribute var city: String?
        }
        static let types: [ManagedObject.Type] = [Person.self]

        static func fill(_ context: ManagedObjectContext) {
            for (first, last, city) in [
                ("Ada", "L", "London"), ("Bob", "M", nil), ("Cy", "N", "London"),
            ] {
                let person = Person(context: context)
                (person.first, person.last, person.city) = (first, last, city)
            }
        }
    }
    enum New {
        final class Person: ManagedObject {
            @Attribute var fullName: String
            @Relationship(inverse: \Town.people) var town: Town?
        }
        final class Town: ManagedObject {
            @Attribute(.unique) var name: String
            @Relationship var people: OrderedObjectSet<Person>
        }
        static let types: [ManagedObject.Type] = [Person.self, Town.self]
    }

    private static let names = MigrationStage(from: 1, to: 2) { records in
        try records.changeSchema { schema in
            try schema.renameProperty("first", of: "Person", to: "fullName")
        }
        for person in try records.records(of: "Person") {
            guard case .string(let first) = person["fullName"],
                case .string(let last) = person["last"]
            else { continue }
            person["fullName"] = .string("\(first) \(last)")
        }
    }
    private static let towns = MigrationStage(from: 2, to: 3) { records in
        try records.changeSchema { schema in
            try schema.addEntity("Town")
            try schema.addAttribute("name", .string, to: "Town")
            try schema.addRelationship(
                "town", to: "Person", destination: "Town", inverse: "people")
        }
        var towns: [Datum: MigrationRecord] = [:]
        for person in try records.records(of: "Person") where person["city"] != .null {
            if let town = towns[person["city"]] {
                town[objects: "people"].append(person)
            } else {
                let town = try records.insert("Town")
                town["name"] = person["city"]
                person[object: "town"] = town
                towns[person["city"]] = town
            }
        }
    }

    @Test func `stages run in their order, from the version of the document on`() async throws {
        try await MigrationWorld.with(Old.types, Old.fill) { url in
            let plan = MigrationPlan(version: 3, stages: [Self.towns, Self.names])
            try await MigrationWorld.migrate(url, to: New.types, plan: plan) { context in
                let people = Array(try context.fetch(New.Person.self))
                #expect(people.map(\.fullName) == ["Ada L", "Bob M", "Cy N"])
                #expect(people.map { $0.town?.name } == ["London", nil, "London"])
                #expect(people[0].town.map { Array($0.people) } == [people[0], people[2]])
                #expect(try context.fetch(New.Town.self).count == 1)
            }
            let text = try String(
                contentsOf: DocumentFolder(url: url)["snapshot-2.json"], encoding: .utf8)
            #expect(text.hasPrefix("{\"placeskit\":1,\n\"model\":3,\n\"entities\":["))
        }
    }

    @Test(arguments: ManagedDocument.Format.allCases)
    func `a document of the plan's version runs no stage, one of a version between some`(
        format: ManagedDocument.Format
    ) async throws {
        try await withTemporaryDirectory { url in
            var options = ManagedDocument.Options.savedByHand { $0.migration.version = 2 }
            options.format = format
            let document = try await ManagedDocument.open(
                at: url, model: Old.types, options: options)
            Old.fill(document.viewContext)
            try await document.close()
            let clear = MigrationStage(from: 2, to: 3) { records in
                for person in try records.records(of: "Person") { person["city"] = .null }
            }
            options.migration = MigrationPlan(version: 3, stages: [Self.names, clear])
            for _ in 0..<2 {
                let migrated = try await ManagedDocument.open(
                    at: url, model: Old.types, options: options)
                let people = try migrated.viewContext.fetch(Old.Person.self)
                #expect(people.map(\.first) == ["Ada", "Bob", "Cy"])
                #expect(people.map(\.city) == [nil, nil, nil])
                #expect(migrated.format == format)
                try await migrated.close()
            }
        }
    }

    @Test func `records come in the order of their numbers, whichever were deleted before`()
        async throws
    {
        try await withTemporaryDirectory { url in
            let document = try await ManagedDocument.open(
                at: url, model: Old.types, options: .savedByHand())
            let context = document.viewContext
            var people: [Old.Person] = []
            // So many that the rows of deleted ones are used again.
            for _ in 0..<5 {
                people.prefix(150).forEach { context.delete($0) }
                people.removeFirst(min(150, people.count))
                try await document.save()
                people += (0..<300).map { _ in Old.Person(context: context) }
                try await document.save()
            }
            let numbers = try context.fetch(Old.Person.self).map(\.objectID.number)
            #expect(numbers != numbers.sorted())
            try await document.close()
            let check = MigrationStage(from: 1, to: 2) { records in
                let numbers = try records.records(of: "Person").map(\.id.number)
                #expect(numbers.count == 900 && numbers == numbers.sorted())
            }
            let plan = MigrationPlan(version: 2, stages: [check])
            try await MigrationWorld.migrate(url, to: Old.types, plan: plan) { _ in }
        }
    }

    enum Renamed {
        final class Person: ManagedObject {
            @Attribute(.originalName("first")) var name = ""
            @Attribute var last = ""
            @Attribute var city: String?
        }
    }

    @Test func `a stage finds what versions without stages renamed by its earlier name`()
        async throws
    {
        let shorten = MigrationStage(from: 2, to: 3) { records in
            for person in try records.records(of: "Person") { person["name"] = .string("A") }
        }
        let rename = MigrationStage(from: 1, to: 2) { records in
            try records.changeSchema { try $0.renameProperty("first", of: "Person", to: "name") }
        }
        try await MigrationWorld.with(Old.types, Old.fill) { url in
            let errors = try await MigrationWorld.refusal(
                url, of: [Renamed.Person.self], plan: MigrationPlan(version: 3, stages: [shorten]))
            #expect(
                errors.first?.description.contains("Person has no property name, but") == true)
            let plan = MigrationPlan(version: 3, stages: [rename, shorten])
            try await MigrationWorld.migrate(url, to: [Renamed.Person.self], plan: plan) {
                context in
                let names = try context.fetch(Renamed.Person.self).map(\.name)
                #expect(names == ["A", "A", "A"])
            }
        }
    }

    private struct Trouble: Error {}

    @Test func `a stage that fails leaves the document as it was`() async throws {
        try await withTemporaryDirectory { url in
            try await MigrationWorld.make(url, Old.types, Old.fill)
            func refusal(
                _ body: @escaping @Sendable (MigrationRecords) throws -> Void
            ) async throws -> String {
                let plan = MigrationPlan(
                    version: 2, stages: [MigrationStage(from: 1, to: 2, body)])
                let errors = try await MigrationWorld.refusal(url, of: Old.types, plan: plan)
                return errors.map(\.description).joined(separator: "\n")
            }
            let start = "The stage from version 1 to 2 failed: "
            #expect(
                try await refusal { records in
                    for person in try records.records(of: "Person") { person.delete() }
                    throw Trouble()
                } == start + "Trouble()")
            #expect(
                try await refusal { _ = try $0.records(of: "Town") }
                    == start + "There is no entity Town, but Person.")
            #expect(
                try await refusal { records in
                    let person = try records.insert("Person")
                    person["first"] = .string("D")
                    person["age"] = .integer(3)
                } == start + "Person has no property age, but city, first, last.")
        }
    }

    @Test func `mistakes of a stage are told`() async throws {
        try await withTemporaryDirectory { url in
            /// What the stage is refused for; the document stays without objects then.
            func problem(
                _ body: @escaping @Sendable (MigrationRecords) throws -> Void
            ) async throws -> String {
                let plan = MigrationPlan(
                    version: 2, stages: [MigrationStage(from: 1, to: 2, body)])
                do {
                    let options = ManagedDocument.Options.savedByHand { $0.migration = plan }
                    try await ManagedDocument.open(at: url, model: New.types, options: options)
                        .close()
                    return ""
                } catch DocumentError.migration(_, let errors) {
                    return errors.map(\.description).joined(separator: "\n").replacing(
                        "The stage from version 1 to 2 failed: ", with: "")
                }
            }
            try await MigrationWorld.make(url, New.types) { _ in }
            #expect(
                try await problem { try $0.insert("Person")["fullName"] = .data(Data([0xFF])) }
                    == "Person/0.fullName is string, and cannot be 1 byte.")
            #expect(
                try await problem { _ = try $0.insert("Person")["town"] }
                    == "Person/0.town is no attribute.")
            #expect(
                try await problem { _ = try $0.insert("Person")[objects: "town"] }
                    == "Person/0.town is no to-many relationship.")
            #expect(
                try await problem { records in
                    let person = try records.insert("Person")
                    person[object: "town"] = person
                } == "Person/0.town cannot lead to Person/0.")
            #expect(
                try await problem { records in
                    let person = try records.insert("Person")
                    person.delete()
                    person["fullName"] = .null
                } == "Person/0 is deleted, and was used afterwards.")
            #expect(
                try await problem { records in
                    let person = try records.insert("Person")
                    try records.changeSchema { try $0.removeProperty("people", of: "Town") }
                    person["fullName"] = .null
                } == "A record is from before changeSchema(_:). Ask for the records again.")
            #expect(
                try await problem { try $0.changeSchema { try $0.removeProperty("x", of: "Town") } }
                    == "Town declares no property x. Check its name.")
            #expect(
                try await problem { records in
                    try records.changeSchema {
                        try $0.addRelationship("home", to: "Person", destination: "City")
                    }
                } == "There is no entity City. Check its name.")
            #expect(
                try await problem { records in
                    try records.changeSchema {
                        try $0.addRelationship(
                            "friends", to: "Person", destination: "Person", isToMany: true)
                    }
                }
                    == """
                    Person.friends is to-many, and needs an inverse. Name one, and it is added too.
                    """)
            #expect(
                try await problem { records in
                    let town = try records.insert("Town")
                    town["name"] = .string("Ulm")
                    let people = try ["a", "b", "c"].map { name in
                        let person = try records.insert("Person")
                        person["fullName"] = .string(name)
                        return person
                    }
                    town[objects: "people"] = [people[2], people[0]]
                    town[objects: "people"] = [people[1], people[0], people[1]]
                    let names = town[objects: "people"].map { $0["fullName"].description }
                    guard names == [#""b""#, #""a""#], people[2][object: "town"] == nil,
                        records.record(town.id)?.id == town.id
                    else { throw Trouble() }
                } == "")
        }
    }

    @Test(arguments: [
        MigrationPlan(version: 0),
        MigrationPlan(version: 2, stages: [MigrationStage(from: 1, to: 3) { _ in }]),
        MigrationPlan(version: 2, stages: [MigrationStage(from: 1, to: 1) { _ in }]),
        MigrationPlan(
            version: 3,
            stages: [
                MigrationStage(from: 1, to: 3) { _ in }, MigrationStage(from: 2, to: 3) { _ in },
            ]),
    ])
    func `a plan whose stages do not follow each other is refused`(plan: MigrationPlan) async throws
    {
        try await MigrationWorld.with(Old.types, Old.fill) { url in
            let errors = try await MigrationWorld.refusal(url, of: Old.types, plan: plan)
            #expect(errors == [.invalidPlan(problem: try #require(plan.problem))])
            let missing = url.appending(path: "new")
            await #expect(throws: DocumentError.self) {
                try await ManagedDocument.open(
                    at: missing, model: Old.types,
                    options: .savedByHand { $0.migration = plan })
            }
            #expect(!FileManager.default.fileExists(atPath: missing.path(percentEncoded: false)))
        }
    }

    private typealias Kinds = RelationshipMigrationTests

    @Test func `a stage renames and removes entities and relationships`() async throws {
        try await MigrationWorld.with(Kinds.Old.types, Kinds.Old.fill) { url in
            let stage = MigrationStage(from: 1, to: 2) { records in
                try records.changeSchema { schema in
                    try schema.renameEntity("Picture", to: "Dog")
                    try schema.renameEntity("Place", to: "Owner")
                    try schema.renameProperty("place", of: "Dog", to: "owner")
                    try schema.renameProperty("pictures", of: "Owner", to: "dogs")
                    try schema.removeEntity("Tag")
                    try schema.addEntity("Cat")
                    try schema.addAttribute("lives", .int64, to: "Cat")
                }
                guard records.schema.entity(named: "Dog")?.relationships.count == 1 else {
                    throw Trouble()
                }
                let cat = try records.insert("Cat")
                cat["lives"] = .string("7")
                let dog = try records.records(of: "Dog")[1]
                dog["name"] = .string("\(dog.id) of \(dog[object: "owner"]?.id.description ?? "")")
                // Renamed twice, and then asked by its last name.
                try records.changeSchema { try $0.renameProperty("name", of: "Dog", to: "trick") }
                try records.changeSchema { try $0.renameProperty("trick", of: "Dog", to: "name") }
            }
            let plan = MigrationPlan(version: 2, stages: [stage])
            try await MigrationWorld.migrate(url, to: Kinds.Flat.types, plan: plan) { context in
                let dogs = try context.fetch(Kinds.Flat.Dog.self)
                #expect(dogs.map(\.name) == ["0", "Dog/1 of Owner/0", "2"])
                let owner = try context.fetch(Kinds.Flat.Owner.self)[0]
                #expect(owner.dogs.map(\.name) == ["2", "Dog/1 of Owner/0", "0"])
                let cats = try context.fetch(Kinds.Flat.Cat.self)
                #expect(cats.map(\.lives) == [7])
                // A value that the model has a default for, and the stage gave none.
                #expect(cats.map(\.name) == [""])
            }
        }
    }

    // MARK: - Newer documents

    @Test func `of a newer document what has another type by now is not seen`() async throws {
        typealias Attributes = AttributeMigrationTests
        try await withTemporaryDirectory { url in
            try await MigrationWorld.make(
                url, Attributes.Old.types, version: 2, Attributes.Old.fill)
            let document = try await ManagedDocument.open(
                at: url, model: [Attributes.Narrow.Photo.self],
                options: .savedByHand { $0.opensNewerReadOnly = true })
            let photos = try document.viewContext.fetch(Attributes.Narrow.Photo.self)
            #expect(photos.map(\.stars) == [0, 100, 0])
            #expect(photos.map(\.name) == [0, 0, 0])
            #expect(photos.map(\.code) == ["", "", ""])
            #expect(photos.map(\.mood) == [.calm, .calm, .calm])
            #expect(photos.map(\.note) == ["note", "", "note"])
        }
    }

    @Test func `a document of a newer version is refused, or opened read-only on request`()
        async throws
    {
        try await withTemporaryDirectory { url in
            try await MigrationWorld.make(url, New.types, version: 4) { context in
                let town = New.Town(context: context)
                town.name = "Paris"
                let person = New.Person(context: context)
                (person.fullName, person.town) = ("Ada", town)
            }
            let contents = try DocumentFolder(url: url).contents
            let error = await #expect(throws: DocumentError.self) {
                try await ManagedDocument.open(
                    at: url, model: Old.types,
                    options: .savedByHand { $0.migration.version = 3 })
            }
            guard case .newerModel(_, found: 4, supported: 3)? = error
            else { throw Unexpected(error) }
            let options = ManagedDocument.Options.savedByHand { $0.opensNewerReadOnly = true }
            let document = try await ManagedDocument.open(
                at: url, model: Old.types, options: options)
            guard case .editingDisabled = document.state else { throw Unexpected(document.state) }
            #expect(try document.viewContext.fetch(Old.Person.self).map(\.first) == [""])
            let earlier = try await document.snapshot(at: 1)
            #expect(try earlier.context().fetch(Old.Person.self).count == 1)
            try await document.close()
            #expect(try DocumentFolder(url: url).contents == contents)
            // A document of one's own is opened for writing.
            let own = try await ManagedDocument.open(
                at: url, model: New.types,
                options: .savedByHand {
                    $0.migration.version = 4
                    $0.opensNewerReadOnly = true
                })
            guard case .normal = own.state else { throw Unexpected(own.state) }
        }
    }
}
