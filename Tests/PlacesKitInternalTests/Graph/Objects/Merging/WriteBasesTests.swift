import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

@Suite final class WriteBasesTests {
    private let mine: ManagedObjectContext
    private let theirs: ManagedObjectContext
    private let land: Land
    private var bases: WriteBases

    init() throws {
        let store = try TownModel.store()
        mine = ManagedObjectContext(store, isolation: nil)
        land = mine.land("Ghana")
        try mine.save()
        theirs = ManagedObjectContext(store, isolation: nil)
        bases = WriteBases(tables: mine.transaction.layout.entityTables.count)
    }

    /// What the others write of the land, and I see as foreign.
    private func others(_ changes: ChangeSet) throws -> ForeignWrites {
        let (base, former) = (mine.transaction.base, mine.store.head.number)
        let twin = try theirs.twin(of: land)
        twin.number = (twin.number ?? 0) + 1
        try theirs.save()
        let head = mine.store.head
        return ForeignWrites(
            of: mine.store.changes(since: former, upTo: head.number),
            among: bases.rows(concerning: changes), from: base, to: head.graph)
    }

    @Test func `a write stays a conflict until it is settled`() throws {
        land.number = 7
        let changes = mine.transaction.takeChanges()
        let found = bases.conflicts(of: changes, with: try others(changes))
        #expect(found.count == 1 && bases.isEmpty)
        bases.conflicts = found
        // It keeps the graph that both began with, however often it is met.
        let again = bases.conflicts(of: changes, with: try others(changes))
        #expect(again.count == 1)
        #expect(again.values.first?.base.writer == changes.before.writer)
        #expect(bases.brokenInvariants == [])
        bases.settle(land.row.advanced(by: 1), in: 0)
        #expect(!bases.isEmpty)
        bases.settle(land.row, in: try mine.table(of: Land.self).number)
        #expect(bases.isEmpty)
    }

    @Test func `settling one row after the other ends the conflicts of each, also of later ones`()
        throws
    {
        let conflict = WriteBases.Conflict(base: mine.transaction.base, written: [])
        func key(_ row: Int, _ slot: Slot?) -> ChangeSet.Conflict {
            ChangeSet.Conflict(table: 0, row: Row(row), slot: slot)
        }
        for row in 0..<4 {
            bases.conflicts[key(row, nil)] = conflict
            bases.conflicts[key(row, Slot(1))] = conflict
        }
        bases.settle(Row(2), in: 0)
        bases.settle(Row(2), in: 0)
        #expect(bases.conflicts.count == 6 && bases.brokenInvariants == [])
        bases.conflicts[key(2, Slot(1))] = conflict
        bases.conflicts[key(9, nil)] = conflict
        bases.conflicts[key(0, nil)] = nil
        for row in [9, 1, 3] { bases.settle(Row(row), in: 0) }
        #expect(Set(bases.conflicts.keys) == [key(0, Slot(1)), key(2, Slot(1))])
        #expect(bases.brokenInvariants == [])
    }

    @Test func `what is relied on is a conflict where others wrote it`() throws {
        let table = try mine.table(of: Land.self).number
        let nothing = mine.transaction.takeChanges()
        #expect(bases.conflicts(of: nothing, with: try others(nothing)).isEmpty)
        bases.rely(on: land.row, in: table)
        #expect(!bases.isEmpty)
        let found = bases.conflicts(of: nothing, with: try others(nothing))
        #expect(found.keys.map(\.kind) == [.read])
        bases.conflicts = found
        #expect(bases.brokenInvariants == [])
        bases.settleAll()
        #expect(bases.isEmpty)
        bases.conflicts = found
        #expect(bases.brokenInvariants.count == 1)
    }

    @Test func `only some properties may matter of what is relied on`() throws {
        let table = try mine.table(of: Land.self)
        func rely(on name: String) throws {
            let slot = table.entityLayout.slot(named: name, in: mine.transaction.layout)
            bases.rely(
                on: land.row, in: table.number, for: PropertySet(try #require(slot)))
        }
        let nothing = mine.transaction.takeChanges()
        try rely(on: "name")
        #expect(bases.conflicts(of: nothing, with: try others(nothing)).isEmpty)
        try rely(on: "number")
        let found = bases.conflicts(of: nothing, with: try others(nothing))
        #expect(found.keys.map(\.kind) == [.read])
    }

    @Test func `of what is relied on beyond the mask others may write the rest`() throws {
        let store = try GraphStore(model: [Wide.self, Owner.self])
        let context = ManagedObjectContext(store, isolation: nil)
        let wide = Wide(context: context)
        try context.save()
        let base = store.head
        let table = try context.table(of: Wide.self)
        let nothing = context.transaction.takeChanges()
        let slot = table.entityLayout.slot(named: "n7", in: context.transaction.layout)
        var bases = WriteBases(tables: context.transaction.layout.entityTables.count)
        bases.rely(on: wide.row, in: table.number, for: PropertySet(try #require(slot)))
        func isDisproved() -> Bool {
            let writes = ForeignWrites(
                of: store.changes(since: base.number, upTo: store.head.number),
                among: bases.rows(concerning: nothing), from: base.graph, to: store.head.graph)
            return !bases.conflicts(of: nothing, with: writes).isEmpty
        }
        wide.n8 = 1
        try context.save()
        #expect(!isDisproved())
        wide.n7 = 1
        try context.save()
        #expect(isDisproved())
    }

    @Test func `writes that nobody remembers are told by chunks, also beyond the mask`() throws {
        let store = try GraphStore(model: [Wide.self, Owner.self])
        let context = ManagedObjectContext(store, isolation: nil)
        let wide = Wide(context: context)
        try context.save()
        let base = store.head.graph
        wide.n7 = 1
        try context.save()
        let table = try context.table(of: Wide.self)
        let writes = ForeignWrites(of: nil, among: [], from: base, to: store.head.graph)
        let slots = writes.slots(of: wide.row, in: table.number)
        #expect(slots.map { table.name(of: $0) } == ["n7"])
    }
}
