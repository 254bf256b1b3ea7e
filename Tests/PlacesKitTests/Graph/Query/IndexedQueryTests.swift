import Foundation
import PlacesKit
import Testing

/// Requests over indexed attributes, beside the same over the objects themselves.
@Suite struct IndexedQueryTests {
    private typealias Item = ShelfModel.Item

    static func context(_ generator: inout SplitMix64) throws -> ManagedObjectContext {
        let context = try ShelfModel.context()
        for _ in 0..<300 {
            let item = Item(context: context)
            item.title =
                ["", "e\u{301}", "é", "longer than eight", "longer than", "z"][
                    generator.below(6)]
            item.isLit = generator.below(6) == 0
            item.size = generator.below(40) - 20
            item.weight = [nil, .nan, 0, -0.0, .infinity, 2.5, -2.5][generator.below(7)]
            item.day =
                generator.below(3) == 0
                ? nil : Date(timeIntervalSinceReferenceDate: Double(generator.below(30)))
            item.price = generator.below(3) == 0 ? nil : Decimal(generator.below(90)) / 8
            item.serial = UInt64.max / UInt64(1 + generator.below(40))
            if generator.below(9) == 0 { context.delete(item) }
        }
        return context
    }

    private static let predicates: [Predicate<Item>] = {
        let day = Date(timeIntervalSinceReferenceDate: 4)
        let price: Decimal? = 1.5
        let (none, infinite, nan): (Date?, Double?, Double?) = (nil, .infinity, .nan)
        return [
            #Predicate { $0.size == 3 }, #Predicate { $0.size < -17 },
            #Predicate { $0.size <= -17 }, #Predicate { $0.size > 17 },
            #Predicate { $0.size >= 17 && $0.isLit }, #Predicate { 18 < $0.size },
            #Predicate { $0.size != 3 && $0.size >= 16 }, #Predicate { $0.isLit },
            #Predicate { $0.title == "é" }, #Predicate { $0.title > "longer than" },
            #Predicate { $0.title < "e" }, #Predicate { $0.day == none },
            #Predicate { $0.day == day }, #Predicate { $0.weight == 0 },
            #Predicate { $0.weight == infinite }, #Predicate { $0.weight == nan },
            #Predicate { $0.weight == nil && $0.size > 10 },
            #Predicate { $0.price == price }, #Predicate { $0.serial < 600_000_000_000_000_000 },
            #Predicate { $0.size > 100 }, #Predicate { $0.shelf == nil && $0.size == 2 },
        ]
    }()

    @Test(arguments: [UInt64](1...3))
    func `a comparison finds through an index what it finds without`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let context = try Self.context(&generator)
        let items = Array(try context.fetch(Item.self))
        for (number, predicate) in Self.predicates.enumerated() {
            let request = FetchRequest(predicate: predicate)
            let expected = items.filter { (try? predicate.evaluate($0)) ?? false }
            #expect(Array(try context.fetch(request)) == expected, "seed \(seed), \(number)")
            #expect(try context.count(request) == expected.count, "seed \(seed), \(number)")
        }
    }

    @Test(arguments: [UInt64](1...3))
    func `sorting by an indexed attribute gives the first of all in the same order`(
        seed: UInt64
    ) throws {
        var generator = SplitMix64(seed: seed)
        let context = try Self.context(&generator)
        for order in [SortOrder.forward, .reverse] {
            let descriptors: [SortDescriptor<Item>] = [
                SortDescriptor(\.size, order: order), SortDescriptor(\.title, order: order),
                SortDescriptor(\.weight, order: order), SortDescriptor(\.day, order: order),
                SortDescriptor(\.price, order: order), SortDescriptor(\.serial, order: order),
                SortDescriptor(\.day, order: order, nils: .first),
                SortDescriptor(\.day, order: order, nils: .last),
                SortDescriptor(\.size, comparator: ComparableComparator(), order: order),
                SortDescriptor(\.size, comparator: By(\.magnitude), order: order),
            ]
            for (number, descriptor) in descriptors.enumerated() {
                for predicate in [nil, Self.predicates[7], Self.predicates[19]] {
                    var request = FetchRequest(predicate: predicate, sortBy: [descriptor])
                    let all = Array(try context.fetch(request))
                    for (offset, limit) in [(0, 1), (0, 20), (7, 13), (0, 64), (280, 64)] {
                        request.limit = limit
                        request.offset = offset
                        let found = Array(try context.fetch(request))
                        #expect(
                            found == Array(all.dropFirst(offset).prefix(limit)),
                            "seed \(seed), \(order), \(number), \(offset), \(limit)")
                    }
                }
            }
        }
    }

    // MARK: - Which plan is made

    private static func plan(
        _ request: FetchRequest<Item>, in context: ManagedObjectContext
    ) throws -> [String] {
        try request.explain(in: context).steps.map {
            String(repeating: " ", count: $0.depth) + $0.text
        }
    }

    @Test func `an index is used where few rows can match, and only there`() throws {
        var generator = SplitMix64(seed: 1)
        let context = try Self.context(&generator)
        func plan(_ predicate: Predicate<Item>) throws -> [String] {
            try Self.plan(FetchRequest(predicate: predicate), in: context)
        }
        #expect(
            try plan(#Predicate { $0.size == 3 }) == ["index of Item by size where size == 3"])
        #expect(
            try plan(#Predicate { $0.size > 15 && $0.size <= 17 && $0.isLit }) == [
                "keep of these", " if isLit == true",
                " index of Item by size where size > 15 and size <= 17",
            ])
        #expect(try plan(#Predicate { $0.size > -18 }) == ["scan Item", " if size > -18"])
        #expect(
            try plan(#Predicate { $0.size == 3 || $0.size == 4 }) == [
                "what any of these has", " index of Item by size where size == 3",
                " index of Item by size where size == 4",
            ])
    }

    @Test func `the first in the order of an index are found without a sort`() throws {
        var generator = SplitMix64(seed: 1)
        let context = try Self.context(&generator)
        let request = FetchRequest<Item>(
            predicate: #Predicate { $0.size > -5 },
            sortBy: [SortDescriptor(\.size, order: .reverse)], limit: 5)
        #expect(
            try Self.plan(request, in: context) == [
                "walk down the index of Item by size where size > -5 to the first 5"
            ])
    }

    @Test func `rows without a value are last without a sort`() throws {
        var generator = SplitMix64(seed: 1)
        let context = try Self.context(&generator)
        let request = FetchRequest<Item>(
            sortBy: [SortDescriptor(\.day, order: .forward, nils: .last)], limit: 5)
        #expect(
            try Self.plan(request, in: context) == [
                "walk up the index of Item by day, nil last, to the first 5"
            ])
    }

    @Test func `the first in the order of an index may be more than there can be`() throws {
        var generator = SplitMix64(seed: 1)
        let context = try Self.context(&generator)
        let all = try context.identifiers(
            of: FetchRequest<Item>(sortBy: [SortDescriptor(\.size)]))
        for (limit, offset) in [(Int.max, 0), (.max - 1, 0), (.max - 9, 3), (.max / 2 + 1, 1)] {
            let request = FetchRequest<Item>(
                sortBy: [SortDescriptor(\.size)], limit: limit, offset: offset)
            let found = try context.identifiers(of: request)
            #expect(found == Array(all.dropFirst(offset)), "\(limit), \(offset)")
            let page = try context.page(request)
            #expect(page.objects.count == found.count && page.next == nil, "\(limit), \(offset)")
        }
    }

    // MARK: - Beginnings

    @Test(arguments: [UInt64](1...3))
    func `texts that begin alike are found in a part of an index`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let context = try ShelfModel.context()
        let parts = [
            "a", "ab", "e", "\u{301}", "é", "longer than eight", "longer t", "\r", "\n", "각",
            "\u{1100}",
            "\u{1161}", "\u{11A8}", "🇫", "🇷", "\u{200D}", "z", "\u{10FFFF}", "ß", "\u{9C7}",
            "\u{9BE}",
        ]
        func text() -> String { (0..<random.below(5)).map { _ in random.pick(parts) }.joined() }
        for _ in 0..<400 { Item(context: context).title = text() }
        let items = Array(try context.fetch(Item.self))
        for _ in 0..<60 {
            let prefix = text()
            let request = FetchRequest<Item>(
                predicate: #Predicate { $0.title.starts(with: prefix) },
                sortBy: [SortDescriptor(\.title)], limit: random.pick([nil, 3, 50]))
            let expected = items.filter { $0.title.starts(with: prefix) }
            let note: Comment = "seed \(seed), \(prefix.debugDescription)"
            var unordered = request
            unordered.sortDescriptors = []
            unordered.limit = nil
            #expect(Array(try context.fetch(unordered)) == expected, note)
            #expect(try context.exists(unordered) == !expected.isEmpty, note)
            let sorted = try context.fetch(request)
            #expect(
                sorted.map(\.title)
                    == expected.sorted { $0.title.isBefore($1.title) }
                    .prefix(request.limit ?? .max).map(\.title), note)
        }
        let request = FetchRequest<Item>(
            predicate: #Predicate { $0.title.starts(with: "longer than e") })
        #expect(try Self.plan(request, in: context)[0] == "keep of these")
        #expect(
            try Self.plan(request, in: context).last
                == " index of Item by title where title begins with \"longer than e\"")
    }
}

extension String {
    /// Whether a text comes before another in the order of their composed bytes.
    fileprivate func isBefore(_ other: String) -> Bool {
        precomposedStringWithCanonicalMapping.utf8
            .lexicographicallyPrecedes(other.precomposedStringWithCanonicalMapping.utf8)
    }
}
