import Foundation
import PlacesKit
import Testing

/// Random changes in two contexts; after each, what is kept equals what is made anew.
@Suite struct DerivedModelTests {
    private typealias Room = ShelfModel.Room
    private typealias Shelf = ShelfModel.Shelf
    private typealias Item = ShelfModel.Item
    private typealias Maker = ShelfModel.Maker
    private typealias Label = ShelfModel.Label

    private struct Run {
        let context: ManagedObjectContext

        private func any<Object: ManagedObject>(
            _ type: Object.Type, _ generator: inout SplitMix64
        ) -> Object? {
            guard let all = try? context.fetch(type), !all.isEmpty, generator.below(8) > 0 else {
                return nil
            }
            return all[generator.below(all.count)]
        }

        func step(_ generator: inout SplitMix64) {
            guard let item = any(Item.self, &generator), let shelf = any(Shelf.self, &generator)
            else { return insert(&generator) }
            switch generator.below(18) {
            case 0, 1: insert(&generator)
            case 2, 3: item.shelf = any(Shelf.self, &generator)
            case 4: item.maker = any(Maker.self, &generator)
            case 5: item.isLit.toggle()
            case 6: item.size = [Int.max, .min, 3, -5, generator.below(9)][generator.below(5)]
            case 7:
                item.weight =
                    [
                        nil, 0, -0.0, .nan, .infinity, 1e300, -1e300, 0.1, generator.unit(),
                    ][generator.below(9)]
            case 8:
                item.title = ["", "e\u{301}", "é", "z", "longer than eight"][generator.below(5)]
            case 9:
                item.day =
                    generator.below(3) == 0
                    ? nil : Date(timeIntervalSinceReferenceDate: Double(generator.below(5)))
            case 10: item.number = generator.below(3) == 0 ? nil : generator.below(400)
            case 11:
                shelf.room = any(Room.self, &generator)
                shelf.room?.name = "room \(generator.below(4))"
                if generator.below(6) == 0, let room = shelf.room { context.delete(room) }
            case 12: if let label = any(Label.self, &generator) { shelf.labels.insert(label) }
            case 13:
                if let label = shelf.labels.first(where: { _ in true }) {
                    shelf.labels.remove(label)
                }
            case 14:
                any(Label.self, &generator)?.rank = generator.below(9)
                item.price = generator.below(4) == 0 ? nil : Decimal(generator.below(9)) / 8
                item.serial = [0, .max, .max / 2, 7][generator.below(4)]
            case 15: context.delete(item)
            case 16 where generator.below(4) == 0: context.delete(shelf)
            case 17 where generator.below(3) == 0:
                if let maker = any(Maker.self, &generator) { context.delete(maker) }
                if let label = any(Label.self, &generator) { context.delete(label) }
            default: shelf.name = "\(generator.below(5))"
            }
        }

        private func insert(_ generator: inout SplitMix64) {
            switch generator.below(7) {
            case 0: _ = Room(context: context)
            case 1: _ = Shelf(context: context)
            case 2: _ = Maker(context: context)
            case 3: _ = Label(context: context)
            default: Item(context: context).shelf = any(Shelf.self, &generator)
            }
        }

        /// What the objects say of themselves, beside what they derive.
        func check(_ comment: Comment) throws {
            #expect(context.brokenInvariants.isEmpty, comment)
            for shelf in try context.fetch(Shelf.self) {
                let items = Array(shelf.items)
                let lit = items.filter(\.isLit)
                #expect(shelf.itemCount == items.count, comment)
                #expect(shelf.litCount == lit.count && shelf.isLit == !lit.isEmpty, comment)
                #expect(shelf.firstTitle == items.map(\.title).min(), comment)
                #expect(shelf.lastDay == items.compactMap(\.day).max(), comment)
                #expect(shelf.leastLit == lit.map(\.size).min(), comment)
                #expect(shelf.cheapest == items.compactMap(\.price).min(), comment)
                #expect(shelf.lastSerial == items.map(\.serial).max(), comment)
                #expect(shelf.makers == Set(items.compactMap(\.maker)).count, comment)
                #expect(shelf.litTitles == Set(lit.map(\.title)).count, comment)
                #expect(shelf.labelRank == shelf.labels.map(\.rank).reduce(0, +), comment)
                #expect(shelf.isLabelled == !shelf.labels.isEmpty, comment)
                #expect(shelf.latest?.day == shelf.lastDay, comment)
                #expect(shelf.latest.map(items.contains) ?? true, comment)
                #expect(shelf.latestCaption == shelf.latest?.caption, comment)
                #expect(shelf.firstLit?.title == lit.map(\.title).min(), comment)
                #expect(shelf.topLabel?.rank == shelf.labels.map(\.rank).max(), comment)
            }
            for item in try context.fetch(Item.self) {
                #expect(item.shelfName == item.shelf?.name, comment)
                #expect(item.roomName == item.shelf?.room?.name, comment)
                #expect(item.roomDay == item.shelf?.room?.lastDay, comment)
                let rooms = item.maker?.items.compactMap { $0.shelf?.room?.name }
                #expect(item.makersRoom == rooms?.min(), comment)
                #expect(item.caption == "\(item.title) of \(item.size)", comment)
                let place = Item.place(item.shelf?.name, item.isLit, item.number)
                #expect(item.place == place, comment)
            }
            for room in try context.fetch(Room.self) {
                #expect(room.litShelves == room.shelves.filter(\.isLit).count, comment)
                #expect(room.lastDay == room.shelves.compactMap(\.lastDay).max(), comment)
            }
        }
    }

    @Test(arguments: [UInt64](1...6))
    func `derived values, indexes and combinations are always those made anew`(seed: UInt64) throws
    {
        var generator = SplitMix64(seed: seed)
        let store = try GraphStore(model: ShelfModel.types)
        let policies: [MergePolicy] = [
            .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ]
        let runs = (0..<2).map { number in
            let context = ManagedObjectContext(store)
            context.mergePolicy = policies[(Int(seed) + number) % policies.count]
            return Run(context: context)
        }
        var snapshots: [GraphSnapshot] = []
        for step in 0..<260 {
            let comment: Comment = "seed \(seed), step \(step)"
            let run = runs[generator.below(2)]
            run.step(&generator)
            switch generator.below(24) {
            case 0: run.context.rollback()
            case 1, 2, 3:
                do {
                    try run.context.save()
                } catch {
                    run.context.rollback()
                }
                snapshots.append(store.snapshot())
            case 4: run.context.refreshAllObjects()
            case 5: run.context.processPendingChanges()
            default: break
            }
            if step % 3 == 0 { try run.check(comment) }
        }
        for run in runs { try run.check("seed \(seed), at the end") }
        for snapshot in snapshots { #expect(snapshot.brokenInvariants.isEmpty, "seed \(seed)") }
    }
}
