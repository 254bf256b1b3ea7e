import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

@Suite struct PendingChangesTests {
    /// What differs between two graphs, told apart by the rows.
    private struct Difference: Equatable {
        var inserted: [Set<Row>]
        var deleted: [Set<Row>]
        var updated: [[Row: PropertyMask]]

        init(_ changes: ChangeSet) {
            inserted = changes.tables.map { Set($0.inserted) }
            deleted = changes.tables.map { Set($0.deleted) }
            updated = changes.tables.map { table in
                Dictionary(uniqueKeysWithValues: table.updated.map { ($0.row, $0.changes) })
            }
        }
    }

    /// All changes that are pending.
    private func all(_ context: ManagedObjectContext) throws -> ChangeSet {
        let changes = context.unsaved.changes.all
        return try #require(changes)
    }

    /// One change of some object, or an undo.
    private func change(_ context: ManagedObjectContext, _ random: inout SeededGenerator) throws {
        let towns = try context.fetch(FetchRequest<Town>(sortBy: [SortDescriptor(\.name)]))
        let town = towns.randomElement(using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1:
            let town = Town(context: context)
            town.name = "Town \(Int.random(in: 0..<1_000_000, using: &random))"
        case 2: if let town { context.delete(town) }
        case 3: context.undo()
        case 4: context.redo()
        // Two values, so that many changes are taken back by others.
        default: town?.founded = Bool.random(using: &random) ? nil : .distantPast
        }
    }

    @Test(arguments: 0..<20)
    func `what is pending is what differs from what was saved, however the batches came`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let context = try TownModel.context()
        context.isUndoEnabled = true
        for number in 0..<40 { Town(context: context).name = "Old \(number)" }
        try context.save()
        for _ in 0..<150 {
            for _ in 0..<Int.random(in: 1...12, using: &random) { try change(context, &random) }
            context.processPendingChanges()
            guard let before = context.unsaved.changes.before else { continue }
            let expected = ChangeSet(from: before, to: context.transaction.base)
            let isChanged = !expected.isEmpty
            #expect(context.hasChanges == isChanged)
            guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
            #expect(Difference(try all(context)) == Difference(expected))
            if Int.random(in: 0..<6, using: &random) == 0 { try context.save() }
        }
    }

    @Test func `whoever asks for changed objects makes no change set of what is not processed`()
        throws
    {
        let context = try TownModel.context()
        let (kept, gone) = (context.citizen("Kept"), context.citizen("Gone"))
        try context.save()
        for isProcessed in [false, true] {
            (kept.age, kept.nickname) = (31, "K")
            context.delete(gone)
            let new = context.citizen("New")
            if isProcessed { context.processPendingChanges() }
            let token = context.transaction.currentToken
            for _ in 0..<2 {
                #expect(context.insertedObjects == [new])
                #expect(context.updatedObjects == [kept])
                #expect(context.deletedObjects == [gone])
            }
            // What was processed and is taken back counts as little as what was not.
            (kept.age, kept.nickname) = (30, nil)
            context.delete(new)
            #expect(context.transaction.currentToken == token)
            #expect(context.updatedObjects.isEmpty && context.insertedObjects.isEmpty)
            #expect(context.deletedObjects == [gone])
            context.rollback()
            #expect(context.deletedObjects.isEmpty)
        }
    }

    @Test func `many small batches after a large one are not put together with it`() throws {
        let context = try TownModel.context()
        let towns = (0..<1_000).map { _ in Town(context: context) }
        context.processPendingChanges()
        let large = try all(context).tables.map(\.inserted)
        for town in towns.prefix(100) {
            town.name = "Ulm"
            context.processPendingChanges()
            let parts = context.unsaved.changes.sizes
            #expect(parts.first == 1_000 && parts.dropFirst().reduce(0, +) <= 100)
            #expect(zip(parts, parts.dropFirst()).allSatisfy { $0 > 2 * $1 })
        }
        #expect(try all(context).tables.map(\.inserted) == large)
    }
}
