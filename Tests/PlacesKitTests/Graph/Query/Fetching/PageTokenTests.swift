import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Pages that go on where a token says, beside a plain sort of all objects.
@Suite struct PageTokenTests {
    private typealias Item = ShelfModel.Item
    private typealias Shelf = ShelfModel.Shelf

    @Test(arguments: [UInt64](1...6))
    func `all pages together are the whole fetch, whatever is asked for`(seed: UInt64) throws {
        var random = SplitMix64(seed: RunSeed.mixed(seed))
        let context = try SpecimenWorld(seed: seed, saved: 90).context
        let predicates: [Predicate<Specimen>?] = [
            nil, #Predicate { $0.flag }, #Predicate { $0.shelf?.name == "plain" },
            #Predicate { $0.shout == "PLAIN" }, #Predicate { $0.integer > 1_000_000 },
        ]
        for _ in 0..<30 {
            let keys = (0..<random.below(4)).map { _ in
                SortDescriptor<Specimen>.random(&random, isCompiled: true)
            }
            var request = FetchRequest(
                predicate: random.pick(predicates), sortBy: keys,
                offset: random.pick([0, 0, 3, 1_000]))
            let expected = try context.byNumber(request.predicate).sorted(using: keys)
                .dropFirst(request.offset).map(\.objectID)
            let size = random.pick([nil, 1, 2, 7, 40, 1_000, 0, -3])
            request.limit = size
            var (found, token): ([ObjectID], PageToken?) = ([], nil)
            repeat {
                let page = try context.page(request, after: token)
                #expect(page.objects.count <= max(1, size ?? .max))
                #expect(page.next == nil || page.objects.count == max(1, size ?? .max))
                found += page.objects.map(\.objectID)
                token = try page.next?.sent
            } while token != nil && found.count <= expected.count
            #expect(found == expected, "Seed \(seed), \(keys), \(size as Any)")
        }
    }

    // MARK: - Changes between pages

    private static var orders: [[SortDescriptor<Item>]] {
        var orders: [[SortDescriptor<Item>]] = [[]]
        for order in [SortOrder.forward, .reverse] {
            orders += [
                [SortDescriptor(\.size, order: order)], [SortDescriptor(\.title, order: order)],
                [SortDescriptor(\.weight, order: order)], [SortDescriptor(\.day, order: order)],
                [SortDescriptor(\.price, order: order)], [SortDescriptor(\.serial, order: order)],
                [SortDescriptor(\.day, order: order, nils: .last)],
                [SortDescriptor(\.day, order: order, nils: .first)],
                [SortDescriptor(\.title, comparator: ByLength(), order: order)],
                [
                    SortDescriptor(\.shelf?.name, order: order, nils: .first),
                    SortDescriptor(\.day, order: .reverse),
                ],
            ]
        }
        return orders
    }

    @Test(arguments: [UInt64](1...3))
    func `whatever changes between pages, what stays comes once and in order`(
        seed: UInt64
    ) async throws {
        for (number, order) in Self.orders.enumerated() {
            try await withTemporaryDirectory { url in
                try await check(
                    order, SplitMix64(seed: RunSeed.mixed(seed &* 100 &+ UInt64(number))), url,
                    note: "Seed \(seed), order \(number)")
            }
        }
    }

    private func check(
        _ order: [SortDescriptor<Item>], _ generator: SplitMix64, _ url: URL, note: String
    ) async throws {
        var random = generator
        var document = try await open(url)
        for _ in 0..<80 { vary(Item(context: document.viewContext), &random) }
        // Rows that are used again have other numbers than their neighbours.
        for _ in 0..<3 {
            try await document.save()
            let items = Array(try document.viewContext.fetch(Item.self))
            for item in items where random.below(4) == 0 { document.viewContext.delete(item) }
            try await document.save()
            for _ in 0..<15 { vary(Item(context: document.viewContext), &random) }
        }
        var request = FetchRequest<Item>(sortBy: order, limit: 1 + random.below(12))
        if random.below(2) == 0 { request.predicate = #Predicate { $0.size > -15 } }
        var states: [[ObjectID: [String]]] = [try state(document.viewContext)]
        var (found, token): ([ObjectID], PageToken?) = ([], nil)
        repeat {
            let page = try document.viewContext.page(request, after: token)
            found += page.objects.map(\.objectID)
            token = try page.next?.sent
            if let last = page.objects.last, random.below(2) == 0 {
                random.below(2) == 0 ? document.viewContext.delete(last) : vary(last, &random)
            }
            for item in Array(try document.viewContext.fetch(Item.self)) where random.below(40) == 0
            {
                random.below(2) == 0 ? document.viewContext.delete(item) : vary(item, &random)
            }
            if random.below(2) == 0 { vary(Item(context: document.viewContext), &random) }
            if random.below(6) == 0 {
                try await document.save()
                try await document.close()
                document = try await open(url)
            }
            states.append(try state(document.viewContext))
        } while token != nil && found.count < 1_000
        let stable = Set(
            states[0].filter { id, values in states.allSatisfy { $0[id] == values } }.keys)
        // Foundation's order of numbers that are none contradicts itself.
        let plain =
            order.first?.keyPath == \Item.weight
            ? [SortDescriptor(\.weight, comparator: NaNLast(), order: order[0].order)] : order
        let expected = try document.viewContext.byNumber(request.predicate).sorted(using: plain)
            .map(\.objectID).filter(stable.contains)
        #expect(found.filter(stable.contains) == expected, "\(note)")
        #expect(!stable.isEmpty)
        try await document.close()
    }

    private nonisolated(nonsending) func open(_ url: URL) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: url, model: ShelfModel.types, options: .savedByHand())
    }

    private func vary(_ item: Item, _ random: inout SplitMix64) {
        item.title = random.pick(["", "e\u{301}", "é", "longer than eight", "longer than", "z"])
        item.size = random.below(40) - 20
        item.weight = random.pick([nil, .nan, 0, -0.0, .infinity, 2.5, -2.5])
        item.day = random.maybe((0..<9).map { Date(timeIntervalSinceReferenceDate: Double($0)) })
        item.price = random.maybe((0..<9).map { Decimal($0) / 8 })
        item.serial = UInt64.max / UInt64(1 + random.below(9))
        if random.below(9) == 0, let context = item.context {
            let shelf = Shelf(context: context)
            shelf.name = random.pick(["a", "b", "c"])
            item.shelf = shelf
        }
    }

    /// What the objects are sorted by.
    private func state(_ context: ManagedObjectContext) throws -> [ObjectID: [String]] {
        var state: [ObjectID: [String]] = [:]
        for item in try context.fetch(Item.self) {
            state[item.objectID] = [
                item.title, "\(item.size)", "\(item.weight as Any)", "\(item.day as Any)",
                "\(item.price as Any)", "\(item.serial)", item.shelf?.name ?? "",
            ]
        }
        return state
    }

    // MARK: - Misuse

    @Test func `a token of another order or class is refused, and says so`() throws {
        let context = try ShelfModel.context()
        for number in 0..<5 {
            Item(context: context).size = number
            _ = Shelf(context: context)
        }
        func token(_ descriptor: SortDescriptor<Item>) throws -> PageToken {
            let request = FetchRequest(sortBy: [descriptor], limit: 2)
            return try #require(try context.page(request).next)
        }
        let request = FetchRequest<Item>(
            sortBy: [SortDescriptor(\.day, order: .reverse, nils: .first)], limit: 2)
        let error = ContextError.otherPageOrder(
            token: "Item by size", request: "Item by day descending and nil first")
        #expect(throws: error) { try context.page(request, after: token(SortDescriptor(\.size))) }
        #expect(error.description.hasPrefix("The page token goes on with \"Item by size\","))
        #expect(
            throws: ContextError.otherPageOrder(
                token: "Item by title with ByLength", request: "Shelf")
        ) {
            try context.page(
                FetchRequest<Shelf>(limit: 2),
                after: token(SortDescriptor(\.title, comparator: ByLength())))
        }
        // Somebody may have changed what was sent.
        let text = #"{"order":"Item by size","values":[],"number":-9}"#
        let forged = try JSONDecoder().decode(PageToken.self, from: Data(text.utf8))
        #expect(throws: ContextError.self) {
            try context.page(
                FetchRequest<Item>(sortBy: [SortDescriptor(\.size)], limit: 2), after: forged)
        }
        let odd = #"{"order":"Item by size","values":[{"string":"x"}],"number":1}"#
        let token = try JSONDecoder().decode(PageToken.self, from: Data(odd.utf8))
        let page = try context.page(
            FetchRequest<Item>(sortBy: [SortDescriptor(\.size)], limit: 2), after: token)
        #expect(page.objects.count <= 2)
    }

    @Test func `an order that is computed has no pages that go on`() throws {
        let context = try SpecimenWorld(seed: 1).context
        #expect(throws: ContextError.computedPageOrder(entity: "Specimen")) {
            try context.page(FetchRequest<Specimen>(sortBy: [SortDescriptor(\.shout)], limit: 2))
        }
    }

    @Test func `nothing is one empty page`() throws {
        let page = try ShelfModel.context().page(FetchRequest<Item>(limit: 3))
        #expect(page.objects.isEmpty && page.next == nil)
    }
}

extension PageToken {
    /// The token as it arrives somewhere else.
    fileprivate var sent: PageToken {
        get throws {
            let token = try JSONDecoder().decode(
                PageToken.self, from: try JSONEncoder().encode(self))
            #expect("\(token)" == "\(self)")
            return token
        }
    }
}

extension ManagedObjectContext {
    /// The objects that satisfy a predicate, in the order of their numbers.
    fileprivate func byNumber<Object: ManagedObject>(
        _ predicate: Predicate<Object>?
    ) throws -> [Object] {
        try fetch(Object.self).filter { object in
            predicate.map { (try? $0.evaluate(object)) ?? false } ?? true
        }
        .sorted { $0.objectID.number < $1.objectID.number }
    }
}
