import PlacesKit
import Testing

@Suite struct DeletedObjectTests {
    let context: ManagedObjectContext
    let land: Land

    init() throws {
        context = try TownModel.context()
        land = context.land("Atlantis")
        land.number = 7
        try context.save()
    }

    @Test func `a deleted object reads as it last was`() throws {
        land.number = 8
        context.delete(land)
        #expect(land.name == "Atlantis" && land.number == 8)
        try context.save()
        #expect(land.name == "Atlantis" && land.number == 8)
        #expect(land.towns.isEmpty && land.towns.map(\.name).isEmpty)
        #expect(land.objectID.description == "Land/0")
    }

    @Test func `a deleted object reads as it last was also after a merge`() throws {
        let other = ManagedObjectContext(context.store)
        land.name = "Mu"
        context.delete(land)
        try other.twin(of: land).number = 9
        try other.save(shownTo: context)
        #expect(land.isDeleted && land.name == "Mu" && land.number == 7)
        context.mergePolicy = .mergeByPropertyObjectTrump
        try context.save()
        #expect(land.isDeleted && land.name == "Mu" && land.number == 7)
        #expect(context.brokenInvariants == [])
    }

    @Test func `an object that two contexts deleted reads as it last was in each`() throws {
        let other = ManagedObjectContext(context.store)
        land.name = "Mu"
        context.delete(land)
        let twin = try other.twin(of: land)
        (twin.name, twin.number) = ("Lemuria", 9)
        try other.save()
        other.delete(twin)
        try other.save(shownTo: context)
        #expect(land.isDeleted && land.name == "Mu" && land.number == 7)
        _ = other.land("Ys")
        try other.save(shownTo: context)
        #expect(land.name == "Mu" && land.number == 7)
        _ = context.land("Avalon")
        try context.save(shownTo: other)
        #expect(twin.isDeleted && twin.name == "Lemuria" && twin.number == 9)
        #expect(context.brokenInvariants == [] && other.brokenInvariants == [])
    }

    @Test(arguments: [false, true])
    func `an object that was never saved reads as it last was, whatever is merged after its delete`(
        isPending: Bool
    ) throws {
        let town = Town(context: context)
        town.name = "Ys"
        context.delete(town)
        context.processPendingChanges()
        if isPending { land.number = 9 }
        let other = ManagedObjectContext(context.store)
        for name in ["Mu", "Avalon"] {
            _ = other.land(name)
            try other.save(shownTo: context)
            #expect(town.isDeleted && town.name == "Ys")
        }
        try context.save()
        #expect(town.isDeleted && town.name == "Ys")
        #expect(context.brokenInvariants == [])
    }

    @Test func `an object that a child never saved reads as it last was after the child's save`()
        throws
    {
        let child = ManagedObjectContext(parent: context)
        let town = Town(context: child)
        town.name = "Ys"
        child.delete(town)
        _ = child.land("Mu")
        try child.save()
        #expect(town.isDeleted && town.name == "Ys")
        try context.save()
        for _ in 0..<3 {
            _ = Town(context: context)
            try context.save(shownTo: child)
        }
        #expect(town.isDeleted && town.name == "Ys")
        #expect(child.brokenInvariants == [] && context.brokenInvariants == [])
    }

    @Test func `an object that a child and its parent deleted reads as it last was in each`()
        throws
    {
        let child = ManagedObjectContext(parent: context)
        let twin = try child.twin(of: land)
        twin.name = "Mu"
        child.delete(twin)
        land.number = 9
        context.delete(land)
        child.refreshAllObjects()
        #expect(twin.isDeleted && twin.name == "Mu" && twin.number == 7)
        try context.save(shownTo: child)
        #expect(twin.isDeleted && twin.name == "Mu" && twin.number == 7)
        #expect(land.name == "Atlantis" && land.number == 9)
        #expect(child.brokenInvariants == [] && context.brokenInvariants == [])
    }

    @Test func `an object that a child alone deleted reads as it last was in each`() throws {
        let child = ManagedObjectContext(parent: context)
        child.mergePolicy = .overwrite
        let twin = try child.twin(of: land)
        twin.name = "Mu"
        child.delete(twin)
        land.number = 9
        try child.save()
        for _ in 0..<2 {
            #expect(land.isDeleted && land.name == "Atlantis" && land.number == 9)
            #expect(twin.isDeleted && twin.name == "Mu" && twin.number == 7)
            try context.save(shownTo: child)
        }
        #expect(child.brokenInvariants == [] && context.brokenInvariants == [])
    }

    @Test func `an object deleted by another context reads as it last was`() throws {
        let other = ManagedObjectContext(context.store)
        other.delete(try other.twin(of: land))
        try other.save()
        #expect(!land.isDeleted)
        context.refreshAllObjects()
        #expect(land.isDeleted)
        #expect(land.name == "Atlantis")
        #expect(try context.fetch(Land.self).isEmpty)
    }

    @Test func `an insert that was rolled back can still be read`() {
        let town = Town(context: context)
        town.name = "Ys"
        context.rollback()
        #expect(town.isDeleted)
        _ = town.name
        #expect(town.land == nil && town.residents.isEmpty)
        #expect(context.brokenInvariants == [])
    }

    @Test func `writing a deleted object changes nothing, and the save says so`() throws {
        context.delete(land)
        land.name = "Lemuria"
        #expect(land.name == "Atlantis")
        let error = ContextError.deletedObjectChanged(land.objectID, property: "name")
        #expect(throws: error) { try context.save() }
        #expect(
            error.description == """
                Land/0.name was changed after the object was deleted. Check isDeleted before the \
                change, or roll back.
                """)
        context.rollback()
        #expect(!land.isDeleted)
        land.name = "Lemuria"
        try context.save()
        #expect(land.name == "Lemuria")
    }

    @Test func `writing an object deleted in the same batch changes nothing`() {
        let town = Town(context: context)
        town.name = "Ys"
        context.delete(town)
        town.name = "Ker-Ys"
        #expect(town.name == "Ys")
        #expect(
            throws: ContextError.deletedObjectChanged(town.objectID, property: "name")
        ) { try context.save() }
    }

    @Test func `writing a rolled back insert changes nothing`() {
        let town = Town(context: context)
        town.name = "Ys"
        context.rollback()
        town.name = "Ker-Ys"
        #expect(!context.hasChanges)
        #expect(
            throws: ContextError.deletedObjectChanged(town.objectID, property: "name")
        ) { try context.save() }
    }

    @Test func `relating a deleted object changes nothing, and the save says so`() throws {
        let town = Town(context: context)
        context.delete(land)
        #expect(!land.towns.insert(town))
        land.towns.removeAll()
        #expect(town.land == nil)
        #expect(
            throws: ContextError.deletedObjectChanged(land.objectID, property: "towns")
        ) { try context.save() }
    }

    @Test func `the first mistake survives a refresh, and is forgotten by a rollback`() throws {
        context.delete(land)
        try context.save()
        land.name = "Lemuria"
        context.refreshAllObjects()
        land.number = 7
        #expect(throws: ContextError.deletedObjectChanged(land.objectID, property: "name")) {
            try context.save()
        }
        context.rollback()
        try context.save()
    }

    @Test func `a deleted object's unique value is free again`() throws {
        context.delete(land)
        let again = context.land("Atlantis")
        try context.save()
        #expect(try context.find(Land.self, \.name, "Atlantis") === again)
        #expect(land.name == "Atlantis")
    }

    @Test func `many deleted objects keep their values through further writes`() throws {
        let lands = (0..<1_500).map { context.land("\($0)") }
        try context.save()
        for land in lands { context.delete(land) }
        try context.save()
        for number in 0..<1_500 { _ = context.land("new \(number)") }
        try context.save()
        #expect(lands.map(\.name) == (0..<1_500).map(String.init))
        #expect(context.brokenInvariants == [])
    }
}
