import PlacesKit
import PlacesKitTesting
import Testing

/// Code of a model's own types that changes other objects while PlacesKit reads or writes an attribute.
@Suite struct AttributeEffectTests {
    final class Ticket: ManagedObject {
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
        /// What it does has the same effect, once.
        nonisolated(unsafe) private var isBusy = false

        init(_ first: Ticket, isRolledBack: Bool = false) {
            self.first = first
            self.isRolledBack = isRolledBack
        }

        func take() -> Int {
            if isRolledBack {
                first.context?.rollback()
                return 7
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

    @Test func `a default may roll back the insert that it is for`() throws {
        let ticket = Ticket.$effect.withValue(Effect(first, isRolledBack: true)) {
            Ticket(context: context)
        }
        #expect(ticket.isDeleted)
        try context.checkIntegrity()
        #expect(try context.fetch(FetchRequest<Ticket>()).map(\.number) == [0])
    }
}
