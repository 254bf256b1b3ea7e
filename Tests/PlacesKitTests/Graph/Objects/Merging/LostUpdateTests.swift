import PlacesKit
import Testing

/// A conflict is told by another commit having written the object, never by values.
@Suite struct LostUpdateTests {
    let store: GraphStore
    let first: ManagedObjectContext
    let second: ManagedObjectContext
    /// The same object in both contexts.
    let alice: Citizen
    let twin: Citizen

    init() throws {
        store = try TownModel.store()
        first = ManagedObjectContext(store)
        alice = first.citizen("Alice")
        alice.age = 100
        try first.save()
        second = ManagedObjectContext(store)
        twin = try second.twin(of: alice)
    }

    /// Saves each of some ages in the first context.
    private func save(ages: Int...) throws {
        for age in ages {
            alice.age = age
            try first.save()
        }
    }

    @Test func `of two contexts that turn 100 into 101 the later one meets a conflict`() throws {
        twin.age += 1
        try save(ages: 101)
        #expect(second.conflicts().map(\.property) == ["age"])
        second.rollback()
        twin.age += 1
        try second.save()
        #expect(twin.age == 102)
    }

    @Test func `a value that was brought back was written all the same`() throws {
        twin.age = 102
        try save(ages: 101, 100)
        let conflict = try #require(second.conflicts().first)
        #expect(conflict.reason == .sameProperty)
        #expect(conflict.base == .integer(100) && conflict.saved == .integer(100))
    }

    @Test func `a conflict outlasts merges, also where the own value is the saved one by then`()
        throws
    {
        twin.age = 101
        try save(ages: 101)
        second.refreshAllObjects()
        #expect(second.hasChanges && twin.age == 101)
        try save(ages: 102)
        second.refreshAllObjects()
        #expect(twin.age == 101)
        #expect(second.conflicts().map(\.property) == ["age"])
        #expect(second.conflicts().map(\.base) == [.integer(100)])
        second.mergePolicy = .mergeByPropertyStoreTrump
        try second.save()
        #expect(!second.hasChanges && twin.age == 102)
    }

    @Test func `a write that was merged over foreign ones is based on what it saw`() throws {
        try save(ages: 101)
        second.refreshAllObjects()
        twin.age += 1
        try second.save()
        #expect(twin.age == 102)
        first.refreshAllObjects()
        alice.name = "Alicia"
        try first.save(shownTo: second)
        twin.name += "!"
        try second.save()
        #expect(twin.name == "Alicia!")
    }

    @Test
    func `10,000 commits later the conflict is still told, and told only of what was written`()
        throws
    {
        let bob = first.citizen("Bob")
        try first.save(shownTo: second)
        let other = try second.twin(of: bob)
        twin.age = 7
        try save(ages: 101, 100)
        for age in 0..<10_000 {
            bob.age = age
            try first.save()
        }
        #expect(second.conflicts().map(\.object) == [alice.objectID])
        second.rollback()
        other.name = "Robert"
        try second.save()
        #expect(try store.snapshot().context().twin(of: bob).name == "Robert")
    }

    @Test func `beyond what is remembered it errs towards a conflict, by chunk`() throws {
        // Rows of another chunk.
        let others = (0..<2_100).map { first.citizen("\($0)") }
        try first.save(shownTo: second)
        let far = try second.twin(of: others[2_000])
        let near = try second.twin(of: others[0])
        far.age = 1
        try save(ages: 101, 100)
        near.age = 1
        // One commit of more rows than are remembered.
        for _ in 0..<400_000 { _ = Hall(context: first) }
        try first.save()
        #expect(second.conflicts().map(\.object) == [near.objectID])
        second.mergePolicy = .mergeByPropertyObjectTrump
        try second.save()
        #expect(near.age == 1 && far.age == 1)
    }

    @Test func `after a save that threw a policy is chosen, and the save settles`() throws {
        twin.age = 102
        twin.nickname = "Al"
        try save(ages: 101)
        #expect(second.conflicts().count == 1)
        #expect(second.conflicts().count == 1)
        second.mergePolicy = .mergeByPropertyObjectTrump
        try second.save()
        #expect(twin.age == 102 && twin.nickname == "Al")
    }

    @Test(arguments: MergePolicy.allCases)
    func `a save that a rule refuses settles nothing`(policy: MergePolicy) throws {
        twin.age = 102
        let land = Land(context: second)
        try save(ages: 101)
        second.mergePolicy = policy
        if policy != .error { #expect(second.failures().map(\.property) == ["name"]) }
        #expect(twin.age == 102)
        land.name = "Mu"
        second.mergePolicy = .error
        #expect(second.conflicts().map(\.attempted) == [.integer(102)])
    }

    @Test func `rollback, and a refresh that drops the write, end the conflict`() throws {
        twin.age = 102
        try save(ages: 101)
        second.refreshAllObjects()
        try second.refresh(twin, mergeChanges: false)
        #expect(!second.hasChanges && twin.age == 101)
        twin.age = 103
        try save(ages: 105)
        second.refreshAllObjects()
        second.rollback()
        #expect(!second.hasChanges && twin.age == 105)
        twin.age += 1
        try second.save()
    }

    @Test(arguments: [true, false])
    func `a refresh that drops the writes of an object that others deleted lets it be gone`(
        isShown: Bool
    ) throws {
        let town = Town(context: first)
        try first.save(shownTo: second)
        twin.age = 102
        let own = try second.twin(of: town)
        twin.home = own
        own.name = "mine"
        first.delete(alice)
        try first.save()
        if isShown {
            second.refreshAllObjects()
            #expect(!twin.isDeleted && twin.age == 102)
        }
        var told: [ContextChange] = []
        let subscription = second.onChange { told.append($0) }
        try second.refresh(twin, mergeChanges: false)
        #expect(twin.isDeleted && own.name == "mine" && own.residents.isEmpty)
        #expect(told.flatMap(\.objects.deleted) == [twin.objectID])
        subscription.cancel()
        try second.save()
        #expect(try second.fetch(Citizen.self).isEmpty && store.commitNumber == 4)
        #expect(second.brokenInvariants == [])
    }

    @Test func `my link to an object that others deleted ends when I let the object go`() throws {
        let town = Town(context: first)
        try first.save(shownTo: second)
        let own = try second.twin(of: town)
        twin.home = own
        own.name = "mine"
        first.delete(town)
        try first.save(shownTo: second)
        try second.refresh(own, mergeChanges: false)
        #expect(own.isDeleted && twin.home == nil && !second.hasChanges)
        try second.save()
        #expect(store.commitNumber == 3 && second.brokenInvariants == [])
    }

    @Test func `an undo that takes the write back ends the conflict, and shows what was saved`()
        throws
    {
        second.isUndoEnabled = true
        twin.age = 102
        second.processPendingChanges()
        twin.name = "Alicia"
        try save(ages: 101)
        second.refreshAllObjects()
        second.undo()
        #expect(twin.name == "Alice" && twin.age == 102)
        #expect(second.conflicts().map(\.property) == ["age"])
        second.undo()
        #expect(twin.age == 101 && !second.hasChanges)
        second.redo()
        #expect(twin.age == 102)
        try second.save()
        #expect(second.brokenInvariants == [])
    }

    @Test func `an undo of a delete that met a conflict shows what was saved`() throws {
        second.isUndoEnabled = true
        second.delete(twin)
        try save(ages: 101)
        second.refreshAllObjects()
        #expect(twin.isDeleted && second.conflicts().map(\.reason) == [.deleted])
        second.undo()
        #expect(!twin.isDeleted && twin.age == 101 && !second.hasChanges)
        #expect(second.brokenInvariants == [])
    }

    @Test func `an undo of a write to what others deleted leaves it deleted`() throws {
        second.isUndoEnabled = true
        twin.age = 102
        first.delete(alice)
        try first.save(shownTo: second)
        #expect(!twin.isDeleted && second.conflicts().map(\.reason) == [.deleted])
        second.undo()
        #expect(twin.isDeleted && !second.hasChanges)
        #expect(second.brokenInvariants == [])
    }

    @Test(arguments: MergePolicy.allCases.filter { $0 != .error })
    func `an object that an undo brings back after others deleted it has its own values`(
        policy: MergePolicy
    ) throws {
        second.isUndoEnabled = true
        twin.age = 102
        try save(ages: 101)
        second.refreshAllObjects()
        second.delete(twin)
        second.processPendingChanges()
        first.delete(alice)
        try first.save(shownTo: second)
        second.undo()
        #expect(!twin.isDeleted && twin.age == 102)
        // The conflict of the ages is about an object that the store no longer has.
        second.mergePolicy = policy
        try second.save()
        #expect(!twin.isDeleted && twin.age == 102 && !second.hasChanges)
        #expect(second.brokenInvariants == [])
    }

    @Test(arguments: MergePolicy.allCases, [false, true])
    func `of two contexts that bring an object back the later one meets a conflict`(
        policy: MergePolicy, isMerged: Bool
    ) throws {
        second.isUndoEnabled = true
        alice.age = 7
        second.delete(twin)
        try second.save()
        second.undo()
        first.mergePolicy = .overwrite
        try first.save()
        if isMerged { second.refreshAllObjects() }
        #expect(!twin.isDeleted && twin.age == 100)
        second.mergePolicy = policy
        if policy == .error {
            #expect(second.conflicts().map(\.reason) == [.deleted])
            return
        }
        try second.save()
        let isOwn = policy == .mergeByPropertyObjectTrump || policy == .overwrite
        #expect(try store.snapshot().context().twin(of: alice).age == (isOwn ? 100 : 7))
        #expect(second.brokenInvariants == [])
    }

    @Test(arguments: MergePolicy.allCases)
    func `error, overwrite and rollback look at the object, the others at the property`(
        policy: MergePolicy
    ) throws {
        alice.name = "Alicia"
        try first.save()
        twin.age = 101
        second.mergePolicy = policy
        if policy == .error {
            #expect(second.conflicts().map(\.reason) == [.otherProperties(["name"])])
            return
        }
        try second.save()
        #expect(twin.name == (policy == .overwrite ? "Alice" : "Alicia"))
        #expect(twin.age == (policy == .rollback ? 100 : 101))
    }

    @Test func `two imports into one town do not conflict`() throws {
        let town = Town(context: first)
        try first.save(shownTo: second)
        let there = try second.twin(of: town)
        first.citizen("Bob").home = town
        second.citizen("Carol").home = there
        try first.save()
        try second.save()
        #expect(there.residents.count == 2)
    }

    @Test func `a child's conflicts are those with the parent since the fork`() throws {
        let child = ManagedObjectContext(parent: second)
        let grandchild = try child.twin(of: alice)
        grandchild.age = 102
        twin.age = 101
        second.processPendingChanges()
        twin.age = 100
        second.processPendingChanges()
        #expect(child.conflicts().map(\.property) == ["age"])
        child.rollback()
        grandchild.age = 102
        try save(ages: 101, 100)
        second.refreshAllObjects()
        #expect(child.conflicts().map(\.property) == ["age"])
        child.mergePolicy = .mergeByPropertyObjectTrump
        try child.save()
        #expect(twin.age == 102)
        try second.save()
    }

    @Test func `siblings that turn 100 into 101 conflict`() throws {
        let children = (0..<2).map { _ in ManagedObjectContext(parent: second) }
        for child in children { try child.twin(of: alice).age += 1 }
        try children[0].save()
        #expect(children[1].conflicts().map(\.property) == ["age"])
    }

    @Test func `what is only read conflicts where that is asked for`() throws {
        _ = second.citizen("Bob")
        try second.detectConflicts(for: twin)
        try save(ages: 101, 100)
        #expect(second.conflicts().map(\.reason) == [.read(["age"])])
        second.refreshAllObjects()
        #expect(second.conflicts().map(\.reason) == [.read(["age"])])
        second.mergePolicy = .overwrite
        try second.save()
        #expect(twin.age == 100)
        second.mergePolicy = .error
        first.delete(alice)
        try first.save()
        _ = second.citizen("Carol")
        try second.save()
        #expect(throws: ContextError.noSuchObject(alice.objectID)) {
            try second.detectConflicts(for: alice)
        }
    }

    @Test func `a new object that is relied on is nobody else's, and an undo forgets no reading`()
        throws
    {
        let bob = second.citizen("Bob")
        try second.detectConflicts(for: bob)
        try save(ages: 101)
        try second.save()
        second.isUndoEnabled = true
        try second.detectConflicts(for: twin)
        bob.age = 3
        second.processPendingChanges()
        twin.nickname = "Al"
        second.processPendingChanges()
        try save(ages: 102)
        second.refreshAllObjects()
        second.undo()
        #expect(twin.nickname == nil)
        #expect(second.conflicts().map(\.reason) == [.read(["age"])])
    }

    @Test func `what is only read and was deleted conflicts`() throws {
        _ = second.citizen("Bob")
        try second.detectConflicts(for: twin)
        first.delete(alice)
        try first.save()
        #expect(second.conflicts().map(\.reason) == [.readAndDeleted])
        second.rollback()
        _ = second.citizen("Bob")
        try second.save()
    }

    @Test func `eight tasks that increment one attribute lose none, with a retry on conflict`()
        async throws
    {
        let (store, id) = (store, alice.objectID)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await store.perform { context in
                        guard let citizen = try context.existingObject(with: id) as? Citizen
                        else { return }
                        for _ in 0..<250 {
                            while true {
                                citizen.age += 1
                                do {
                                    try context.save()
                                    break
                                } catch ContextError.conflict {
                                    context.rollback()
                                }
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        first.refreshAllObjects()
        #expect(alice.age == 2_100)
    }
}
