import PlacesKit
import Testing

@testable import PlacesGraph

@Suite struct TransactionTests {
    /// Folders in folders with items; slots 0, 1, 2 and 0, 1.
    private static func schema() throws -> Schema {
        try Schema(entities: [
            EntityDescription(
                name: "Folder",
                properties: [
                    .attribute(.init(name: "name", type: .string, defaultValue: .string("new"))),
                    .relationship(.init(name: "parent", destination: "Folder")),
                    .relationship(.init(name: "children", destination: "Folder", isToMany: true)),
                ]),
            EntityDescription(
                name: "Item",
                properties: [
                    .attribute(.init(name: "code", type: .int64, isOptional: true, isUnique: true)),
                    .relationship(.init(name: "folder", destination: "Folder")),
                ]),
        ])
    }

    let rows: RowAllocator
    let empty: Graph
    let transaction: Transaction

    init() throws {
        empty = Graph(layout: GraphLayout(schema: try Self.schema()))
        rows = RowAllocator(tables: empty.tables.count)
        transaction = Transaction(empty, rows: rows)
    }

    @Test func `a frozen graph stays as it was`() {
        let row = transaction.insert(into: 0)
        let frozen = transaction.freeze()
        transaction.write(.string("changed"), row, 0, in: 0)
        #expect(frozen.datum(row, 0, in: 0) == .string("new"))
        #expect(transaction.graph.datum(row, 0, in: 0) == .string("changed"))
        #expect(frozen.brokenInvariants(allowingDeniedDeletes: false) == [])
    }

    @Test func `a member that comes and goes is no change of its owner`() {
        let (parent, child) = (transaction.insert(into: 0), transaction.insert(into: 0))
        _ = transaction.takeChanges()
        transaction.setToOne(child, 1, in: 0, to: parent)
        transaction.setToOne(child, 1, in: 0, to: .none)
        #expect(transaction.takeChanges().isEmpty)
    }

    @Test func `a change tells what differs, and only that`() {
        let (parent, child) = (transaction.insert(into: 0), transaction.insert(into: 0))
        let first = transaction.takeChanges()
        #expect(first.tables[0].inserted == [parent, child])
        transaction.write(.string("a"), parent, 0, in: 0)
        transaction.write(.string("new"), parent, 0, in: 0)
        transaction.setToOne(child, 1, in: 0, to: parent)
        let second = transaction.takeChanges()
        #expect(
            Set(second.tables[0].updated.map(\.row)) == [parent, child]
                && second.tables[0].updated.allSatisfy {
                    $0.changes == PropertyMask(slot: $0.row == parent ? 2 : 1)
                })
        #expect(transaction.takeChanges().isEmpty)
    }

    @Test func `the difference of two graphs is what was changed between them`() {
        var folders: [Row] = []
        for _ in 0..<3_000 { folders.append(transaction.insert(into: 0)) }
        let before = transaction.takeChanges().after
        transaction.write(.string("a"), folders[5], 0, in: 0)
        transaction.write(.string("b"), folders[2_500], 0, in: 0)
        transaction.delete(folders[1_500], from: 0)
        let item = transaction.insert(into: 1)
        transaction.setToOne(item, 1, in: 1, to: folders[7])
        let changes = transaction.takeChanges()
        let difference = ChangeSet(from: before, to: changes.after)
        #expect(difference.tables[0].updated.map(\.row) == [folders[5], folders[2_500]])
        #expect(difference.tables[0].deleted == [folders[1_500]])
        #expect(difference.tables[1].inserted == [item])
        let reverse = ChangeSet(from: changes.after, to: before)
        #expect(reverse.tables[0].inserted == [folders[1_500]])
        #expect(reverse.tables[1].deleted == [item])
    }

    @Test func `merged changes leave out what came to nothing`() {
        let kept = transaction.insert(into: 0)
        let start = transaction.takeChanges()
        transaction.write(.string("a"), kept, 0, in: 0)
        let passing = transaction.insert(into: 0)
        let first = transaction.takeChanges()
        transaction.write(.string("new"), kept, 0, in: 0)
        transaction.delete(passing, from: 0)
        let second = transaction.takeChanges()
        #expect(first.merging(second).isEmpty)
        #expect(start.merging(first).merging(second).tables[0].inserted == [kept])
    }

    @Test func `merged changes tell of each row once`() {
        let rows = (0..<4).map { _ in transaction.insert(into: 0) }
        _ = transaction.takeChanges()
        transaction.write(.string("a"), rows[0], 0, in: 0)
        transaction.write(.string("a"), rows[1], 0, in: 0)
        let new = transaction.insert(into: 0)
        var changes = transaction.takeChanges()
        transaction.write(.string("b"), rows[0], 0, in: 0)
        transaction.setToOne(rows[0], 1, in: 0, to: rows[2])
        transaction.write(.string("b"), new, 0, in: 0)
        transaction.delete(rows[1], from: 0)
        changes = changes.merging(transaction.takeChanges())
        #expect(changes.tables[0].inserted == [new] && changes.tables[0].deleted == [rows[1]])
        #expect(
            changes.tables[0].updated == [
                RowUpdate(row: rows[0], changes: [PropertyMask(slot: 0), PropertyMask(slot: 1)]),
                RowUpdate(row: rows[2], changes: PropertyMask(slot: 2)),
            ])
    }

    @Test func `forks of one graph never use the same row`() {
        let other = Transaction(empty, rows: rows)
        var used: Set<Row> = []
        for _ in 0..<100 {
            #expect(used.insert(transaction.insert(into: 0)).inserted)
            #expect(used.insert(other.insert(into: 0)).inserted)
        }
        #expect(transaction.brokenInvariants == [] && other.brokenInvariants == [])
    }

    @Test func `rows far from each other lie in sparse chunks`() {
        for row in [5, 70_000, 2_000_000] as [Row] { transaction.insert(row, into: 0, kind: 0) }
        transaction.write(.string("far"), 2_000_000, 0, in: 0)
        #expect(transaction.graph.datum(2_000_000, 0, in: 0) == .string("far"))
        #expect(transaction.graph.rows(in: 0).rows == [5, 70_000, 2_000_000])
        let frozen = transaction.takeChanges().after
        transaction.reset(to: empty)
        #expect(!transaction.contains(70_000, in: 0))
        transaction.reset(to: frozen)
        #expect(transaction.contains(70_000, in: 0))
        #expect(transaction.graph.tables[0].count == 3)
    }

    @Test func `reserved rows are not handed out`() {
        rows.reserve(below: 1_000, in: 0)
        rows.reserve(below: 10, in: 0)
        #expect(transaction.insert(into: 0) == 1_000)
        #expect(transaction.insert(into: 1) == 0)
    }
}
