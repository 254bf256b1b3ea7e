import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// Code of a model's own that changes the context while PlacesKit makes, reads or writes an attribute.
@Suite struct AttributeEffectTests {
    final class Ticket: ManagedObject {
        @Attribute(.unique) var code: String?
        @Attribute var number = Ticket.next()
        @Attribute var grade = Grade(rawValue: 0)
        @Attribute var optionalGrade: Grade?

        /// What happens when a default is made, or a grade is stored.
        @TaskLocal static var effect: Effect?

        static func next() -> Int { effect?.take() ?? 0 }
    }

    /// A value whose type does something when it is stored.
    struct Grade: RawRepresentable, AttributeValue {
        let value: Int
        init(rawValue: Int) { value = rawValue }
        var rawValue: Int {
            _ = Ticket.effect?.take()
            return value
        }
    }

    /// Counts in the first ticket how often something happened.
    final class Effect: Sendable {
        nonisolated(unsafe) private let first: Ticket
        private let isRolledBack: Bool
        private let deletes: Bool
        /// What it does has the same effect, once.
        nonisolated(unsafe) private var isBusy = false

        init(_ first: Ticket, isRolledBack: Bool = false, deletes: Bool = false) {
            self.first = first
            self.deletes = deletes
            self.isRolledBack = isRolledBack
        }

        func take() -> Int {
            if isRolledBack {
                first.context?.rollback()
                return 7
            }
            if deletes {
                _ = try? first.context?.deleteAll(Ticket.self)
                return 8
            }
            if isBusy { return 0 }
            isBusy = true
            defer { isBusy = false }
            // Often enough that nothing keeps the graph of before.
            for _ in 0..<200 {
                first.number += 1
                first.grade = Grade(rawValue: first.number)
                first.optionalGrade = Grade(rawValue: first.number)
                try? first.context?.save()
            }
            return first.number
        }
    }

    private let context: ManagedObjectContext
    private let first: Ticket

    init() throws {
        context = ManagedObjectContext(try GraphStore(model: [Ticket.self]))
        first = Ticket(context: context)
        try context.save()
    }

    @Test func `a default may change other objects, and save them`() throws {
        let tickets = Ticket.$effect.withValue(Effect(first)) {
            (0..<3).map { _ in Ticket(context: context) }
        }
        #expect(tickets.map(\.number).allSatisfy { $0 > 0 && $0 % 200 == 0 })
        #expect(tickets.map(\.grade.value) == [0, 0, 0])
        try context.save()
        try context.checkIntegrity()
    }

    @Test func `a value may change other objects while it is written`() throws {
        let others = (0..<3).map { _ in Ticket(context: context) }
        try context.save()
        Ticket.$effect.withValue(Effect(first)) {
            for (number, other) in others.enumerated() {
                other.grade = Grade(rawValue: number)
                other.optionalGrade = Grade(rawValue: number + 1)
                // Again, for the change is noted now.
                other.grade = Grade(rawValue: number + 10)
                other.optionalGrade = Grade(rawValue: number + 11)
            }
        }
        #expect(others.map(\.grade.value) == [10, 11, 12])
        #expect(others.map(\.optionalGrade?.value) == [11, 12, 13])
        try context.save()
        try context.checkIntegrity()
    }

    // MARK: - Defaults that take the context back

    private func rollingBack<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Ticket.$effect.withValue(Effect(first, isRolledBack: true), operation: body)
    }

    @Test func `a default that rolls back does so before its object is inserted`() throws {
        let lost = Ticket(context: context)
        let ticket = rollingBack { Ticket(context: context) }
        #expect(lost.isDeleted)
        #expect(!ticket.isDeleted)
        #expect(ticket.number == 7)
        try context.checkIntegrity()
        #expect(try context.fetch(FetchRequest<Ticket>()).map(\.number) == [0, 7])
    }

    @Test func `an object of a key is found though a default rolled back`() throws {
        let ticket = try rollingBack { try context.findOrInsert(Ticket.self, \.code, "a") }
        #expect(try context.find(Ticket.self, \.code, "a") === ticket)
        #expect(ticket.code == "a")
        try context.save()
        try context.checkIntegrity()
    }

    @Test func `a batch inserts all objects though a default rolls back`() throws {
        let counts = try rollingBack {
            try context.upsert(
                Ticket.self, by: \.code, from: ["a", "b", "a"], key: { $0 }
            ) { ticket, code in #expect(ticket.code == code) }
        }
        // Each rollback took the objects of before: the second "a" is new again.
        #expect(counts.inserted == 3)
        #expect(try context.fetch(FetchRequest<Ticket>()).map(\.code) == [nil, "a"])
        try context.save()
        try context.checkIntegrity()
    }

    @Test func `a default may delete all objects`() throws {
        let ticket = Ticket.$effect.withValue(Effect(first, deletes: true)) {
            Ticket(context: context)
        }
        #expect(first.isDeleted)
        #expect(!ticket.isDeleted)
        try context.save()
        try context.checkIntegrity()
    }

    // MARK: - Inherited defaults

    /// What an inherited default makes changes from one prototype to the next.
    class Animal: ManagedObject {
        @Attribute var number = Animal.next()
        @Attribute var marks = [Animal.next()]
        static let made = Mutex(0)
        @TaskLocal static var fixed: Int?

        static func next() -> Int {
            if let fixed { return fixed }
            return made.withLock { number in
                number += 1
                return number
            }
        }
    }
    class Pet: Animal {}
    final class Dog: Pet {}

    @Test func `a subclass gets what an inherited default makes, whatever its prototype got`()
        throws
    {
        let context = ManagedObjectContext(
            try GraphStore(model: [Animal.self, Pet.self, Dog.self]))
        // All that any prototype can have got, one by one.
        for number in 0...Animal.made.withLock(\.self) + 1 {
            Animal.$fixed.withValue(number) {
                for object in [
                    Animal(context: context), Pet(context: context), Dog(context: context),
                ] {
                    #expect(object.number == number)
                    #expect(object.marks == [number])
                }
            }
        }
    }
}
