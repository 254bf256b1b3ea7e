import Foundation
import PlacesKit
import Testing

/// Attributes of `Codable` types, which are kept as JSON.
@Suite struct CodableAttributeTests {
    struct Address: CodableAttribute {
        var street = ""
        var number: Int?
    }
    enum Shape: CodableAttribute {
        case circle(radius: Double)
        case line(from: Int, to: Int)
    }
    /// Throws when it is encoded while it is broken.
    struct Fragile: CodableAttribute {
        var isBroken = false

        func encode(to encoder: any Encoder) throws {
            if isBroken { throw CancellationError() }
            var container = encoder.singleValueContainer()
            try container.encode(["whole": true])
        }

        init(isBroken: Bool = false) { self.isBroken = isBroken }
        init(from decoder: any Decoder) throws {}
    }
    /// Contains itself.
    struct Nested: CodableAttribute { var inner: [Nested] = [] }
    struct Code: RawRepresentable, AttributeValue, Codable, Hashable {
        var rawValue: String
        init?(rawValue: String) {
            guard rawValue.count == 2 else { return nil }
            self.rawValue = rawValue
        }
    }

    final class Person: ManagedObject {
        @Attribute var name = ""
        @Attribute var address = Address(street: "Am Markt")
        @Attribute var secondAddress: Address?
        @Attribute var shape: Shape?
        @Attribute var nicknames: [String]
        @Attribute var matrix: [[Double]] = []
        @Attribute var lucky: Set<Int> = [3]
        @Attribute var scores: [String: Int] = [:]
        @Attribute var visits: [Date: UUID] = [:]
        @Attribute var fragile = Fragile()
        @Attribute var nested = Nested()
        @Attribute var country: Code?
        @Attribute var prices: [Decimal] = []
        @Attribute var places: [Decimal: String] = [:]

        var homes: [Address] { [address] }
        var shownAddress: Address? { name.isEmpty ? nil : secondAddress }
        var soundAddress: Address? { secondAddress?.number == nil ? nil : secondAddress }
    }

    let context: ManagedObjectContext
    let person: Person

    init() throws {
        context = ManagedObjectContext(try GraphStore(model: [Person.self]))
        person = Person(context: context)
    }

    private func keep<Value: AttributeValue>(
        _ keyPath: ReferenceWritableKeyPath<Person, Value>, _ values: Value...
    ) {
        for value in values + values.reversed() {
            person[keyPath: keyPath] = value
            #expect(person[keyPath: keyPath] == value)
        }
    }

    @Test func `values come back as they went in`() {
        keep(\.address, Address(), Address(street: "\"/\n", number: .min))
        keep(\.secondAddress, nil, Address(), Address(street: "a", number: 1))
        keep(
            \.shape, nil, .circle(radius: 0.1), .line(from: 1, to: .max),
            .circle(radius: -.infinity))
        keep(\.nicknames, [], ["", "é", "👩‍👩‍👧"])
        keep(\.matrix, [], [[1, 0.1], []])
        keep(\.lucky, [], [1, 2, 3])
        keep(\.scores, [:], ["a": 1, "b": .max])
        keep(\.visits, [:], [.distantPast: UUID(), Date(timeIntervalSince1970: 0.1): UUID()])
        keep(\.country, nil, Code(rawValue: "DE"))
    }

    @Test func `an attribute that was never given a value reads as its default or as empty`() {
        #expect(person.address == Address(street: "Am Markt"))
        #expect(person.secondAddress == nil && person.shape == nil)
        #expect(person.nicknames.isEmpty && person.lucky == [3])
        #expect(throws: ContextError.self) { try context.save() }
        person.nicknames = []
        #expect(throws: Never.self) { try context.save() }
    }

    @Test func `changing a part of a value changes the attribute`() throws {
        person.nicknames = ["a"]
        try context.save()
        person.nicknames.append("b")
        person.address.number = 4
        person.scores["x", default: 0] += 1
        #expect(context.updatedObjects == [person])
        #expect(person.nicknames == ["a", "b"] && person.address.number == 4)
        context.rollback()
        #expect(person.nicknames == ["a"] && person.address.number == nil && person.scores == [:])
    }

    @Test func `a set or dictionary that is built in another order is no change`() throws {
        person.nicknames = []
        for number in 0..<40 { person.lucky.insert(number) }
        let identifiers = (0..<20).map { _ in UUID() }
        let days = (0..<20).map { Date(timeIntervalSinceReferenceDate: Double($0)) }
        for (day, identifier) in zip(days, identifiers) { person.visits[day] = identifier }
        try context.save()
        person.lucky = Set((0..<40).reversed())
        person.lucky.insert(3)
        person.visits = [:]
        for (day, identifier) in zip(days, identifiers).reversed() {
            person.visits[day] = identifier
        }
        #expect(!context.hasChanges)
    }

    @Test func `the committed value of an attribute has its type`() throws {
        person.nicknames = ["a"]
        try context.save()
        person.nicknames = ["b"]
        person.lucky = [4]
        person.address.number = 5
        person.secondAddress = Address()
        #expect(try person.committedValue(of: \.nicknames) == ["a"])
        #expect(try person.committedValue(of: \.lucky) == [3])
        #expect(try person.committedValue(of: \.address) == Address(street: "Am Markt"))
        #expect(try person.committedValue(of: \.secondAddress) == nil)
        try context.save()
        #expect(try person.committedValue(of: \.secondAddress) == Address())
        // What is computed is none, though it reads one.
        #expect(throws: ContextError.self) { try person.committedValue(of: \.homes) }
        #expect(throws: ContextError.self) { try person.committedValue(of: \.soundAddress) }
    }

    @Test func `a value that cannot be encoded refuses the save`() throws {
        person.nicknames = []
        person.fragile = Fragile(isBroken: true)
        #expect(!person.fragile.isBroken)
        #expect(
            context.failures() == [
                ValidationFailure(
                    object: person.objectID, property: "fragile", reason: .notEncodable)
            ])
        person.fragile = Fragile()
        try context.save()
        person.fragile.isBroken = true
        #expect(context.failures().map(\.reason) == [.notEncodable])
        person.fragile.isBroken = false
        try context.save()
    }

    @Test func `a decimal within a value that is not a number refuses the save`() throws {
        person.nicknames = []
        person.prices = [1, .nan]
        person.places = [.nan: "nowhere"]
        #expect(context.failures().map(\.reason) == [.notEncodable, .notEncodable])
        #expect(context.failures().map(\.property) == ["prices", "places"])
        person.prices = [1, Decimal(1) / 3, .greatestFiniteMagnitude]
        person.places = [-1: "somewhere"]
        try context.save()
        #expect(person.prices == [1, Decimal(1) / 3, .greatestFiniteMagnitude])
    }

    @Test func `a value nested too deeply for a file refuses the save`() throws {
        person.nicknames = []
        func nested(_ depth: Int) -> Nested {
            (1..<depth).reduce(Nested()) { inner, _ in Nested(inner: [inner]) }
        }
        person.nested = nested(20)
        try context.save()
        #expect(person.nested == nested(20))
        person.nested = nested(200)
        #expect(context.failures().map(\.property) == ["nested"])
    }

    @Test func `predicates and sorting ask the values themselves`() throws {
        for number in 0..<12 {
            let person = Person(context: context)
            person.name = number % 3 == 0 ? "" : "n"
            person.secondAddress = [nil, Address(street: "x"), Address(number: number)][number % 3]
            person.lucky = number % 2 == 0 ? [1, 2] : [2, 3]
            person.nicknames = ["a", "b"].suffix(number % 3)
        }
        let address = Address(street: "x")
        let names = ["a", "b"]
        try context.check(#Predicate<Person> { $0.secondAddress == address }, .fallback)
        try context.check(#Predicate<Person> { $0.secondAddress == nil }, .fallback)
        try context.check(#Predicate<Person> { $0.secondAddress?.street == "x" }, .fallback)
        try context.check(#Predicate<Person> { $0.lucky == [2, 1] }, .fallback)
        try context.check(#Predicate<Person> { $0.nicknames.contains("a") }, .fallback)
        try context.check(#Predicate<Person> { $0.nicknames == names }, .fallback)
        try context.check(#Predicate<Person> { names.contains($0.name) }, .compiled)
        try context.check(#Predicate<Person> { $0.shownAddress == nil }, .fallback)
        try context.check(#Predicate<Person> { $0.soundAddress == nil }, .fallback)
        try context.check(#Predicate<Person> { $0.homes.isEmpty }, .fallback)
        let sorted = try context.fetch(
            FetchRequest(sortBy: [SortDescriptor(\Person.nicknames.count), SortDescriptor(\.name)]))
        #expect(sorted.map(\.nicknames.count) == sorted.map(\.nicknames.count).sorted())
    }

    // MARK: - Models

    final class Homeless: ManagedObject { @Attribute var address: Shape }
    final class Coded: ManagedObject { @Attribute var code: Code }
    final class Fancy: ManagedObject { @Attribute(.unique) var tags: [String] }
    struct Unreadable: CodableAttribute {
        init() {}
        init(from decoder: any Decoder) throws { throw CancellationError() }
        func encode(to encoder: any Encoder) throws {}
    }
    final class Writer: ManagedObject { @Attribute var value = Unreadable() }

    @Test(arguments: [Homeless.self, Coded.self, Fancy.self, Writer.self])
    func `what could not be read or found again is refused as a model`(
        type: ManagedObject.Type
    ) throws {
        let error = #expect(throws: SchemaError.self) { try GraphStore(model: [type]) }
        #expect(error?.description.hasPrefix("\(type).") == true)
    }
}
