import Foundation
import Observation
import PlacesKit
import PlacesKitTesting
import Testing

/// Attributes whose parts lie in columns of their own.
@Suite struct CompositeAttributeTests {
    enum Kind: String, CaseIterable, AttributeValue, Codable { case flat, house }

    struct Address: CompositeAttribute, Hashable, Codable {
        var street = ""
        var city = ""
        var zip: String?
        var number = 0
        var floor = 0
        var kind = Kind.house
        var tags: [String] = []

        var line: String { street + " " + city }

        static let parts: [CompositePart<Address>] = [
            .part("street", \.street), .part("city", \.city), .part("zip", \.zip),
            .part("number", \.number), .part("floor", \.floor), .part("kind", \.kind),
            .part("tags", \.tags),
        ]
    }

    class Person: ManagedObject {
        @Attribute var name = ""
        @Composite var home = Address(city: "Berlin")
        @Composite var work: Address?
        @Attribute var age = 0
        @Relationship(inverse: \Person.friends) var friend: Person?
        @Relationship var friends: ObjectSet<Person>

        override class var constraints: [EntityConstraint] {
            [.index(\Person.home.city, \Person.home.number), .index(\Person.work?.zip)]
        }

        var shownHome: Address {
            var address = home
            address.city = address.city.uppercased()
            return address
        }
    }

    final class Boss: Person {
        @Composite var office: Address
        @Attribute var title = ""
    }

    private static let types = [Person.self, Boss.self]
    private let context: ManagedObjectContext

    init() throws { context = ManagedObjectContext(try GraphStore(model: Self.types)) }

    private static func address(_ random: inout SeededGenerator) -> Address {
        Address(
            street: ["Am Markt", "Elm", ""].randomElement(using: &random) ?? "",
            city: ["Paris", "Rom", "Oslo"].randomElement(using: &random) ?? "",
            zip: [nil, "1", "23"].randomElement(using: &random) ?? nil,
            number: Int.random(in: 0..<4, using: &random),
            floor: Int.random(in: 0..<4, using: &random),
            kind: Kind.allCases.randomElement(using: &random) ?? .flat,
            tags: ["a", "b"].filter { _ in Bool.random(using: &random) })
    }

    private static func change(_ person: Person, _ random: inout SeededGenerator) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: person.home = address(&random)
        case 1: person.work = address(&random)
        case 2: person.work = nil
        case 3: person.home.city = address(&random).city
        case 4: person.work?.zip = address(&random).zip
        default: (person as? Boss)?.office = address(&random)
        }
    }

    private static func fill(_ context: ManagedObjectContext, _ random: inout SeededGenerator)
        throws
    {
        var last: Person?
        for number in 0..<60 {
            let person =
                number % 3 == 0 ? Boss(context: context) as Person : Person(context: context)
            (person as? Boss)?.office = address(&random)
            person.name = "\(number)"
            for _ in 0..<3 { change(person, &random) }
            if Bool.random(using: &random) { person.friend = last }
            last = person
        }
        try context.save()
    }

    // MARK: - Values

    @Test func `a new object has the defaults of the parts`() throws {
        let person = Person(context: context)
        #expect(person.home == Address(city: "Berlin"))
        #expect(person.work == nil)
        person.work = Address(street: "Elm", zip: "5", tags: ["x"])
        #expect(person.work == Address(street: "Elm", zip: "5", tags: ["x"]))
        person.work?.number = 3
        #expect(person.work?.number == 3)
        #expect(person.work?.zip == "5")
        person.work = nil
        #expect(person.work == nil)
        try context.save()
    }

    @Test func `a composite without a default needs a value before its object is saved`() throws {
        let boss = Boss(context: context)
        #expect(throws: ContextError.self) { try context.save() }
        boss.office = Address(street: "Elm")
        boss.title = "Dr"
        try context.save()
        #expect(boss.office == Address(street: "Elm"))
        #expect(boss.home == Address(city: "Berlin"))
    }

    @Test func `changes name the parts, and are undone`() throws {
        let person = Person(context: context)
        try context.save()
        context.isUndoEnabled = true
        person.home.street = "Elm"
        person.work = Address(zip: "9")
        #expect(person.changedValues().keys.contains("home.street"))
        #expect(!person.changedValues().keys.contains("home.city"))
        #expect(person.changedValues().keys.contains("work.zip"))
        context.undo()
        #expect(person.work == nil)
    }

    @Test func `observation sees a part change`() throws {
        let person = Person(context: context)
        context.isObservable = true
        try context.save()
        nonisolated(unsafe) var count = 0
        withObservationTracking {
            _ = person.home
        } onChange: {
            count += 1
        }
        person.home.floor = 7
        #expect(count == 1)
    }

    @Test func `an observer sees a composite as a whole, is told once of a write, and may write`()
        throws
    {
        nonisolated(unsafe) let person = Person(context: context)
        context.isObservable = true
        try context.save()
        let first = Address(street: "Elm", city: "Rome", number: 1)
        let second = Address(street: "Oak", city: "Nice", zip: "06", number: 2)
        nonisolated(unsafe) var seen: [Address?] = []
        @Sendable func follow() {
            withObservationTracking {
                _ = (person.work, person.name)
            } onChange: {
                seen.append(person.work)
                // Who observes an object keeps it until it changes.
                if seen.count < 5 { follow() }
            }
        }
        follow()
        for value in [first, second, nil] { person.work = value }
        #expect(seen == [first, second, nil])
        person.name = "Anna"
        #expect(seen.count == 4)
        withObservationTracking {
            _ = person.home
        } onChange: {
            person.home = second
        }
        person.home = first
        #expect(person.home == second && seen.count == 4)
        person.name = "Eva"
        #expect(seen.count == 5)
    }

    // MARK: - Requests

    @Test(arguments: 0..<6) func `requests by parts are answered as objects answer`(seed: Int)
        throws
    {
        var random = SeededGenerator(seed: UInt64(seed))
        try Self.fill(context, &random)
        let all = try Array(context.fetch(Person.self))
        for _ in 0..<20 {
            Self.change(all[Int.random(in: 0..<all.count, using: &random)], &random)
            try checkRequests(all)
        }
        try context.checkIntegrity()
    }

    private func checkRequests(_ all: [Person]) throws {
        func check(
            _ predicate: Predicate<Person>, _ format: String,
            _ isExpected: (Person) -> Bool, isCompiled: Bool = true
        ) throws {
            let expected = Set(all.filter(isExpected).map(\.name))
            let request = FetchRequest(predicate: predicate)
            #expect(Set(try context.fetch(request).map(\.name)) == expected)
            #expect(try request.explain(in: context).notCompiled.isEmpty == isCompiled)
            if format.isEmpty { return }
            let formatted = try FetchRequest<Person>(where: format)
            #expect(Set(try context.fetch(formatted).map(\.name)) == expected, "\(format)")
        }
        try check(#Predicate { $0.home.city == "Paris" }, "home.city == 'Paris'") {
            $0.home.city == "Paris"
        }
        try check(
            #Predicate { $0.home.city == "Paris" && $0.home.number > 1 },
            "home.city == 'Paris' AND home.number > 1"
        ) { $0.home.city == "Paris" && $0.home.number > 1 }
        try check(#Predicate { $0.home.floor == 2 }, "home.floor == 2") { $0.home.floor == 2 }
        try check(#Predicate { $0.home.number == $0.home.floor }, "home.number == home.floor") {
            $0.home.number == $0.home.floor
        }
        try check(#Predicate { $0.work?.zip == "23" }, "work.zip == '23'") { $0.work?.zip == "23" }
        try check(#Predicate { $0.work?.city == "Rom" }, "work.city == 'Rom'") {
            $0.work?.city == "Rom"
        }
        try check(
            #Predicate { $0.work == nil }, "work.city == nil", { $0.work == nil }, isCompiled: true)
        try check(#Predicate { $0.friend?.home.city == "Oslo" }, "friend.home.city == 'Oslo'") {
            $0.friend?.home.city == "Oslo"
        }
        try check(#Predicate { $0.friend?.work?.number == 1 }, "friend.work.number == 1") {
            $0.friend?.work?.number == 1
        }
        try check(
            #Predicate { $0.friends.contains { $0.home.city == "Rom" } },
            "ANY friends.home.city == 'Rom'"
        ) { $0.friends.contains { $0.home.city == "Rom" } }
        try check(
            #Predicate { $0.shownHome.city == "PARIS" }, "", { $0.shownHome.city == "PARIS" },
            isCompiled: false)
        try check(
            #Predicate { $0.home.line == "Elm Rom" }, "", { $0.home.line == "Elm Rom" },
            isCompiled: false)
        let sorted = FetchRequest<Person>(sortBy: [
            SortDescriptor(\.home.city), SortDescriptor(\.work?.zip, order: .reverse),
            SortDescriptor(\.home.number),
        ])
        let found = try context.fetch(sorted).map {
            [$0.home.city, $0.work?.zip ?? "", "\($0.home.number)"]
        }
        #expect(
            found
                == found.sorted {
                    ($0[0], $1[1], $0[2]) < ($1[0], $0[1], $1[2])
                })
        #expect(try sorted.explain(in: context).notCompiled.isEmpty)
    }

    @Test func `an index of a part finds and sorts`() throws {
        var random = SeededGenerator(seed: 7)
        try Self.fill(context, &random)
        let text = try FetchRequest<Person>(where: "home.city == 'Paris' AND home.number == 2")
            .explain(in: context)
        #expect(text.description.contains("index of Person by home.city, home.number"))
    }

    @Test func `an unknown part is told with the nearest right one`() throws {
        let error = #expect(throws: PredicateFormatError.self) {
            try FetchRequest<Person>(where: "home.cty == 'x'")
        }
        #expect(error.map { "\($0)" }?.contains("home.city") == true)
    }

    @Test func `a whole composite in a format is refused with one of its parts`() throws {
        let error = #expect(throws: PredicateFormatError.self) {
            try FetchRequest<Person>(where: "age > 1 AND friend.work == nil")
        }
        #expect(
            error?.description == """
                Person.work is a composite attribute: name one of its parts, as in work.street, \
                in column 20 of the predicate format
                  age > 1 AND friend.work == nil
                                     ^
                """)
    }

    @Test(arguments: 0..<3) func `live lists are sectioned by a part`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        try Self.fill(context, &random)
        let request = FetchRequest<Person>(sortBy: [
            SortDescriptor(\.home.city), SortDescriptor(\.name),
        ])
        let controller = try FetchedResultsController(
            request, sectionBy: \.home.city, in: context)
        let all = try Array(context.fetch(Person.self))
        for _ in 0..<30 {
            Self.change(all[Int.random(in: 0..<all.count, using: &random)], &random)
            context.processPendingChanges()
            let expected = Dictionary(grouping: all, by: \.home.city)
            #expect(controller.sections.map(\.name) == expected.keys.sorted())
            for section in controller.sections {
                #expect(
                    section.objects.map(\.name) == expected[section.name]?.map(\.name).sorted())
            }
        }
    }

    // MARK: - Files

    @Test(arguments: [
        ManagedDocument.Format.json, .binaryPropertyList, .xmlPropertyList,
    ])
    func `a document keeps the parts`(format: ManagedDocument.Format) async throws {
        try await withTemporaryDirectory { url in
            let options = ManagedDocument.Options.savedByHand { $0.format = format }
            let document = try await ManagedDocument.open(
                at: url, model: Self.types, options: options)
            var random = SeededGenerator(seed: 3)
            try Self.fill(document.viewContext, &random)
            let request = FetchRequest<Person>(sortBy: [SortDescriptor(\.name)])
            let before = try document.viewContext.fetch(request).map { [$0.home, $0.work] }
            try await document.flush()
            for _ in 0..<2 {
                let copy = try await ManagedDocument.open(
                    at: url, model: Self.types,
                    options: .savedByHand { $0.isReadOnly = true })
                #expect(
                    try copy.viewContext.fetch(request).map { [$0.home, $0.work] } == before)
                try copy.viewContext.checkIntegrity()
                try await document.compact()
            }
            try await document.close()
        }
    }

    @Test(arguments: [ExchangeFormat.csv, .json])
    func `exported parts come back`(format: ExchangeFormat) async throws {
        var random = SeededGenerator(seed: 4)
        try Self.fill(context, &random)
        let request = FetchRequest<Person>(sortBy: [SortDescriptor(\.name)])
        let before = try context.fetch(request).map { [$0.home, $0.work] }
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "people")
            try await context.store.snapshot().export(request, to: url, as: format)
            let all = try Array(context.fetch(request))
            for person in all { person.home = Address() }
            try context.save()
            _ = try await context.store.importObjects(
                into: Person.self, from: url, as: format, policy: .identifiers)
            let fresh = ManagedObjectContext(context.store)
            #expect(try fresh.fetch(request).map { [$0.home, $0.work] } == before)
        }
    }

    // MARK: - Mistakes

    @Test func `a type without parts, or whose parts cannot be told apart, is refused`() {
        struct Empty: CompositeAttribute {
            static let parts: [CompositePart<Empty>] = []
        }
        struct Double: CompositeAttribute {
            var a = 0
            var b = 0
            static let parts: [CompositePart<Double>] = [.part("a", \.a), .part("a", \.b)]
        }
        final class First: ManagedObject { @Composite var empty = Empty() }
        final class Second: ManagedObject { @Composite var double = Double() }
        #expect(throws: SchemaError.self) { try GraphStore(model: [First.self]) }
        #expect(throws: SchemaError.self) { try GraphStore(model: [Second.self]) }
    }
}
