import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

@Suite struct ChangeRecorderTests {
    private let transaction: Transaction

    init() throws {
        let graph = try TownModel.store().head.graph
        transaction = Transaction(graph, rows: RowAllocator(tables: graph.tables.count))
    }

    @Test func `the first note after each taking of changes is told, and no other`() {
        var calls = 0
        #expect(!transaction.recorder.isAwaited && !transaction.recorder.isWatched)
        transaction.recorder.onFirstNote { calls += 1 }
        #expect(transaction.recorder.isAwaited && !transaction.recorder.isTold)
        for round in 1...3 {
            let rows = (0..<3).map { _ in transaction.insert(into: 0) }
            #expect(calls == round && transaction.recorder.isTold)
            _ = transaction.takeChanges()
            #expect(!transaction.recorder.isTold && transaction.brokenInvariants == [])
            #expect(rows.count == 3 && transaction.recorder.isAwaited)
        }
        transaction.reset(to: transaction.base)
        #expect(!transaction.recorder.isTold)
    }

    @Test func `each taking of changes, and each new start, has another version and base`() {
        let (first, version) = (transaction.base, transaction.version)
        let row = transaction.insert(into: 0)
        #expect(!transaction.base.contains(row, in: 0) && transaction.version == version)
        _ = transaction.takeChanges()
        #expect(transaction.base.contains(row, in: 0) && transaction.version == version + 1)
        transaction.reset(to: first)
        #expect(!transaction.base.contains(row, in: 0) && transaction.version == version + 2)
    }

    @Test func `whoever looks at the graph finds no row waiting`() throws {
        let layout = transaction.layout
        let table = try #require(
            layout.tables.tableNumbers.first { !layout.tables[$0].uniqueSlots.isEmpty })
        let row = transaction.insert(into: table)
        let slot = layout.tables[table].uniqueSlots[0]
        transaction.write(.string("Ghana"), row, slot, in: table)
        #expect(!transaction.waiting.isEmpty)
        #expect(transaction.graph.find(.string("Ghana"), slot, in: table) == row)
        #expect(transaction.waiting.isEmpty && transaction.brokenInvariants == [])
    }
}
