import PlacesKit
import Testing

@testable import PlacesGraph

/// When the rows of objects that are gone are cleared.
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

    @Test func `rows are used again, however many objects each save replaces`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Claim.self]), isolation: nil)
        for round in 0..<6 {
            for claim in Array(try context.fetch(FetchRequest<Claim>())) { context.delete(claim) }
            for _ in 0..<6_000 { Claim(context: context).text = "\(round)" }
            try context.save()
        }
        // Those of a save, of the one before it, and of what is gone since.
        #expect(context.store.rowCount(of: Claim.self) <= 3 * 6_000)
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
