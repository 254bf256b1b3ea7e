import Foundation
import PlacesKit
import Testing

private final class Cashbook: ManagedObject {
    @Relationship var postings: ObjectSet<Posting>
    @Derived(min: \Cashbook.postings, \Posting.amount) var least: Decimal?
    @Derived(max: \Cashbook.postings, \Posting.amount) var greatest: Decimal?
    @DerivedObject(max: \Cashbook.postings, by: \Posting.amount) var top: Posting?
}

private final class Posting: ManagedObject {
    @Attribute var amount: Decimal = 0
    @Attribute(.indexed) var indexed: Decimal = 0
    @Attribute var limit: Decimal = 0
    @Attribute(.range(...5)) var bounded: Decimal = 0
    @Attribute var group = 0
    @Relationship(inverse: \Cashbook.postings) var cashbook: Cashbook?
    var computed: Decimal { amount }

    override class var constraints: [EntityConstraint] { [.index(\Posting.group, \Posting.amount)] }
}

/// A `Decimal` that is not a number, which Foundation has before all numbers, and which comes after them like any NaN.
@Suite struct DecimalNotANumberTests {
    private let context: ManagedObjectContext
    private let cashbook: Cashbook

    init() throws {
        context = ManagedObjectContext(try GraphStore(model: [Cashbook.self, Posting.self]))
        cashbook = Cashbook(context: context)
        for amount in [1, .nan, -2, .nan, 7] as [Decimal] {
            let posting = Posting(context: context)
            (posting.amount, posting.indexed, posting.cashbook) = (amount, amount, cashbook)
        }
    }

    @Test func `it comes last in every order, and first in reverse`() throws {
        func amounts(_ descriptor: SortDescriptor<Posting>, limit: Int? = nil) throws -> [Decimal] {
            try context.fetch(FetchRequest(sortBy: [descriptor], limit: limit)).map(\.amount)
        }
        typealias Amount = any KeyPath<Posting, Decimal> & Sendable
        for keyPath in [\.amount, \.indexed, \.computed] as [Amount] {
            #expect(try amounts(SortDescriptor(keyPath)) == [-2, 1, 7, .nan, .nan])
            #expect(try amounts(SortDescriptor(keyPath), limit: 2) == [-2, 1])
            #expect(
                try amounts(SortDescriptor(keyPath, order: .reverse)) == [.nan, .nan, 7, 1, -2])
            #expect(try amounts(SortDescriptor(keyPath, order: .reverse), limit: 1) == [.nan])
        }
    }

    @Test func `it is greater than all numbers where the least and the greatest are asked`() throws
    {
        let (least, greatest) = try #require(
            try context.aggregate(FetchRequest<Posting>(), .min(\.amount), .max(\.amount)))
        #expect(least == -2 && greatest.isNaN)
        #expect(cashbook.least == -2 && cashbook.greatest?.isNaN == true)
        #expect(cashbook.top?.amount.isNaN == true)
        #expect(try context.count(FetchRequest<Cashbook>(where: "postings.@min.amount == -2")) == 1)
        let greater = "postings.@max.amount == CAST('NaN', 'NSDecimalNumber')"
        #expect(try context.count(FetchRequest<Cashbook>(where: greater)) == 1)
    }

    @Test(arguments: ["amount", "indexed", "group == 0 AND amount"])
    func `it is neither less nor greater than a number, and unequal to each`(key: String) throws {
        func count(_ format: String, _ arguments: Any?...) throws -> Int {
            let format = try PredicateFormat("\(key) \(format)", arguments: arguments)
            return try context.count(FetchRequest<Posting>(where: format))
        }
        #expect(try count("< 0") == 1)
        #expect(try count("<= 1") == 2)
        #expect(try count("> 1") == 1)
        #expect(try count(">= 1") == 2)
        #expect(try count("BETWEEN {-9, 9}") == 3)
        #expect(try count("!= 1") == 4)
        #expect(try count("< limit") == 1)
        for order in ["<", "<=", ">", ">="] {
            #expect(try count("\(order) %@", Decimal.nan) == 0)
        }
        #expect(try count("== %@", Decimal.nan) == 2)
    }

    @Test func `what is asked object by object has the same answer`() throws {
        let zero = Decimal(0)
        let range = ...zero
        for predicate in [
            #Predicate<Posting> { $0.amount < zero }, #Predicate<Posting> { $0.computed < zero },
            #Predicate<Posting> { range.contains($0.amount) },
            #Predicate<Posting> { range.contains($0.computed) },
        ] {
            #expect(try context.fetch(FetchRequest(predicate: predicate)).map(\.amount) == [-2])
        }
    }

    @Test func `it lies in no range that a rule asks for`() throws {
        let posting = Posting(context: context)
        posting.bounded = .nan
        #expect(context.failures().map(\.property) == ["bounded"])
        posting.bounded = 5
        #expect(context.failures().isEmpty)
    }
}
