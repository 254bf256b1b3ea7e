import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Indexes over several properties: values of the first, and a range or an order of the next.
@Suite struct CompoundIndexTests {
    class Entry: ManagedObject {
        @Attribute var number = 0
        @Attribute var kind = 0
        @Attribute var size: Double?
        @Attribute var name = ""
        @Attribute var day: Date?
        @Attribute var price = Decimal(0)
        @Attribute var isOpen = false
        @Relationship(inverse: \Entry.children) var parent: Entry?
        @Relationship var children: ObjectSet<Entry>
    }

    final class Plain: Entry {}

    /// The same with indexes, in a model of its own.
    enum Indexed {
        final class Entry: ManagedObject {
            @Attribute var number = 0
            @Attribute var kind = 0
            @Attribute var size: Double?
            @Attribute var name = ""
            @Attribute var day: Date?
            @Attribute var price = Decimal(0)
            @Attribute var isOpen = false
            @Relationship(inverse: \Entry.children) var parent: Entry?
            @Relationship var children: ObjectSet<Entry>

            override class var constraints: [EntityConstraint] {
                [
                    .index(\Entry.kind, \Entry.size), .index(\Entry.name, \Entry.kind, \Entry.day),
                    .index(\Entry.parent, \Entry.day), .index(\Entry.price, \Entry.name),
                    .index(\Entry.name, \Entry.price), .index(\Entry.day, where: \.isOpen),
                    .index(\Entry.name, \Entry.kind, where: \.isOpen),
                ]
            }
        }
    }

    private struct Values {
        var kind: Int
        var size: Double?
        var name: String
        var day: Date?
        var price: Decimal
        var parent: Int?
        var isOpen: Bool

        init(_ random: inout SeededGenerator, count: Int) {
            kind = Int.random(in: 0..<4, using: &random)
            size = [nil, 0, -1.5, 2, 7, .nan, .infinity].randomElement(using: &random) ?? nil
            name = Self.names.randomElement(using: &random) ?? ""
            day = Bool.random(using: &random) ? Self.day(&random) : nil
            price = Decimal(Int.random(in: 0..<5, using: &random)) / 4
            isOpen = Bool.random(using: &random)
            parent = Bool.random(using: &random) ? Int.random(in: 0..<count, using: &random) : nil
        }

        /// Some begin with the same eight bytes.
        static let names = ["", "a", "lighthouse", "lighthousekeeper", "e\u{301}", "é", "z"]

        static func day(_ random: inout SeededGenerator) -> Date {
            Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0..<6, using: &random)))
        }
    }

    /// A condition with its arguments, as both classes are asked it.
    private static func condition(
        _ random: inout SeededGenerator, parents: (Int) -> (Any?, Any?)
    ) -> (String, [Any?], [Any?]) {
        let comparison =
            ["==", "==", "<", "<=", ">", ">=", "!="].randomElement(using: &random) ?? "=="
        let one: Any? =
            switch Int.random(in: 0..<8, using: &random) {
            case 6, 7: Bool.random(using: &random)
            case 0: Int.random(in: 0..<4, using: &random)
            case 1: [0, -1.5, 2, 7.5, .nan].randomElement(using: &random) as Double?
            case 2: Values.names.randomElement(using: &random)
            case 3: Values.day(&random)
            case 4: Decimal(Int.random(in: 0..<5, using: &random)) / 4
            default: nil
            }
        switch one {
        case let one as Bool: return ("isOpen == %@", [one], [one])
        case let one as Int: return ("kind \(comparison) %@", [one], [one])
        case let one as Double: return ("size \(comparison) %@", [one], [one])
        case let one as String: return ("name \(comparison) %@", [one], [one])
        case let one as Date: return ("day \(comparison) %@", [one], [one])
        case let one as Decimal: return ("price \(comparison) %@", [one], [one])
        default:
            let (plain, indexed) = parents(Int.random(in: 0..<40, using: &random))
            return ("parent == %@", [plain], [indexed])
        }
    }

    @Test(arguments: 0..<16) func `requests find and order what they do without indexes`(
        seed: Int
    ) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let plain = ManagedObjectContext(try GraphStore(model: [Entry.self, Plain.self]))
        let indexed = ManagedObjectContext(try GraphStore(model: [Indexed.Entry.self]))
        let count = seed % 4 == 0 ? 600 : 40
        let plainEntries = (0..<count).map { _ in Entry(context: plain) }
        let indexedEntries = (0..<count).map { _ in Indexed.Entry(context: indexed) }
        func set(_ number: Int) {
            let values = Values(&random, count: count)
            let (a, b) = (plainEntries[number], indexedEntries[number])
            (a.number, b.number) = (number, number)
            (a.kind, b.kind) = (values.kind, values.kind)
            (a.size, b.size) = (values.size, values.size)
            (a.name, b.name) = (values.name, values.name)
            (a.day, b.day) = (values.day, values.day)
            (a.price, b.price) = (values.price, values.price)
            (a.isOpen, b.isOpen) = (values.isOpen, values.isOpen)
            a.parent = values.parent.map { plainEntries[$0] }
            b.parent = values.parent.map { indexedEntries[$0] }
        }
        for number in 0..<count { set(number) }
        var served = 0
        for _ in 0..<150 {
            set(Int.random(in: 0..<count, using: &random))
            let conditions = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                Self.condition(&random) { (plainEntries[$0 % count], indexedEntries[$0 % count]) }
            }
            let format = conditions.map(\.0).joined(separator: " AND ")
            var left = FetchRequest<Entry>(limit: [nil, 1, 7].randomElement(using: &random) ?? nil)
            var right = FetchRequest<Indexed.Entry>(limit: left.limit)
            left.format = try PredicateFormat(format, arguments: conditions.flatMap(\.1))
            right.format = try PredicateFormat(format, arguments: conditions.flatMap(\.2))
            let order: SortOrder = Bool.random(using: &random) ? .forward : .reverse
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                left.sortDescriptors = [SortDescriptor(\.size, order: order)]
                right.sortDescriptors = [SortDescriptor(\.size, order: order)]
            case 1:
                left.sortDescriptors = [SortDescriptor(\.day, order: order)]
                right.sortDescriptors = [SortDescriptor(\.day, order: order)]
            case 2:
                left.sortDescriptors = [SortDescriptor(\.price, order: order)]
                right.sortDescriptors = [SortDescriptor(\.price, order: order)]
            case 3:
                left.sortDescriptors = [SortDescriptor(\.kind, order: order)]
                right.sortDescriptors = [SortDescriptor(\.kind, order: order)]
            default:
                (left.limit, right.limit) = (nil, nil)
            }
            // Further keys go up or down, whatever the first does.
            let next: SortOrder = Bool.random(using: &random) ? .forward : .reverse
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where left.limit != nil:
                left.sortDescriptors.append(SortDescriptor(\.name, order: next))
                right.sortDescriptors.append(SortDescriptor(\.name, order: next))
            case 1 where left.limit != nil:
                left.sortDescriptors.append(SortDescriptor(\.size, order: next))
                right.sortDescriptors.append(SortDescriptor(\.size, order: next))
            default: break
            }
            #expect(
                try indexed.fetch(right).map(\.number) == plain.fetch(left).map(\.number),
                "\(format) \(conditions.flatMap(\.1)) \(order) \(String(describing: left.limit))")
            if try right.explain(in: indexed).description.contains("index of Entry by") {
                served += 1
            }
        }
        #expect(served > 10)
        try indexed.checkIntegrity()
    }

    @Test func `a value of the first property and a range of the next are one part of an index`()
        throws
    {
        let context = ManagedObjectContext(try GraphStore(model: [Indexed.Entry.self]))
        for number in 0..<2_000 {
            let entry = Indexed.Entry(context: context)
            (entry.number, entry.kind, entry.size) = (number, number % 10, Double(number))
            entry.parent = number < 10 ? nil : try context.fetch(Indexed.Entry.self).first
            entry.day = Date(timeIntervalSinceReferenceDate: Double(number))
        }
        let range = try FetchRequest<Indexed.Entry>(
            where: "kind == 3 AND size > 100.0 AND size <= 300.0"
        )
        .explain(in: context)
        #expect(range.rows == 20)
        #expect(range.steps.map(\.rows) == [20])
        let parent = try #require(try context.fetch(Indexed.Entry.self).first)
        let newest = try FetchRequest<Indexed.Entry>(
            where: "parent == %@", parent, sortBy: [SortDescriptor(\.day, order: .reverse)],
            limit: 5
        ).explain(in: context)
        #expect(newest.steps.count == 1)
        #expect(newest.description.contains("walk down the index of Entry by parent, day"))
    }

    @Test func `rows without a value come where a request says by way of an index, too`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Indexed.Entry.self]))
        let parent = Indexed.Entry(context: context)
        for number in 0..<2_000 {
            let entry = Indexed.Entry(context: context)
            (entry.number, entry.kind) = (number, number / 3)
            entry.parent = number % 2 == 0 ? parent : nil
            entry.day =
                number % 4 == 0
                ? nil : Date(timeIntervalSinceReferenceDate: Double(number * 7 % 900))
        }
        for (order, nils) in [
            (SortOrder.forward, NilPosition.first), (.forward, .last),
            (.reverse, .first), (.reverse, .last),
        ] {
            var request = try FetchRequest<Indexed.Entry>(
                where: "parent == %@", parent,
                sortBy: [
                    SortDescriptor(\.day, order: order, nils: nils),
                    SortDescriptor(\.number, order: .reverse),
                ])
            let all = Array(try context.fetch(request))
            for limit in [1, 7, 499, 500, 503, 1_000] {
                request.limit = limit
                let found = Array(try context.fetch(request))
                #expect(found == Array(all.prefix(limit)), "\(order), \(nils), \(limit)")
            }
            request.limit = 3
            let way = try request.explain(in: context).description
            #expect(way.contains("walk"), "\(way)")
        }
    }

    @Test func `orders of several keys, in any directions, walk an index of the first`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Indexed.Entry.self]))
        for number in 0..<3_000 {
            let entry = Indexed.Entry(context: context)
            (entry.number, entry.kind, entry.name) = (number, number / 10, "\(number % 3)")
            entry.size = Double(number * 7 % 10)
        }
        let request = FetchRequest<Indexed.Entry>(
            sortBy: [
                SortDescriptor(\.kind, order: .reverse), SortDescriptor(\.name),
                SortDescriptor(\.size, order: .reverse),
            ], limit: 4)
        // 2,990 … 2,999, of which three of a kind have one name.
        #expect(try context.fetch(request).map(\.number) == [2_997, 2_994, 2_991, 2_998])
        let way = try request.explain(in: context)
        #expect(way.steps.count == 1)
        #expect(
            way.description.contains(
                "walk down the index of Entry by kind, size to the first 4, and sort those"))
    }

    @Test func `an index over a part of the objects serves who asks for that part`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Indexed.Entry.self]))
        for number in 0..<2_000 {
            let entry = Indexed.Entry(context: context)
            (entry.number, entry.isOpen) = (number, number % 20 == 0)
            entry.day = Date(timeIntervalSinceReferenceDate: Double(number))
        }
        let order = [SortDescriptor(\Indexed.Entry.day, order: .reverse)]
        let newest = FetchRequest(
            predicate: #Predicate<Indexed.Entry> { $0.isOpen }, sortBy: order, limit: 3)
        #expect(try context.fetch(newest).map(\.number) == [1_980, 1_960, 1_940])
        let way = try newest.explain(in: context).description
        #expect(way.contains("walk down the index of Entry by isOpen, day"), "\(way)")
        let closed = FetchRequest(
            predicate: #Predicate<Indexed.Entry> { !$0.isOpen }, sortBy: order, limit: 1)
        #expect(try context.fetch(closed).map(\.number) == [1_999])
        try context.checkIntegrity()
    }

    @Test func `an index over a part of the objects needs a property to order them by`() {
        final class Empty: ManagedObject {
            @Attribute var isOpen = false
            override class var constraints: [EntityConstraint] { [.index(where: \Empty.isOpen)] }
        }
        #expect(throws: SchemaError.self) { try GraphStore(model: [Empty.self]) }
    }
}
