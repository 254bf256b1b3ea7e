import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// What other commits wrote, told of some rows or of all.
@Suite struct ForeignWritesTests {
    @Test func `commits are gone through once for all who ask what they wrote`() throws {
        let context = ManagedObjectContext(
            try GraphStore(model: [Specimen.self, Shelf.self, Room.self, Tag.self, Label.self]))
        for _ in 0..<8 { _ = Label(context: context) }
        try context.save()
        let table = try context.table(of: Label.self).number
        let (graph, slots) = (
            context.transaction.graph, context.transaction.layout.tables[table].valueSlots
        )
        let slot = try #require(slots.first)
        func commit(_ edit: (inout TableChanges) -> Void) -> [TableChanges] {
            var tables = graph.tables.map { _ in TableChanges() }
            edit(&tables[table])
            return tables
        }
        let commits = [
            commit { $0.updated = [RowUpdate(row: Row(1), changes: PropertyMask(slot: slot))] },
            commit { $0.inserted = [Row(2)] },
            commit { $0.deleted = [Row(3)] },
            commit { $0.updated = [RowUpdate(row: Row(2), changes: PropertyMask(slot: slot))] },
        ]
        let all = ForeignWrites(of: commits, from: graph, to: graph).between(graph, graph)
        let expected = [[], [slot], slots, slots, []]
        for (number, expected) in expected.enumerated() {
            let row = Row(number)
            var rows = graph.tables.map { _ in Set<Row>() }
            rows[table] = [row]
            let some = ForeignWrites(of: commits, among: rows, from: graph, to: graph)
            #expect(all.slots(of: row, in: table) == expected)
            #expect(some.slots(of: row, in: table) == expected)
        }
        // Whoever remembers no commits compares the graphs, in which nothing differs.
        let unknown = ForeignWrites(of: nil, from: graph, to: graph)
        #expect(unknown.slots(of: Row(1), in: table).isEmpty)
    }

    /// What others wrote of an object of many, as far as two graphs tell.
    private func written(
        _ change: (ManagedObjectContext, Citizen) throws -> Void
    ) throws -> Set<Slot> {
        let context = try TownModel.context()
        context.isUndoEnabled = true
        let citizens = (0..<ChunkLayout.rows + 1).map { context.citizen("\($0)") }
        try context.save()
        let base = context.store.head.graph
        try change(context, citizens[1])
        try context.save()
        let number = try context.table(of: Citizen.self).number
        let writes = ForeignWrites(of: nil, among: [], from: base, to: context.store.head.graph)
        #expect(writes.slots(of: citizens[ChunkLayout.rows].row, in: number).isEmpty)
        return Set(writes.slots(of: citizens[0].row, in: number))
    }

    @Test func `what is not remembered was written where a neighbour was`() throws {
        #expect(try written { _, _ in }.isEmpty)
        #expect(try written { $1.age = 7 }.count == 1)
    }

    @Test func `what is not remembered was written where a neighbour went and came back`() throws {
        let slots = try written { context, citizen in
            context.delete(citizen)
            try context.save()
            context.undo()
        }
        let (gone, changed) = (try written { $0.delete($1) }, try written { $1.age = 7 })
        #expect(slots == gone && slots.isStrictSuperset(of: changed))
    }
}
