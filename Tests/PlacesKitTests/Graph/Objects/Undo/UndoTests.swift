import PlacesKit
import Testing

@Suite struct UndoTests {
    let store: GraphStore
    let context: ManagedObjectContext
    let alice: Citizen

    init() throws {
        store = try TownModel.store()
        context = ManagedObjectContext(store)
        alice = context.citizen("Alice")
        try context.save()
        context.isUndoEnabled = true
    }

    @Test func `without undo enabled nothing is taken back, and rollback works`() throws {
        let plain = ManagedObjectContext(store)
        #expect(!plain.isUndoEnabled)
        let bob = plain.citizen("Bob")
        plain.undo()
        #expect(!bob.isDeleted && !plain.canUndo)
        plain.rollback()
        #expect(bob.isDeleted)
    }

    @Test func `undo removes pending inserts, redo brings them back`() throws {
        let bob = context.citizen("Bob")
        #expect(context.canUndo && !context.canRedo)
        context.undo()
        #expect(bob.isDeleted && context.insertedObjects.isEmpty && !context.hasChanges)
        #expect(!context.canUndo && context.canRedo)
        context.redo()
        #expect(!bob.isDeleted && bob.name == "Bob" && context.insertedObjects == [bob])
        try context.save()
        #expect(context.brokenInvariants == [])
    }

    @Test func `changes until they are processed are one group`() {
        alice.name = "Alicia"
        alice.age = 31
        context.processPendingChanges()
        alice.age = 32
        context.undo()
        #expect(alice.name == "Alicia" && alice.age == 31)
        context.undo()
        #expect(alice.name == "Alice" && alice.age == 30)
        context.undo()
        context.redo()
        context.redo()
        #expect(alice.age == 32 && !context.canRedo)
    }

    @Test func `looking at what changed ends no group`() throws {
        let bob = context.citizen("Bob")
        try context.save()
        context.isUndoEnabled = false
        context.isUndoEnabled = true
        alice.age = 31
        let carol = context.citizen("Carol")
        #expect(context.updatedObjects == [alice] && context.insertedObjects == [carol])
        context.delete(bob)
        #expect(context.deletedObjects == [bob] && context.updatedObjects == [alice])
        #expect(throws: Never.self) { try context.validate() }
        alice.name = "Alicia"
        context.undo()
        #expect(alice.age == 30 && alice.name == "Alice" && carol.isDeleted && !bob.isDeleted)
        #expect(!context.canUndo && !context.hasChanges && context.updatedObjects.isEmpty)
        context.redo()
        #expect(alice.name == "Alicia" && context.updatedObjects == [alice])
        #expect(context.insertedObjects == [carol] && context.deletedObjects == [bob])
        #expect(context.brokenInvariants == [])
    }

    @Test func `what was saved is taken back as a pending change`() throws {
        alice.name = "Alicia"
        try context.save()
        context.undo()
        #expect(alice.name == "Alice" && context.updatedObjects == [alice])
        #expect(try store.snapshot().context().twin(of: alice).name == "Alicia")
        try context.save()
        #expect(try store.snapshot().context().twin(of: alice).name == "Alice")
        context.redo()
        try context.save()
        #expect(try store.snapshot().context().twin(of: alice).name == "Alicia")
    }

    @Test func `a saved delete comes back as the same object, with values, links and positions`()
        throws
    {
        let land = context.land("Mu")
        land.number = 5
        let towns = (0..<3).map { _ in Town(context: context) }
        for town in towns { town.land = land }
        towns[1].mayor = alice
        let people = ["a", "b"].map(context.citizen)
        for person in people { person.home = towns[1] }
        let clubs = ["x", "y", "z"].map { Club($0, in: context) }
        for club in clubs { alice.clubs.insert(club) }
        clubs[1].members.insert(people[0])
        try context.save()
        context.delete(towns[1])
        context.delete(clubs[1])
        try context.save()
        let fresh = context.citizen("c")
        fresh.home = towns[0]
        try context.save()
        context.undo()
        context.undo()
        #expect(!towns[1].isDeleted && towns[1].name == "Nameless" && towns[1].mayor === alice)
        #expect(Array(land.towns) == towns && Array(towns[1].residents) == people)
        #expect(Array(alice.clubs) == clubs && Array(clubs[1].members) == [alice, people[0]])
        #expect(try context.existingObject(with: towns[1].objectID) === towns[1])
        #expect(fresh.isDeleted)
        try context.save()
        #expect(context.brokenInvariants == [] && store.snapshot().brokenInvariants == [])
    }

    @Test func `a cascade is taken back as a whole`() throws {
        let land = context.land("Mu")
        for _ in 0..<5 { Town(context: context).land = land }
        try context.save()
        context.delete(land)
        context.undo()
        #expect(!land.isDeleted && land.towns.count == 5)
        #expect(try context.find(Land.self, \.name, "Mu") === land)
        context.redo()
        #expect(try land.isDeleted && context.count(Town.self) == 0)
        #expect(context.brokenInvariants == [])
    }

    @Test func `a member that was removed returns to its position`() throws {
        let town = Town(context: context)
        let people = (0..<4).map { context.citizen("\($0)") }
        for person in people { person.home = town }
        try context.save()
        people[0].home = nil
        people[1].home = nil
        people[3].home = nil
        context.undo()
        #expect(Array(town.residents) == people)
        #expect(context.brokenInvariants == [])
    }

    @Test func `what other contexts saved in between is kept`() throws {
        alice.name = "Alicia"
        alice.age = 31
        try context.save()
        let other = ManagedObjectContext(store)
        let twin = try other.twin(of: alice)
        twin.nickname = "Al"
        twin.age = 99
        _ = other.land("Mu")
        try other.save(shownTo: context)
        context.undo()
        #expect(alice.name == "Alice" && alice.age == 99 && alice.nickname == "Al")
        #expect(try context.count(Land.self) == 1)
        try context.save()
        #expect(store.snapshot().brokenInvariants == [])
    }

    @Test func `what others deleted stays deleted`() throws {
        alice.name = "Alicia"
        try context.save()
        let other = ManagedObjectContext(store)
        other.delete(try other.twin(of: alice))
        try other.save(shownTo: context)
        context.undo()
        #expect(alice.isDeleted && !context.hasChanges)
    }

    @Test func `a new change ends what can be done again`() {
        alice.name = "Alicia"
        context.undo()
        alice.age = 31
        #expect(!context.canRedo)
        context.redo()
        #expect(alice.name == "Alice" && alice.age == 31)
    }

    @Test func `a rollback forgets what can be undone and redone`() throws {
        alice.name = "Alicia"
        context.processPendingChanges()
        alice.age = 31
        context.undo()
        context.rollback()
        #expect(!context.canUndo && !context.canRedo)
        context.redo()
        #expect(alice.name == "Alice" && alice.age == 30 && !context.hasChanges)
    }

    @Test func `changes made while registration is disabled are not taken back`() {
        alice.name = "Alicia"
        context.disableUndoRegistration()
        alice.age = 31
        context.enableUndoRegistration()
        alice.nickname = "Al"
        context.undo()
        context.undo()
        context.undo()
        #expect(alice.name == "Alice" && alice.age == 31 && alice.nickname == nil)
    }

    @Test func `a group is taken back at once, saves inside it or not`() throws {
        try context.undoGroup(named: "Move in") { () throws(ContextError) in
            alice.name = "Alicia"
            try context.save()
            context.beginUndoGroup(named: "Inner")
            alice.age = 31
            context.endUndoGroup()
            context.processPendingChanges()
            alice.nickname = "Al"
        }
        #expect(context.undoActionName == "Move in")
        context.undo()
        #expect(alice.name == "Alice" && alice.age == 30 && alice.nickname == nil)
        #expect(context.redoActionName == "Move in" && !context.canUndo)
        context.redo()
        #expect(alice.name == "Alicia" && alice.age == 31 && alice.nickname == "Al")
        context.endUndoGroup()
    }

    @Test func `a name is given to the latest changes`() {
        alice.name = "Alicia"
        context.setUndoActionName("Rename")
        alice.age = 31
        #expect(context.undoActionName == "")
        context.undo()
        #expect(context.undoActionName == "Rename")
        context.undo()
        #expect(context.redoActionName == "Rename")
    }

    @Test func `an open group that has changes, pending or not, is the next to be taken back`() {
        alice.name = "Alicia"
        context.setUndoActionName("Rename")
        context.beginUndoGroup(named: "Grow older")
        #expect(context.undoActionName == "Rename")
        alice.age = 31
        #expect(context.undoActionName == "Grow older")
        context.processPendingChanges()
        #expect(context.undoActionName == "Grow older")
        context.undo()
        #expect(alice.age == 30 && context.redoActionName == "Grow older")
        #expect(context.undoActionName == "Rename")
    }

    @Test func `no more groups are kept than the limit says`() {
        context.undoLimit = 2
        for age in 1...5 {
            alice.age = age
            context.processPendingChanges()
        }
        for _ in 0..<5 { context.undo() }
        #expect(alice.age == 3)
        context.undoLimit = 0
        for age in 1...200 {
            alice.age = age
            context.processPendingChanges()
        }
        for _ in 0..<200 { context.undo() }
        #expect(alice.age == 3)
        context.undoLimit = -4
        #expect(context.undoLimit == 0)
    }

    @Test func `listeners hear of an undo as of any change`() {
        alice.name = "Alicia"
        context.processPendingChanges()
        var heard: [ObjectID] = []
        let subscription = context.onChange { heard += $0.objects.updated.keys }
        defer { subscription.cancel() }
        context.undo()
        #expect(heard == [alice.objectID])
    }

    @Test func `an undo among thousands of members changes what it takes back alone`() throws {
        let town = Town(context: context)
        let people = (0..<2_000).map { context.citizen("\($0)") }
        for person in people { person.home = town }
        try context.save()
        people[0].home = nil
        context.processPendingChanges()
        context.undo()
        #expect(town.residents.first === people[0] && town.residents.count == 2_000)
        #expect(context.updatedObjects.isEmpty)
    }
}
