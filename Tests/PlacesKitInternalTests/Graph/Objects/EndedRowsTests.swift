import PlacesKit
import Testing

@testable import PlacesGraph

/// When the rows of objects that are gone are cleared, and how many.
@Suite struct EndedRowsTests {
    final class Claim: ManagedObject {
        @Attribute var text = ""
        /// How many rows were cleared whenever the claim was asked.
        private(set) var cleared: [Int] = []

        override func validate() throws {
            cleared.append(context?.transaction.suppliedRows.cleared.count ?? -1)
            if text.isEmpty { throw Refusal() }
        }
    }

    struct Refusal: Error {}

    @Test func `no more than so many rows are cleared at a time`() {
        let allocator = RowAllocator(tables: 1)
        let rows = (0..<RowAllocator.largestBatch + 100).map {
            RetiredRow(address: RowAddress(table: 0, row: Row($0)), generation: 0)
        }
        allocator.end(ContiguousArray(rows))
        let taken = [allocator.takeEnded(), allocator.takeEnded(), allocator.takeEnded()]
        #expect(taken.map(\.count) == [RowAllocator.largestBatch, 100, 0])
        #expect(Set(taken.joined().map(\.address.row)).count == rows.count)
    }

    @Test func `a save over another's commit clears no rows before it knows that it may commit`()
        throws
    {
        let model = try ObjectModel(QueueModel.types + [Claim.self])
        let store = GraphStore(model: model, graph: Graph(layout: model.layout), clearing: 1)
        let (writer, other) = (
            ManagedObjectContext(store, isolation: nil), ManagedObjectContext(store, isolation: nil)
        )
        let claim = Claim(context: writer)
        var snapshot: GraphSnapshot? = store.snapshot()
        for _ in 0..<10 { try QueueModel.come(andGo: other) }
        #expect(throws: ContextError.self) { try writer.save() }
        _ = QueueModel.Line(context: other)
        try other.save()
        // Only now can rows be cleared.
        #expect(snapshot != nil)
        snapshot = nil
        #expect(throws: ContextError.self) { try writer.save() }
        #expect(claim.cleared == [0, 0] && !store.rows.unused.isEmpty)
        claim.text = "right"
        try writer.save()
        #expect(writer.brokenInvariants == [] && other.brokenInvariants == [])
    }
}
