import PlacesKit
import Testing

@testable import PlacesGraph

/// Which rows a transaction has from its store, and when it gives them back.
@Suite final class SuppliedRowsTests {
    private let store: GraphStore
    private var supplied: SuppliedRows

    init() throws {
        store = try QueueModel.store()
        supplied = SuppliedRows(from: store.rows, tables: store.head.graph.tables.count)
    }

    @Test func `fresh rows are given up once they are saved, or came to nothing`() {
        let rows = (0..<3).map { _ in supplied.next(in: 0).row }
        let graph = store.head.graph
        #expect(Set(rows).count == 3 && supplied.brokenInvariants(for: graph) == [])
        supplied.settle(in: graph)
        let kept = supplied.giveUp { row, _ in row != rows[0] }
        #expect(kept.fresh.map(\.address.row) == [rows[0]] && !supplied.isEmpty)
        let rest = supplied.giveUpAll(savedIn: graph)
        #expect(rest.fresh.count == 2 && rest.reclaimed.isEmpty && supplied.isEmpty)
    }

    @Test func `a parent takes over what its child has`() {
        var child = SuppliedRows(from: store.rows, tables: supplied.fresh.count)
        let (own, taken) = (supplied.next(in: 1).row, child.next(in: 1).row)
        supplied.take(from: &child)
        #expect(child.isEmpty && supplied.fresh[1].map(\.row) == [own, taken])
    }

    @Test func `rows that come back are reclaimed, unless they are fresh`() {
        let own = supplied.next(in: 1).row
        supplied.reclaim([arrival(own), arrival(own.advanced(by: 7))], in: 1)
        let given = supplied.giveUpAll(savedIn: store.head.graph)
        #expect(given.reclaimed.map(\.row) == [own.advanced(by: 7)])
        for address in given.reclaimed { store.rows.release(address) }
    }

    @Test func `a row that comes back among many fresh ones is known at once`() {
        let rows = (0..<20_000).map { _ in
            let row = supplied.next(in: 1).row
            supplied.reclaim([arrival(row)], in: 1)
            return row
        }
        #expect(supplied.brokenInvariants(for: store.head.graph) == [])
        let given = supplied.giveUp { row, _ in row == rows[7] }
        #expect(given.fresh.count == rows.count - 1 && given.reclaimed.isEmpty)
        // A row that is given up is not fresh any more.
        supplied.reclaim(rows[6...7].map(arrival), in: 1)
        let rest = supplied.giveUpAll(savedIn: store.head.graph)
        #expect(rest.fresh.map(\.address.row) == [rows[7]])
        #expect(rest.reclaimed.map(\.row) == [rows[6]])
        for address in rest.reclaimed { store.rows.release(address) }
    }

    private func arrival(_ row: Row) -> Arrival { Arrival(row: row, kind: 0, generation: 0) }
}
