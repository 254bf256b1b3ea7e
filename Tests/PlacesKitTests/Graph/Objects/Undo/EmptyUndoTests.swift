import PlacesKit
import PlacesKitTesting
import Testing

/// What comes to nothing is no step of an undo.
@Suite struct EmptyUndoTests {
    let context: ManagedObjectContext
    let alice: Citizen

    init() throws {
        context = ManagedObjectContext(try TownModel.store())
        alice = context.citizen("Alice")
        try context.save()
        context.isUndoEnabled = true
        alice.age = 31
        context.setUndoActionName("Grow older")
    }

    /// Makes a group of changes that are processed one by one.
    private func group(_ changes: [() throws -> Void]) throws {
        context.beginUndoGroup(named: "Group")
        defer { context.endUndoGroup() }
        for change in changes {
            try change()
            context.processPendingChanges()
        }
    }

    /// Expects that what is taken back next is what was done before the group.
    private func expectNothing() throws {
        #expect(context.canUndo && context.undoActionName == "Grow older")
        context.undo()
        #expect(alice.age == 30 && !context.canUndo && !context.hasChanges)
        context.redo()
        #expect(alice.age == 31 && context.brokenInvariants == [])
        try context.checkIntegrity()
    }

    @Test func `a group that sets a property and sets it back does not count`() throws {
        try group([
            { alice.name = "Alicia" }, { alice.nickname = "Al" },
            { (alice.name, alice.nickname) = ("Alice", nil) },
        ])
        try expectNothing()
    }

    @Test func `an open group whose changes were just changed back is not what is undone next`()
        throws
    {
        context.beginUndoGroup(named: "Group")
        alice.name = "Alicia"
        #expect(context.canUndo && context.undoActionName == "Group")
        context.processPendingChanges()
        alice.name = "Alice"
        try expectNothing()
    }

    @Test func `without an earlier group there is nothing to undo then`() throws {
        context.isUndoEnabled = false
        context.isUndoEnabled = true
        context.beginUndoGroup(named: "Group")
        let town = Town(context: context)
        context.processPendingChanges()
        #expect(context.canUndo && context.undoActionName == "Group")
        context.delete(town)
        #expect(!context.canUndo && context.undoActionName == "")
        alice.age = 32
        #expect(context.canUndo && context.undoActionName == "Group")
        context.undo()
        #expect(alice.age == 31 && !context.canUndo)
    }

    @Test func `a group that inserts an object and deletes it does not count`() throws {
        var town: Town?
        try group([
            { town = Town(context: context) }, { alice.home = town },
            { if let town { context.delete(town) } },
        ])
        #expect(town?.isDeleted == true && alice.home == nil)
        try expectNothing()
    }

    @Test func `a group that joins and parts does not count, and one that moves in a list does`()
        throws
    {
        let clubs = ["a", "b"].map { Club($0, in: context) }
        for club in clubs { alice.clubs.insert(club) }
        try context.save()
        context.isUndoEnabled = false
        context.isUndoEnabled = true
        let chess = Club("chess", in: context)
        context.processPendingChanges()
        try group([{ alice.clubs.insert(chess) }, { alice.clubs.remove(chess) }])
        #expect(context.undoActionName == "" && context.canUndo)
        try group([{ alice.clubs.remove(clubs[0]) }, { alice.clubs.insert(clubs[0]) }])
        #expect(context.undoActionName == "Group")
        context.undo()
        #expect(Array(alice.clubs) == clubs)
    }

    @Test func `a group that saves, and then changes it all back, does not count`() throws {
        try context.save()
        try group(
            ["Alicia", "Alice"].map { name in
                {
                    alice.name = name
                    try context.save()
                }
            })
        #expect(context.undoActionName == "Grow older")
        context.undo()
        #expect(alice.age == 30 && !context.canUndo)
    }

    @Test func `an open group has no name and nothing to take back while it comes to nothing`() {
        context.undo()
        context.beginUndoGroup(named: "Group")
        alice.name = "Alicia"
        context.processPendingChanges()
        #expect(context.canUndo && context.undoActionName == "Group")
        alice.name = "Alice"
        context.processPendingChanges()
        #expect(!context.canUndo && context.undoActionName == "")
        alice.name = "Al"
        context.endUndoGroup()
        #expect(context.canUndo && context.undoActionName == "Group")
        context.undo()
        #expect(alice.name == "Alice")
    }

    @Test func `what could be done again is forgotten, also if the group comes to nothing`() throws
    {
        context.undo()
        #expect(context.canRedo)
        try group([{ alice.name = "Alicia" }, { alice.name = "Alice" }])
        #expect(!context.canRedo && !context.canUndo)
    }

    @Test func `a group counts where others' work was merged between its changes`() throws {
        let other = ManagedObjectContext(context.store)
        let twin = try other.twin(of: alice)
        try group([
            { alice.name = "Alicia" },
            {
                twin.name = "Alba"
                try other.save(shownTo: context)
                alice.name = "Alice"
            },
        ])
        #expect(context.undoActionName == "Group")
        context.undo()
        #expect(alice.name == "Alba")
    }

    @Test func `a group counts where changes that are not remembered lie between its own`() throws {
        try group([
            { alice.name = "Alicia" },
            {
                context.disableUndoRegistration()
                alice.name = "Alba"
                context.enableUndoRegistration()
                alice.name = "Alice"
            },
        ])
        #expect(context.undoActionName == "Group")
        context.undo()
        #expect(alice.name == "Alba")
    }

    @Test func `a refresh where nobody else saved lets no group count`() throws {
        try group([
            {
                alice.name = "Alicia"
                try context.save()
            },
            { context.refreshAllObjects() },
            { alice.name = "Alice" },
        ])
        #expect(context.undoActionName == "Grow older")
    }

    @Test func `a group counts in which a new object became a saved one, whatever is changed back`()
        throws
    {
        let land = context.land("Mu")
        try context.save()
        context.mergePolicy = .mergeByPropertyObjectTrump
        try group([
            {
                context.land("Mu").number = 5
                try context.save()
                #expect(land.number == 5)
            },
            { alice.name = "Alicia" },
            { alice.name = "Alice" },
        ])
        #expect(context.undoActionName == "Group")
        context.undo()
        #expect(land.number == nil && alice.name == "Alice" && context.brokenInvariants == [])
        try context.checkIntegrity()
    }

    @Test func `a rollback inside a group lets what comes after it decide whether it counts`()
        throws
    {
        for last in ["Alice", "Alba"] {
            try group([
                { alice.name = "Alicia" },
                { context.rollback() },
                { alice.name = "Al" },
                { alice.name = last },
            ])
            #expect(context.canUndo == (last == "Alba"))
        }
        #expect(context.undoActionName == "Group")
        context.undo()
        #expect(alice.name == "Alice" && !context.canUndo)
    }

    @Test(arguments: ["Alice", "Alba"])
    func `what a child saves into a group decides whether it counts, as own changes do`(
        name: String
    ) throws {
        let child = ManagedObjectContext(parent: context)
        try group([
            { alice.name = "Alicia" },
            {
                child.refreshAllObjects()
                try child.twin(of: alice).name = name
                try child.save()
            },
        ])
        #expect(alice.name == name)
        if name == "Alice" { return try expectNothing() }
        #expect(context.undoActionName == "Group")
        context.undo()
        #expect(alice.name == "Alice" && context.undoActionName == "Grow older")
    }

    @Test func `an undo of what others have changed since leaves nothing to be done again`()
        throws
    {
        try context.save()
        let other = ManagedObjectContext(context.store)
        try other.twin(of: alice).age = 99
        try other.save(shownTo: context)
        #expect(context.canUndo)
        context.undo()
        #expect(alice.age == 99 && !context.canUndo && !context.canRedo && !context.hasChanges)
        #expect(context.redoActionName == "" && context.brokenInvariants == [])
    }
}
