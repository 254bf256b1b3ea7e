import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

@Suite struct ForeignWritesTests {
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
