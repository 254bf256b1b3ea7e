import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

@Suite struct ChangeRecorderTests {
    private let rows: RowAllocator
    private let transaction: Transaction

    init() throws {
        let graph = try TownModel.store().head.graph
        rows = RowAllocator(tables: graph.tables.count)
        transaction = Transaction(graph, rows: rows)
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

    @Test func `the first note is told, though a new start has made rows ready for others`() {
        let first = Transaction(transaction.base, rows: rows)
        let (kept, gone) = (first.insert(into: 1), first.insert(into: 1))
        first.write(.string("Accra"), gone, 0, in: 1)
        first.delete(gone, from: 1)
        let former = first.takeChanges().after
        transaction.reset(to: former)
        rows.free([RetiredRow(address: RowAddress(table: 1, row: gone), generation: 0)])
        #expect(transaction.insert(into: 1) == gone)
        var calls = 0
        transaction.recorder.onFirstNote { calls += 1 }
        transaction.reset(to: former)
        #expect(transaction.element(String.self, gone, 0, in: 1) == "Nameless")
        // An accessor asks this first, and then the transaction.
        #expect((transaction.access + 1).notedBlock(kept, 0) == nil && calls == 0)
        transaction.write(.string("Lomé"), kept, 0, in: 1)
        #expect(calls == 1 && transaction.brokenInvariants == [])
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
