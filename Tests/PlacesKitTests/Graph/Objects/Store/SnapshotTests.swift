import PlacesKit
import Testing

@Suite struct SnapshotTests {
    let store: GraphStore
    let context: ManagedObjectContext

    init() throws {
        store = try TownModel.store()
        context = ManagedObjectContext(store)
    }

    @Test func `a snapshot keeps what was saved, whatever happens after`() throws {
        let land = context.land("Old")
        let town = Town(context: context)
        town.land = land
        try context.save()
        let snapshot = store.snapshot()
        land.name = "New"
        context.delete(town)
        _ = context.land("Another")
        try context.save()
        let frozen = snapshot.context()
        #expect(try frozen.fetch(Land.self).map(\.name) == ["Old"])
        #expect(try frozen.twin(of: land).towns.count == 1)
        #expect(try frozen.find(Land.self, \.name, "Another") == nil)
        #expect(try snapshot.count(Land.self) == 1)
        #expect(snapshot.commitNumber == 1 && store.snapshot().commitNumber == 2)
        #expect(snapshot.schema == store.model.schema)
    }

    @Test func `a snapshot holds what is saved, not what is pending`() throws {
        _ = context.land("Pending")
        #expect(try store.snapshot().count(Land.self) == 0)
    }

    @Test func `a snapshot's context cannot be saved`() throws {
        let frozen = store.snapshot().context()
        _ = frozen.land("A")
        let refusal = #expect(throws: ContextError.readOnly) { try frozen.save() }
        #expect(refusal?.description.contains("it shows a snapshot") == true)
        frozen.rollback()
        try frozen.save()
    }

    @Test func `a snapshot is read on another thread while writes go on`() async throws {
        for number in 0..<1_500 {
            let land = context.land("Land \(number)")
            land.number = number
            Town(context: context).land = land
        }
        try context.save()
        let snapshot = store.snapshot()
        let reader = Task.detached {
            for _ in 0..<5 {
                let frozen = snapshot.context()
                for (number, land) in try frozen.fetch(Land.self).enumerated() {
                    guard land.name == "Land \(number)", land.number == number,
                        land.towns.count == 1, land.towns.first?.name == "Nameless"
                    else { return "\(land.objectID) is \(land.name)" }
                }
            }
            return snapshot.brokenInvariants.first ?? "unchanged"
        }
        for round in 0..<5 {
            for land in try context.fetch(Land.self) {
                land.name += " written \(round)"
                land.number = land.number.map { $0 + 2_000 }
                land.towns.first?.name = "Renamed"
            }
            try context.save()
        }
        #expect(try await reader.value == "unchanged")
        #expect(context.brokenInvariants == [])
    }

    @Test func `snapshots of every save keep their own state`() throws {
        let land = context.land("0")
        var snapshots: [GraphSnapshot] = []
        for number in 0..<20 {
            land.name = "\(number)"
            _ = Town(context: context)
            try context.save()
            snapshots.append(store.snapshot())
        }
        for (number, snapshot) in snapshots.enumerated() {
            #expect(try snapshot.context().twin(of: land).name == "\(number)")
            #expect(try snapshot.count(Town.self) == number + 1)
            #expect(snapshot.brokenInvariants == [])
        }
    }
}
