import PlacesKit
import Testing

/// An undo after a merge shows what others saved wherever nothing of the own changes is left.
@Suite struct UndoOverMergeTests {
    let store: GraphStore
    let theirs: ManagedObjectContext
    let mine: ManagedObjectContext

    init() throws {
        store = try TownModel.store()
        theirs = ManagedObjectContext(store)
        mine = ManagedObjectContext(store)
        mine.isUndoEnabled = true
    }

    /// Saves what the others changed, and shows it to me.
    private func merge() throws {
        mine.processPendingChanges()
        try theirs.save(shownTo: mine)
    }

    /// An object that the others inserted, in my context.
    private func twin<Object: ManagedObject>(of object: Object) throws -> Object {
        try theirs.save(shownTo: mine)
        return try mine.twin(of: object)
    }

    /// Checks that nothing is pending here.
    private func expectNothing() throws {
        #expect(!mine.hasChanges && mine.conflicts() == [])
        #expect(mine.updatedObjects.isEmpty && mine.deletedObjects.isEmpty)
        #expect(mine.brokenInvariants == [])
    }

    @Test func `the undo of a delete brings back what others had added to it meanwhile`() throws {
        let land = theirs.land("Mu")
        Town(context: theirs).land = land
        let own = try twin(of: land)
        mine.delete(own)
        Town(context: theirs).land = land
        try merge()
        #expect(try mine.fetch(Town.self).isEmpty)
        #expect(mine.conflicts().map(\.reason) == [.deleted])
        mine.undo()
        #expect(!own.isDeleted && own.towns.count == 2)
        try expectNothing()
        mine.redo()
        #expect(try own.isDeleted && mine.count(Town.self) == 0)
        mine.undo()
        #expect(own.towns.count == 2)
        try expectNothing()
        #expect(try store.snapshot().context().count(Town.self) == 2)
    }

    @Test func `the undo of a delete keeps the links to the object that others saved`() throws {
        let (town, alice, club) = (
            Town(context: theirs), theirs.citizen("Alice"), Club("Chess", in: theirs)
        )
        let bob = theirs.citizen("Bob")
        let owns: [ManagedObject] = [try twin(of: town), try twin(of: alice), try twin(of: club)]
        for own in owns { mine.delete(own) }
        bob.home = town
        bob.clubs.insert(club)
        club.members.insert(alice)
        town.mayor = alice
        try merge()
        #expect(owns.map(\.isDeleted) == [true, true, true])
        mine.undo()
        let twin = try mine.twin(of: bob)
        #expect(twin.home === owns[0] && twin.clubs.map(\.title) == ["Chess"])
        #expect(try mine.twin(of: club).members.count == 2)
        #expect(try mine.twin(of: town).mayor === owns[1])
        try expectNothing()
    }

    @Test func `what was deleted comes back with its own writes, and others' beside them`() throws {
        let alice = theirs.citizen("Alice")
        let own = try twin(of: alice)
        own.name = "Alicia"
        mine.processPendingChanges()
        mine.delete(own)
        alice.age = 101
        try merge()
        mine.undo()
        #expect(own.name == "Alicia" && own.age == 101)
        #expect(mine.conflicts().map(\.reason) == [.otherProperties(["age"])])
        mine.undo()
        #expect(own.name == "Alice" && own.age == 101)
        try expectNothing()
    }

    @Test func `a property that both wrote stays in conflict when its object comes back`() throws {
        let alice = theirs.citizen("Alice")
        let own = try twin(of: alice)
        own.age += 1
        mine.processPendingChanges()
        mine.delete(own)
        alice.age += 1
        try merge()
        mine.undo()
        #expect(own.age == 31 && mine.conflicts().map(\.property) == ["age"])
        mine.undo()
        #expect(own.age == 31)
        try expectNothing()
    }

    @Test func `the undo of a write to what went with others' delete leaves it deleted`() throws {
        let (land, town) = (theirs.land("Mu"), Town(context: theirs))
        town.land = land
        let own = try twin(of: town)
        own.name = "Ys"
        theirs.delete(land)
        try merge()
        #expect(!own.isDeleted && own.land == nil)
        mine.undo()
        #expect(own.isDeleted)
        try expectNothing()
    }

    @Test func `the undo of a link that replaced one to what others deleted leaves none`() throws {
        let (old, new, bob) = (Town(context: theirs), Town(context: theirs), theirs.citizen("Bob"))
        bob.home = old
        let own = try twin(of: bob)
        own.home = try mine.twin(of: new)
        theirs.delete(old)
        try merge()
        #expect(own.home != nil && mine.conflicts().map(\.property) == ["home"])
        mine.undo()
        #expect(own.home == nil)
        try expectNothing()
    }

    @Test func `the undo of a link to what others deleted leaves it deleted`() throws {
        let (town, club, bob) = (
            Town(context: theirs), Club("Chess", in: theirs), theirs.citizen("Bob")
        )
        let own = try twin(of: bob)
        own.home = try mine.twin(of: town)
        mine.processPendingChanges()
        own.clubs.insert(try mine.twin(of: club))
        theirs.delete(town)
        theirs.delete(club)
        try merge()
        #expect(own.home?.isDeleted == false && own.clubs.count == 1)
        mine.undo()
        #expect(own.home?.isDeleted == false && own.clubs.isEmpty)
        #expect(try mine.count(Club.self) == 0 && mine.conflicts().count == 1)
        mine.undo()
        #expect(try own.home == nil && mine.count(Town.self) == 0)
        try expectNothing()
    }

    @Test func `the undo of a link's removal ends the conflict with the delete of what it led to`()
        throws
    {
        let (town, bob) = (Town(context: theirs), theirs.citizen("Bob"))
        bob.home = town
        let own = try twin(of: bob)
        own.home = nil
        theirs.delete(town)
        try merge()
        #expect(mine.conflicts().map(\.property) == ["home"])
        mine.undo()
        #expect(own.home == nil)
        try expectNothing()
    }

    @Test func `undo ends a conflict with other properties that follows one of a property`() throws
    {
        let (old, new) = (Town(context: theirs), Town(context: theirs))
        let bob = theirs.citizen("Bob")
        bob.home = old
        let own = try twin(of: bob)
        own.home = try mine.twin(of: new)
        mine.processPendingChanges()
        own.age = 31
        bob.home = nil
        try merge()
        bob.name = "Robert"
        try merge()
        #expect(mine.conflicts().map(\.property) == [nil, "home"])
        mine.undo()
        #expect(own.age == 30 && own.home != nil && mine.hasChanges)
        mine.undo()
        #expect(own.home == nil && own.name == "Robert")
        try expectNothing()
    }

    @Test func `undo leaves deleted what others changed otherwise and then deleted`() throws {
        let bob = theirs.citizen("Bob")
        let own = try twin(of: bob)
        own.age = 31
        bob.name = "Robert"
        try merge()
        theirs.delete(bob)
        try merge()
        #expect(!own.isDeleted && own.name == "Robert")
        mine.undo()
        #expect(own.isDeleted)
        try expectNothing()
    }

    @Test func `undo keeps what others did to members as well`() throws {
        let (chess, go, bob) = (
            Club("Chess", in: theirs), Club("Go", in: theirs), theirs.citizen("Bob")
        )
        bob.clubs.insert(chess)
        let own = try twin(of: bob)
        own.clubs.remove(try mine.twin(of: chess))
        own.clubs.insert(try mine.twin(of: go))
        bob.clubs.remove(chess)
        bob.clubs.insert(go)
        try merge()
        mine.undo()
        #expect(own.clubs.map(\.title) == ["Go"])
        try expectNothing()
    }

    @Test(arguments: [false, true], [false, true])
    func `what others did as well before I saved stays, though I save since`(
        isShown: Bool, isRedone: Bool
    ) throws {
        let (chess, go, bob) = (
            Club("Chess", in: theirs), Club("Go", in: theirs), theirs.citizen("Bob")
        )
        let (ann, land) = (theirs.citizen("Ann"), theirs.land("Mu"))
        bob.clubs.insert(chess)
        let own = try twin(of: bob)
        try mine.twin(of: land).name = "Ys"
        mine.processPendingChanges()
        own.clubs.remove(try mine.twin(of: chess))
        own.clubs.insert(try mine.twin(of: go))
        own.age = 31
        mine.delete(try mine.twin(of: ann))
        mine.processPendingChanges()
        bob.clubs.remove(chess)
        bob.clubs.insert(go)
        theirs.delete(ann)
        try theirs.save()
        if isShown { mine.refreshAllObjects() }
        try mine.save()
        mine.undo()
        if isRedone {
            mine.redo()
            #expect(own.age == 31)
            mine.undo()
        }
        #expect(own.clubs.map(\.title) == ["Go"] && own.age == 30)
        #expect(try mine.count(Citizen.self) == 1 && mine.twin(of: land).name == "Ys")
        mine.undo()
        try mine.save(shownTo: theirs)
        #expect(bob.clubs.map(\.title) == ["Go"] && bob.age == 30 && land.name == "Mu")
        #expect(ann.isDeleted && mine.brokenInvariants == [])
    }

    @Test func `what comes back by undo has no members that others removed from it`() throws {
        let (chess, go, bob) = (
            Club("Chess", in: theirs), Club("Go", in: theirs), theirs.citizen("Bob")
        )
        bob.clubs.insert(chess)
        bob.clubs.insert(go)
        let own = try twin(of: bob)
        mine.delete(own)
        mine.processPendingChanges()
        mine.delete(try mine.twin(of: go))
        bob.clubs.remove(chess)
        bob.clubs.remove(go)
        try merge()
        mine.undo()
        mine.undo()
        #expect(try own.clubs.isEmpty && mine.count(Club.self) == 2)
        try expectNothing()
    }

    @Test func `what both deleted stays deleted when one undoes that`() throws {
        let (land, bob) = (theirs.land("Mu"), theirs.citizen("Bob"))
        let (town, other) = (Town(context: theirs), Town(context: theirs))
        town.land = land
        other.land = land
        bob.home = town
        let own = try twin(of: land)
        mine.delete(own)
        bob.age = 31
        theirs.delete(town)
        try merge()
        mine.undo()
        #expect(own.towns.map(\.objectID) == [other.objectID])
        #expect(try mine.count(Town.self) == 1 && mine.twin(of: bob).home == nil)
        try expectNothing()
    }

    @Test func `a conflict ends with the undo of a delete that others made as well`() throws {
        let bob = theirs.citizen("Bob")
        mine.delete(try twin(of: bob))
        bob.age = 31
        try merge()
        theirs.delete(bob)
        try merge()
        mine.undo()
        #expect(try mine.count(Citizen.self) == 0)
        try expectNothing()
    }

    @Test func `undo after a redo over a conflict ends with what others saved`() throws {
        let alice = theirs.citizen("Alice")
        let own = try twin(of: alice)
        own.age = 31
        mine.processPendingChanges()
        alice.age = 40
        try merge()
        own.age = 30
        mine.undo()
        #expect(own.age == 31)
        mine.redo()
        #expect(own.age == 30 && mine.conflicts().map(\.property) == ["age"])
        mine.undo()
        #expect(own.age == 31)
        mine.undo()
        #expect(own.age == 40)
        try expectNothing()
    }

    @Test func `undo after a redo leaves deleted what others deleted`()
        throws
    {
        let (town, bob) = (Town(context: theirs), theirs.citizen("Bob"))
        let own = try twin(of: bob)
        own.home = try mine.twin(of: town)
        theirs.delete(town)
        try merge()
        mine.delete(own)
        mine.undo()
        mine.redo()
        #expect(try own.isDeleted && mine.count(Town.self) == 1)
        mine.undo()
        #expect(own.home?.isDeleted == false)
        mine.undo()
        #expect(try own.home == nil && mine.count(Town.self) == 0)
        try expectNothing()
    }

    @Test func `whoever observes what comes back by an undo hears of it`() throws {
        let land = theirs.land("Mu")
        let own = try twin(of: land)
        mine.delete(own)
        let town = Town(context: theirs)
        town.land = land
        try merge()
        var came: Set<ObjectID> = []
        let subscription = mine.onChange { came.formUnion($0.objects.inserted) }
        defer { subscription.cancel() }
        mine.undo()
        #expect(came == [land.objectID, town.objectID])
    }
}
