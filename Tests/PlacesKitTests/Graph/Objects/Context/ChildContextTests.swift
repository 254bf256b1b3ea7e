import Foundation
import PlacesKit
import Testing

@Suite struct ChildContextTests {
    let store: GraphStore
    let parent: ManagedObjectContext
    let child: ManagedObjectContext
    let alice: Citizen
    /// The same object in the child.
    let twin: Citizen

    init() throws {
        store = try TownModel.store()
        parent = ManagedObjectContext(store)
        alice = parent.citizen("Alice")
        try parent.save()
        alice.age = 10
        child = ManagedObjectContext(parent: parent)
        twin = try child.twin(of: alice)
    }

    @Test func `a child begins with what its parent shows, unsaved changes included`() {
        #expect(twin.age == 10 && child.parent === parent && child.store === store)
        #expect(!child.hasChanges)
    }

    @Test func `a save makes pending changes of the parent, and nothing reaches the store`() throws
    {
        twin.name = "Alicia"
        let land = child.land("Mu")
        child.delete(child.citizen("Gone"))
        try child.save()
        #expect(!child.hasChanges && parent.hasChanges)
        #expect(alice.name == "Alicia" && parent.updatedObjects == [alice])
        let same = try parent.twin(of: land)
        #expect(same.objectID == land.objectID && same.name == "Mu")
        #expect(parent.insertedObjects == [same])
        #expect(store.commitNumber == 1)
        try parent.save()
        #expect(try store.snapshot().context().twin(of: land).name == "Mu")
        #expect(parent.brokenInvariants == [] && child.brokenInvariants == [])
    }

    @Test func `a child that is dropped leaves no trace`() throws {
        twin.name = "Alicia"
        _ = child.land("Mu")
        child.rollback()
        #expect(twin.name == "Alice" && !child.hasChanges)
        #expect(try alice.name == "Alice" && parent.count(Land.self) == 0)
    }

    @Test func `relationships and deletes go up as they are`() throws {
        let town = Town(context: parent)
        let other = ManagedObjectContext(parent: parent)
        let home = try other.twin(of: town)
        for name in ["a", "b"] { other.citizen(name).home = home }
        try other.twin(of: alice).home = home
        try other.save()
        #expect(town.residents.map(\.name) == ["a", "b", "Alice"])
        other.delete(home)
        try other.save()
        #expect(town.isDeleted && alice.home == nil)
        #expect(parent.brokenInvariants == [])
    }

    @Test func `a child is refused for its own values, not for those that its parent has twice`()
        throws
    {
        let lands = [parent.land("Mu"), parent.land("Mu")]
        twin.age = 11
        try child.save()
        #expect(alice.age == 11)
        // What is not changed in the end neither.
        twin.age = 12
        child.processPendingChanges()
        twin.age = 11
        try child.save()
        let land = child.land("Mu")
        #expect(child.failures().map(\.object) == [land.objectID])
        land.name = "Atlantis"
        try child.save()
        #expect(parent.failures().map(\.object) == [lands[1].objectID])
    }

    @Test func `children of children pass changes up step by step`() throws {
        let grandchild = ManagedObjectContext(parent: child)
        try grandchild.twin(of: alice).name = "Alicia"
        try grandchild.save()
        #expect(twin.name == "Alicia" && alice.name == "Alice")
        try child.save()
        #expect(alice.name == "Alicia")
        try parent.save()
        #expect(try store.snapshot().context().twin(of: alice).name == "Alicia")
    }

    @Test(arguments: MergePolicy.allCases)
    func `where the parent changed meanwhile the child's merge policy decides`(
        policy: MergePolicy
    ) throws {
        alice.name = "Parent"
        alice.nickname = "P"
        twin.name = "Child"
        twin.age = 11
        child.mergePolicy = policy
        if policy == .error {
            #expect(
                child.conflicts() == [
                    SaveConflict(
                        object: alice.objectID, property: "name", reason: .sameProperty,
                        base: .string("Alice"), saved: .string("Parent"),
                        attempted: .string("Child"))
                ])
            #expect(alice.name == "Parent" && twin.name == "Child")
            return
        }
        try child.save()
        let isChild = policy == .mergeByPropertyObjectTrump || policy == .overwrite
        #expect(alice.name == (isChild ? "Child" : "Parent"))
        #expect(alice.age == (policy == .rollback ? 10 : 11))
        #expect(alice.nickname == (policy == .overwrite ? nil : "P"))
        #expect(twin.name == alice.name && twin.age == alice.age)
    }

    @Test func `a child's save is one group to undo in the parent`() throws {
        parent.isUndoEnabled = true
        twin.name = "Alicia"
        _ = child.land("Mu")
        try child.save()
        parent.undo()
        #expect(try alice.name == "Alice" && parent.count(Land.self) == 0)
        parent.redo()
        #expect(try alice.name == "Alicia" && parent.count(Land.self) == 1)
    }

    @Test func `a child that has nothing to save ends no group of its parent`() throws {
        parent.isUndoEnabled = true
        alice.name = "Alicia"
        try child.save()
        alice.age = 12
        parent.undo()
        #expect(alice.name == "Alice" && alice.age == 10)
    }

    @Test func `a child shows what the parent changes when it refreshes`() throws {
        alice.name = "Parent"
        #expect(twin.name == "Alice")
        child.refreshAllObjects()
        #expect(twin.name == "Parent" && !child.hasChanges)
    }

    @Test func `a child that merges by itself shows what the parent processes at once`() throws {
        child.automaticallyMergesChangesFromParent = true
        child.mergePolicy = .mergeByPropertyStoreTrump
        twin.age = 12
        alice.name = "Parent"
        parent.processPendingChanges()
        #expect(twin.name == "Parent" && twin.age == 12)
        try child.save()
        #expect(alice.age == 12)
        alice.name = "Again"
        try parent.save()
        #expect(twin.name == "Again")
        child.automaticallyMergesChangesFromParent = false
        alice.name = "Unseen"
        parent.processPendingChanges()
        #expect(twin.name == "Again")
    }

    @Test func `a broken rule refuses the child's save, and the parent is not touched`() throws {
        twin.name = "Alicia"
        _ = Land(context: child)
        #expect(child.failures().map(\.property) == ["name"])
        #expect(alice.name == "Alice")
    }

    @Test func `an insert that the parent rolled back conflicts with a child's edit`() throws {
        let bob = parent.citizen("Bob")
        child.refreshAllObjects()
        try child.twin(of: bob).age = 3
        parent.rollback()
        #expect(child.conflicts().map(\.property) == [nil])
        child.rollback()
        #expect(try child.count(Citizen.self) == 1)
    }

    @Test func `what a listener changes during the save stays pending`() throws {
        let subscription = child.onChange { [child] _ in
            guard let land = try? child.find(Land.self, \.name, "Mu") else { return }
            if land.number == nil { land.number = 7 }
        }
        defer { subscription.cancel() }
        let land = child.land("Mu")
        try child.save()
        #expect(land.number == 7 && child.hasChanges)
        #expect(try parent.twin(of: land).number == nil)
        try child.save()
        #expect(try parent.twin(of: land).number == 7)
    }

    @Test func `a child of a snapshot's context saves into that context`() throws {
        let past = store.snapshot().context()
        let scratch = ManagedObjectContext(parent: past)
        _ = scratch.land("Mu")
        try scratch.save()
        #expect(try past.count(Land.self) == 1)
        #expect(throws: ContextError.readOnly) { try past.save() }
    }

    @Test func `a child keeps its parent, not the reverse`() throws {
        weak var gone: ManagedObjectContext?
        do {
            let other = ManagedObjectContext(parent: parent)
            gone = other
            _ = other.land("Mu")
        }
        #expect(gone == nil)
        alice.name = "Alicia"
        parent.processPendingChanges()
    }

    // MARK: - Listeners of the parent

    private func onFirstChangeOfParent(_ act: @escaping () -> Void) -> ChangeSubscription {
        var isFirst = true
        return parent.onChange { _ in
            guard isFirst else { return }
            isFirst = false
            act()
        }
    }

    @Test(arguments: [false, true])
    func `what a listener of the parent changes in a child during its save stays pending`(
        isProcessed: Bool
    ) throws {
        parent.processPendingChanges()
        let subscription = onFirstChangeOfParent { [child, twin] in
            twin.age += 1_000
            _ = child.citizen("Newcomer")
            if isProcessed { child.processPendingChanges() }
        }
        defer { subscription.cancel() }
        let sum = try LiveAggregate(FetchRequest<Citizen>(), .sum(\.age), .count, in: child)
        twin.age = 20
        try child.save()
        child.processPendingChanges()
        #expect(twin.age == 1_020 && child.hasChanges)
        let asked = try child.aggregate(FetchRequest<Citizen>(), .sum(\.age), .count)
        #expect("\(String(describing: sum.value))" == "\(String(describing: asked))")
        try child.save()
        #expect(try alice.age == 1_020 && parent.count(Citizen.self) == 2)
        #expect(parent.brokenInvariants == [] && child.brokenInvariants == [])
    }

    @Test(arguments: ["rollback", "refresh"])
    func
        `what a listener of the parent changes while a child looks anew is a change like any other`(
            way: String
        ) throws
    {
        parent.processPendingChanges()
        let subscription = onFirstChangeOfParent { [child, twin] in
            twin.age += 1_000
            child.processPendingChanges()
        }
        defer { subscription.cancel() }
        alice.age = 11
        if way == "rollback" { child.rollback() } else { child.refreshAllObjects() }
        #expect(twin.age == 1_011 && child.updatedObjects == [twin])
        try child.save()
        #expect(alice.age == 1_011 && !child.hasChanges)
        #expect(parent.brokenInvariants == [] && child.brokenInvariants == [])
    }

    @Test(arguments: ["rollback", "refreshAllObjects", "refresh", "save"])
    func `a child that merges by itself hears of each change of its parent once`(
        way: String
    ) throws {
        parent.processPendingChanges()
        child.automaticallyMergesChangesFromParent = true
        let list = try FetchedResultsController(
            FetchRequest<Citizen>(sortBy: [SortDescriptor(\.name)]), in: child)
        var insertCount = 0
        list.onChange = { insertCount += $0.difference.itemInserts.count }
        _ = parent.citizen("New")
        switch way {
        case "rollback": child.rollback()
        case "refreshAllObjects": child.refreshAllObjects()
        case "refresh": try child.refresh(twin, mergeChanges: false)
        default:
            twin.age = 99
            try child.save()
        }
        child.processPendingChanges()
        #expect(list.objects.map(\.name) == ["Alice", "New"] && insertCount == 1)
    }
}
