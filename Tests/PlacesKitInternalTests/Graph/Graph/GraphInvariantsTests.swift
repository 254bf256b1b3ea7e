import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// The checker finds what is broken: each test breaks one thing behind the graph's back.
@Suite struct GraphInvariantsTests {
    let context: ManagedObjectContext
    let land: Land
    let towns: [Town]
    let club: Club
    let anna: Citizen

    init() throws {
        let context = try TownModel.context()
        self.context = context
        land = context.land("Atlantis")
        towns = (0..<3).map { _ in Town(context: context) }
        for town in towns { town.land = land }
        club = Club("Chess", in: context)
        anna = context.citizen("Anna")
        club.members.insert(anna)
        towns[0].mayor = anna
    }

    private var transaction: Transaction { context.transaction }

    private func list(_ object: ManagedObject, _ name: String) throws -> ListLayout {
        let table = try #require(object.table)
        let slot = try #require(table.entity.position(named: name))
        switch table.layout.relationships[slot] {
        case .toMany(let list), .toOne(let list), .manyToMany(let list, _): return list
        case .oneToOne, nil:
            throw ContextError.notAProperty(entity: table.entity.name, keyPath: name)
        }
    }

    private func finds(_ text: String) -> Bool {
        context.brokenInvariants.contains { $0.contains(text) }
    }

    @Test func `a sound graph passes`() throws {
        try context.checkIntegrity()
        try context.save()
        try context.checkIntegrity()
        try context.store.snapshot().checkIntegrity()
    }

    @Test func `a wrong count is found`() throws {
        let list = try list(land, "towns")
        transaction.setReference(land.row, list.count, in: list.owners, to: 7)
        #expect(finds("Land/0 counts 7 members, and lists 3"))
        #expect(throws: GraphIntegrityError.self) { try context.checkIntegrity() }
    }

    @Test func `a broken chain is found`() throws {
        let list = try list(land, "towns")
        transaction.setReference(towns[0].row, list.next, in: list.members, to: .none)
        #expect(finds("does not end with its tail"))
        #expect(finds("the lists of Land have 1 members, and 3 rows of Town refer to their owners"))
    }

    @Test func `a circle is found`() throws {
        let list = try list(land, "towns")
        transaction.setReference(towns[2].row, list.next, in: list.members, to: towns[0].row)
        #expect(finds("goes in a circle"))
    }

    @Test func `a wrong neighbour and a wrong owner are found`() throws {
        let list = try list(land, "towns")
        transaction.setReference(towns[1].row, list.previous, in: list.members, to: .none)
        #expect(finds("Town/1 does not lead back to its neighbour"))
        transaction.setReference(towns[1].row, list.owner, in: list.members, to: .none)
        #expect(finds("Town/1 is listed by Land/0, not its owner"))
        #expect(finds("Town/1 has neighbours in the list of nobody"))
    }

    @Test func `a reference to a row that is gone is found`() throws {
        transaction.remove(land.row, from: 0)
        #expect(finds("Town/0 leads to Land/0, which is gone"))
        transaction.remove(towns[1].row, from: 1)
        #expect(finds("Town/1 is gone, and leads to Land/0"))
    }

    @Test func `a pair that is not mutual is found`() throws {
        let slot = try #require(towns[0].table?.entity.position(named: "mayor"))
        transaction.setReference(towns[1].row, Slot(slot), in: 1, to: anna.row)
        #expect(finds("Citizen/0 does not lead back to Town/1"))
    }

    @Test func `an edge that the index misses is found`() throws {
        let list = try list(club, "members")
        let edge = transaction.insertEdge(into: list.members)
        #expect(finds("does not find edge table 5/\(edge)"))
        #expect(finds("the index of edge table 5 has not just the rows that hold a value"))
    }

    @Test func `a unique value that the index misses is found`() throws {
        transaction.removeFromIndex(land.row, 0, in: 0)
        #expect(finds("Land.name does not find \"Atlantis\", which row 0 holds"))
    }

    @Test func `a duplicate in a saved graph is found`() {
        _ = context.land("Atlantis")
        #expect(context.brokenInvariants == [])
        let graph = transaction.freeze()
        #expect(
            graph.brokenInvariants(allowingDeniedDeletes: false).contains {
                $0.contains("Land.name has duplicates")
            })
    }

    @Test func `a wrong number of rows is found`() {
        _ = transaction.freeze()
        transaction.writableBlock(100, transaction.graph.layout.tables[1].presence, in: 1)
            .setValid(true, at: 100)
        #expect(finds("Town counts 3 rows, and has 4"))
        #expect(finds("Town has rows above the bound 3"))
    }

    @Test func `an error tells each finding on a line`() {
        let error = GraphIntegrityError(violations: ["a", "b"])
        #expect(error.description == "The graph contradicts itself:\na\nb")
    }
}
