import Foundation
import PlacesKit
import Testing

/// `find`, `findOrInsert`, and fetches that go through a unique index.
@Suite struct UniqueLookupTests {
    @Test func `an object is found by every kind of unique value`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Keyed.self]))
        let object = Keyed(context: context)
        object.text = "caf\u{e9}"
        object.integer = .min
        object.double = -0.0
        object.date = Date(timeIntervalSinceReferenceDate: 12.5)
        object.uuid = SpecimenWorld.uuids[2]
        object.url = SpecimenWorld.urls[1]
        object.data = Data([1, 2])
        object.mood = .odd
        for _ in 0..<2 {
            #expect(try context.find(Keyed.self, \.text, "cafe\u{301}") === object)
            #expect(try context.find(Keyed.self, \.integer, .min) === object)
            #expect(try context.find(Keyed.self, \.double, 0) === object)
            #expect(try context.find(Keyed.self, \.date, object.date) === object)
            #expect(try context.find(Keyed.self, \.uuid, object.uuid) === object)
            #expect(try context.find(Keyed.self, \.url, object.url) === object)
            #expect(try context.find(Keyed.self, \.data, Data([1, 2])) === object)
            #expect(try context.find(Keyed.self, \.mood, .odd) === object)
            #expect(try context.find(Keyed.self, \.text, "") == nil)
            #expect(try context.find(Keyed.self, \.mood, .wild) == nil)
            #expect(try context.find(Keyed.self, \.integer, nil) == nil)
            try context.save()
        }
    }

    @Test func `an object is found by a value that says more than its column holds`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Locker.self]))
        let locker = try context.findOrInsert(Locker.self, \.floor, .cellar)
        locker.opened = Moment(rawValue: Date(timeIntervalSinceReferenceDate: 2.5))
        locker.size = Area(squareMeters: 400)
        for _ in 0..<2 {
            #expect(try context.find(Locker.self, \.floor, .cellar) === locker)
            #expect(try context.find(Locker.self, \.opened, locker.opened) === locker)
            #expect(try context.find(Locker.self, \.size, Area(squareMeters: 400)) === locker)
            let found = try context.find(Locker.self, \.size, in: [nil, locker.size])
            #expect(found.map(\.floor) == [.cellar])
            let known = try context.contains(Locker.self, \.floor, in: [.attic, .cellar])
            #expect(known == [false, true])
            #expect(try !context.contains(Locker.self, \.opened, nil))
            try context.save()
        }
        let counts = try context.upsert(
            Locker.self, by: \.floor, from: [Floor.attic, .cellar], key: { $0 }
        ) { _, _ in }
        #expect(counts.inserted == 1 && counts.updated == 1)
    }

    @Test func `a key path that is not a unique attribute is refused`() throws {
        let context = try SpecimenWorld(seed: 1).context
        #expect(throws: ContextError.self) { try context.find(Specimen.self, \.text, "plain") }
        #expect(throws: ContextError.self) { try context.find(Specimen.self, \.shout, "PLAIN") }
        #expect(throws: ContextError.self) { try context.find(Keyed.self, \.text, "") }
        #expect(throws: ContextError.self) { try context.findOrInsert(Tag.self, \.weight, 3) }
        #expect(try context.find(Tag.self, \.name, "tag 3")?.name == "tag 3")
    }

    @Test func `what is missing is inserted once`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Keyed.self]))
        let first = try context.findOrInsert(Keyed.self, \.text, "new")
        #expect(first.text == "new")
        #expect(try context.findOrInsert(Keyed.self, \.text, "new") === first)
        #expect(try context.count(Keyed.self) == 1)
    }

    @Test func `many are found at once, in the order of their values`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Keyed.self]))
        for number in 0..<50 { _ = try context.findOrInsert(Keyed.self, \.text, "text \(number)") }
        try context.save()
        let asked = ["text 7", "none", "text 3", "text 7", "", "text 49"]
        let found = try context.find(Keyed.self, \.text, in: asked)
        #expect(found.map(\.text) == ["text 7", "text 3", "text 7", "text 49"])
        #expect(
            try context.contains(Keyed.self, \.text, in: asked) == [
                true, false, true, true, false, true,
            ])
        #expect(try context.contains(Keyed.self, \.text, "text 0"))
        #expect(try !context.contains(Keyed.self, \.text, "text 50"))
        #expect(try context.contains(Keyed.self, \.integer, in: [nil, 4]) == [false, false])
        #expect(try context.find(Keyed.self, \.text, in: [String]()).isEmpty)
        #expect(throws: ContextError.self) { try context.find(Specimen.self, \.text, in: ["a"]) }
        #expect(throws: ContextError.self) { try context.contains(Specimen.self, \.text, "a") }
    }

    @Test func `many at once are the same as one after the other, by every kind of value`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Keyed.self]))
        var random = SplitMix64(seed: 7)
        func number() -> Int { Int.random(in: 0..<300, using: &random) }
        func date(_ number: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(number)) }
        func uuid(_ number: Int) -> UUID {
            UUID(
                uuid: (
                    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number >> 8),
                    UInt8(number & 255)
                ))
        }
        for number in 0..<200 {
            let object = Keyed(context: context)
            object.text = "a text that is kept elsewhere, of number \(number)"
            object.integer = number - 100
            object.double = Double(number) / 8
            object.date = date(number)
            object.uuid = uuid(number)
            object.data = Data([UInt8(number)])
            if number == 150 { try context.save() }
        }
        func check<Value: AttributeValue>(
            _ keyPath: KeyPath<Keyed, Value>, _ value: (Int) -> Value
        ) throws {
            let values = (0..<150).map { _ in value(number()) }
            let found = try values.map { try context.find(Keyed.self, keyPath, $0) }
            #expect(found.contains { $0 == nil } && found.contains { $0 != nil })
            #expect(
                try context.find(Keyed.self, keyPath, in: values).map(\.objectID)
                    == found.compactMap { $0?.objectID })
            #expect(
                try context.contains(Keyed.self, keyPath, in: values) == found.map { $0 != nil })
        }
        try check(\.text) { "a text that is kept elsewhere, of number \($0)" }
        try check(\.integer) { $0 % 7 == 0 ? nil : $0 - 100 }
        try check(\.double) { Double($0) / 8 }
        try check(\.date, date)
        try check(\.uuid, uuid)
        try check(\.data) { Data([UInt8($0 & 255)] + ($0 < 256 ? [] : [0])) }
    }

    @Test func `of many the missing ones are inserted once`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Keyed.self]))
        let old = try context.findOrInsert(Keyed.self, \.text, "b")
        let found = try context.findOrInsert(Keyed.self, \.text, in: ["a", "b", "c", "a", "c"])
        #expect(found.map(\.text) == ["a", "b", "c", "a", "c"])
        #expect(found[1] === old)
        #expect(found[0] === found[3])
        #expect(try context.count(Keyed.self) == 3)
        try context.save()
        #expect(try context.findOrInsert(Keyed.self, \.text, in: ["c", "a"]).count == 2)
        #expect(!context.hasChanges)
    }

    @Test func `of a hierarchy only objects of the class are found`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Beast.self, Horse.self]))
        _ = try context.findOrInsert(Horse.self, \.name, "Bucephalus")
        _ = try context.findOrInsert(Beast.self, \.name, "Cerberus")
        let names = ["Cerberus", "Bucephalus"]
        #expect(try context.find(Beast.self, \.name, in: names).map(\.name) == names)
        #expect(try context.find(Horse.self, \.name, in: names).map(\.name) == ["Bucephalus"])
        #expect(try context.contains(Horse.self, \.name, in: names) == [false, true])
        #expect(try context.find(Beast.self, \.name, in: names)[1] is Horse)
    }

    @Test func `one key path is looked up in the class that is given, whichever was asked first`()
        throws
    {
        for first in [Beast.self, Horse.self] as [Beast.Type] {
            let context = ManagedObjectContext(try GraphStore(model: [Beast.self, Horse.self]))
            let (beast, horse) = (Beast(context: context), Horse(context: context))
            (beast.name, horse.name) = ("Cerberus", "Bucephalus")
            // Each has one key path for all classes.
            func found(_ type: Beast.Type, _ name: String) throws -> Beast? {
                let found = try context.find(type, \.name, name)
                #expect(try context.contains(type, \.name, name) == (found != nil))
                #expect(try context.find(type, \.name, in: [name]).count == (found == nil ? 0 : 1))
                return found
            }
            func made(_ type: Beast.Type, _ name: String) throws -> Beast {
                try context.findOrInsert(type, \.name, name)
            }
            #expect(try found(first, "Pegasus") == nil)
            #expect(try Swift.type(of: made(first, "Pegasus")) == first)
            #expect(try found(Beast.self, "Cerberus") === beast)
            #expect(try found(Horse.self, "Cerberus") == nil)
            #expect(try found(Beast.self, "Bucephalus") === horse)
            #expect(try found(Horse.self, "Bucephalus") === horse)
            #expect(try made(Beast.self, "Cerberus") === beast)
            for type in [Beast.self, Horse.self] as [Beast.Type] {
                #expect(try Swift.type(of: made(type, "a new \(type)")) == type)
            }
            try context.save()
            #expect(context.brokenInvariants == [])
        }
    }

    @Test func `an object of the class is found also while one of another class has its value`()
        throws
    {
        let context = ManagedObjectContext(try GraphStore(model: [Beast.self, Horse.self]))
        let beast = try context.findOrInsert(Beast.self, \.name, "Pegasus")
        try context.save()
        let controller = try ObjectController(Horse.self, \.name, is: "Pegasus", in: context)
        let names = ["Pegasus", "Pegasus", "Pegasus"]
        let counts = try context.upsert(Horse.self, by: \.name, from: names, key: \.self) {
            horse, _ in horse.hands += 1
        }
        #expect(counts == (inserted: 1, updated: 2))
        let horse = try #require(try context.find(Horse.self, \.name, "Pegasus"))
        #expect(horse.hands == 18)
        #expect(try context.contains(Horse.self, \.name, in: names) == [true, true, true])
        #expect(try context.findOrInsert(Horse.self, \.name, "Pegasus") === horse)
        let made = try context.findOrInsert(Horse.self, \.name, in: names)
        #expect(made.allSatisfy { $0 === horse })
        #expect(try context.find(Beast.self, \.name, "Pegasus") === beast)
        context.processPendingChanges()
        #expect(controller.object === horse)
        #expect(throws: ContextError.self) { try context.save() }
        context.delete(beast)
        try context.save()
        #expect(try context.find(Beast.self, \.name, "Pegasus") === horse)
        #expect(context.brokenInvariants == [])
    }

    @Test func `look-ups agree with scans, whatever is pending`() throws {
        for seed in [UInt64(1), 2, 3] {
            var random = SplitMix64(seed: seed)
            let context = ManagedObjectContext(try GraphStore(model: [Keyed.self]))
            var texts: [String] = (0..<12).map { "text \($0)" } + ["", "caf\u{e9}"]
            for step in 0..<400 {
                let objects = Array(try context.fetch(Keyed.self))
                switch random.below(12) {
                case 0...3:
                    let object = Keyed(context: context)
                    if random.below(4) > 0 { object.text = random.pick(texts) }
                    object.integer = random.maybe(Array(0..<9))
                case 4, 5:
                    guard !objects.isEmpty else { continue }
                    random.pick(objects).text = random.pick(texts)
                case 6:
                    guard !objects.isEmpty else { continue }
                    random.pick(objects).integer = random.maybe(Array(0..<9))
                case 7, 8:
                    guard !objects.isEmpty else { continue }
                    context.delete(random.pick(objects))
                case 9: try? context.save()
                case 10: context.processPendingChanges()
                default: if random.below(4) == 0 { context.rollback() }
                }
                texts.shuffle(using: &random)
                try check(context, texts, "Seed \(seed), step \(step)")
            }
        }
    }

    private func check(
        _ context: ManagedObjectContext, _ texts: [String], _ note: Comment
    ) throws {
        let objects = Array(try context.fetch(Keyed.self))
        for text in texts {
            // A value that was never written reads as empty text, but is not found by it.
            let holders = objects.filter {
                $0.text == text && !(text.isEmpty && $0.lacksText)
            }
            let found = try context.find(Keyed.self, \.text, text)
            #expect(holders.isEmpty == (found == nil), note)
            #expect(found.map(holders.contains) ?? true, note)
        }
        for some in [texts.prefix(1), texts.prefix(3)] {
            let sought = Array(some)
            let predicate = #Predicate<Keyed> { sought.contains($0.text) }
            let expected = objects.filter { sought.contains($0.text) }
            #expect(Array(try context.fetch(FetchRequest(predicate: predicate))) == expected, note)
        }
        for number in 0..<9 {
            let predicate = #Predicate<Keyed> { $0.integer == number }
            let expected = objects.filter { $0.integer == number }
            #expect(Array(try context.fetch(FetchRequest(predicate: predicate))) == expected, note)
            #expect(try context.count(FetchRequest(predicate: predicate)) == expected.count, note)
        }
    }
}

private final class Keyed: ManagedObject {
    @Attribute(.unique) var text: String
    @Attribute(.unique) var integer: Int?
    @Attribute(.unique) var double: Double?
    @Attribute(.unique) var date: Date?
    @Attribute(.unique) var uuid: UUID?
    @Attribute(.unique) var url: URL?
    @Attribute(.unique) var data: Data?
    @Attribute(.unique) var mood: Mood?

    /// Whether nobody wrote the text.
    var lacksText: Bool {
        validationFailures().contains { $0.property == "text" && $0.reason == .missingValue }
    }
}

private enum Floor: Int8, AttributeValue {
    case cellar = -1
    case attic = 7
}

private struct Moment: RawRepresentable, AttributeValue {
    var rawValue: Date
}

/// Stored as another number than its raw value.
private struct Area: RawRepresentable, AttributeValue, Equatable {
    var rawValue: Int16

    init(rawValue: Int16) { self.rawValue = rawValue }
    init(squareMeters: Int16) { rawValue = squareMeters }
    init?(stored: Int64) {
        guard let value = Int16(exactly: stored / 300) else { return nil }
        rawValue = value
    }
    var stored: Int64 { Int64(rawValue) * 300 }
}

private final class Locker: ManagedObject {
    @Attribute(.unique) var floor = Floor.attic
    @Attribute(.unique) var opened: Moment?
    @Attribute(.unique) var size: Area?
}

class Beast: ManagedObject {
    @Attribute(.unique) var name: String
}

final class Horse: Beast {
    @Attribute var hands = 15
}
