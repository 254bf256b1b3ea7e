import PlacesKit
import Testing

@Suite struct SaveConflictTests {
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
        alice.age = 10
        try first.save()
        second = ManagedObjectContext(store)
        twin = try second.twin(of: alice)
    }

    @Test func `two changes of one attribute conflict, and the later save tells all three values`()
        throws
    {
        alice.name = "First"
        try first.save()
        twin.name = "Second"
        #expect(
            second.conflicts() == [
                SaveConflict(
                    object: alice.objectID, property: "name", reason: .sameProperty,
                    base: .string("Alice"),
                    saved: .string("First"), attempted: .string("Second"))
            ])
        #expect(twin.name == "Second" && second.hasChanges)
        second.rollback()
        #expect(twin.name == "First" && !second.hasChanges)
        twin.name = "Second"
        try second.save()
    }

    @Test func `a conflict's text names the object and the values`() {
        alice.name = "First"
        twin.name = "Second"
        #expect(ContextError.thrown(by: first.save) == nil)
        #expect(
            ContextError.thrown(by: second.save)?.description == """
                Another context was first: Citizen/0.name was "Alice", is "First" there, and "Second" \
                here. Roll back and make the change again, or choose another merge policy.
                """)
    }

    @Test func `a conflict with what the parent has not saved does not say that it has`() throws {
        let child = ManagedObjectContext(parent: first)
        try child.twin(of: alice).name = "Child"
        alice.name = "Parent"
        #expect(
            ContextError.thrown(by: child.save)?.description.hasPrefix(
                """
                Another context was first: Citizen/0.name was "Alice", is "Parent" there, and "Child" \
                here.
                """) == true)
        child.rollback()
        try child.twin(of: alice).name = "Child"
        first.delete(alice)
        #expect(
            ContextError.thrown(by: child.save)?.description.hasPrefix(
                """
                Another context was first: Citizen/0 was deleted in one context and changed in the \
                other.
                """) == true)
    }

    @Test func `changes of different attributes conflict under error, and merge by property`()
        throws
    {
        alice.name = "First"
        try first.save()
        twin.age = 11
        let conflicts = second.conflicts()
        #expect(conflicts.map(\.reason) == [.otherProperties(["name"])])
        #expect(
            conflicts.first?.description
                == "Citizen/0 was changed here, and has another name there")
        #expect(twin.name == "Alice" && twin.age == 11)
        second.mergePolicy = .mergeByPropertyStoreTrump
        try second.save()
        #expect(twin.name == "First" && twin.age == 11)
        first.rollback()
        #expect(alice.name == "First" && alice.age == 11)
    }

    @Test func `the same change in both contexts conflicts: neither knew of the other`() throws {
        alice.age = 11
        twin.age = 11
        try first.save()
        #expect(second.conflicts().map(\.reason) == [.sameProperty])
        second.refreshAllObjects()
        #expect(second.hasChanges && second.conflicts().map(\.property) == ["age"])
        second.rollback()
        twin.age += 1
        try second.save()
        #expect(twin.age == 12)
    }

    @Test func `a change that was taken back by hand is none`() throws {
        twin.name = "Second"
        second.processPendingChanges()
        twin.name = "Alice"
        alice.name = "First"
        try first.save()
        #expect(!second.hasChanges)
        second.refreshAllObjects()
        #expect(twin.name == "First" && !second.hasChanges)
    }

    @Test func `changes of different objects merge`() throws {
        let bob = second.citizen("Bob")
        alice.name = "First"
        try first.save()
        try second.save()
        #expect(twin.name == "First")
        first.refreshAllObjects()
        #expect(try first.twin(of: bob).name == "Bob")
    }

    @Test func `deleting what another changed conflicts, either way round`() throws {
        alice.name = "First"
        try first.save()
        second.delete(twin)
        let conflict = SaveConflict(
            object: alice.objectID, property: nil, reason: .deleted, base: .null, saved: .null,
            attempted: .null)
        #expect(second.conflicts() == [conflict])
        second.rollback()
        second.delete(twin)
        try second.save()
        alice.name = "Again"
        #expect(first.conflicts() == [conflict])
        #expect(
            conflict.description == "Citizen/0 was deleted in one context and changed in the other")
    }

    @Test func `both deleting one object is no conflict`() throws {
        first.delete(alice)
        second.delete(twin)
        try first.save()
        try second.save()
        #expect(store.snapshot().brokenInvariants == [])
    }

    @Test func `two owners for one object conflict`() throws {
        let towns = (0..<2).map { _ in Town(context: first) }
        try first.save(shownTo: second)
        alice.home = towns[0]
        twin.home = try second.twin(of: towns[1])
        try first.save()
        #expect(second.conflicts().map(\.property) == ["home"])
        #expect(second.conflicts().map(\.saved) == [.string(towns[0].objectID.description)])
    }

    @Test func `objects among the values are named by their identity, whatever their rows were`()
        throws
    {
        for _ in 0..<4 {
            for _ in 0..<100 { _ = Town(context: first) }
            try first.save()
            try first.deleteAll(Town.self)
            try first.save(shownTo: second)
        }
        let towns = (0..<2).map { _ in Town(context: first) }
        try first.save(shownTo: second)
        #expect(towns[0].objectID.number > Int64(Int32.max), "no row was used again")
        alice.home = towns[0]
        twin.home = try second.twin(of: towns[1])
        try first.save()
        let conflict = try #require(second.conflicts().first)
        #expect(conflict.saved == .string(towns[0].objectID.description))
        #expect(conflict.attempted == .string(towns[1].objectID.description))
    }

    @Test func `members that two contexts added are all there`() throws {
        let club = Club("Chess", in: first)
        let town = Town(context: first)
        try first.save(shownTo: second)
        let other = try second.twin(of: club)
        let (bob, carol) = (first.citizen("Bob"), second.citizen("Carol"))
        club.members.insert(bob)
        club.members.insert(alice)
        bob.home = town
        other.members.insert(carol)
        carol.home = try second.twin(of: town)
        try first.save()
        try second.save()
        #expect(Set(other.members.map(\.name)) == ["Alice", "Bob", "Carol"])
        #expect(Set(try second.twin(of: town).residents.map(\.name)) == ["Bob", "Carol"])
        #expect(store.snapshot().brokenInvariants == [])
    }

    @Test func `members that a merge adds keep the order in which they were added`() throws {
        let town = Town(context: first)
        try first.save(shownTo: second)
        let home = try second.twin(of: town)
        let people = ["a", "b", "c"].map(second.citizen)
        for person in people.reversed() { home.residents.insert(person) }
        alice.home = town
        try first.save()
        try second.save()
        #expect(home.residents.map(\.name) == ["Alice", "c", "b", "a"])
    }

    @Test func `members that two contexts removed are gone`() throws {
        let club = Club("Chess", in: first)
        let people = ["a", "b", "c"].map(first.citizen)
        for person in people { club.members.insert(person) }
        try first.save(shownTo: second)
        club.members.remove(people[0])
        try second.twin(of: club).members.remove(second.twin(of: people[2]))
        try first.save()
        try second.save()
        #expect(try second.twin(of: club).members.map(\.name) == ["b"])
        #expect(store.snapshot().brokenInvariants == [])
    }

    @Test func `a partner taken by two contexts conflicts`() throws {
        let towns = (0..<2).map { _ in Town(context: first) }
        try first.save(shownTo: second)
        towns[0].mayor = alice
        try second.twin(of: towns[1]).mayor = twin
        try first.save()
        #expect(second.conflicts().map(\.object) == [alice.objectID])
    }

    @Test func `one unique value in two contexts is a duplicate for the second`() throws {
        let here = first.land("Atlantis")
        let there = second.land("Atlantis")
        try first.save()
        #expect(
            second.failures() == [
                ValidationFailure(
                    object: there.objectID, property: "name",
                    reason: .duplicateValue(.string("Atlantis"), other: here.objectID))
            ])
        // The context has what the other saved by now, and can mend its own.
        there.name = "Lemuria"
        try second.save()
        #expect(try store.snapshot().count(Land.self) == 2)
    }

    @Test func `a delete conflicts with what another context led to the object`() throws {
        let land = first.land("Atlantis")
        try first.save(shownTo: second)
        second.delete(try second.twin(of: land))
        let town = Town(context: first)
        town.land = land
        try first.save()
        #expect(second.conflicts().map(\.reason) == [.deleted])
        #expect(try store.snapshot().count(Town.self) == 1)
        second.mergePolicy = .mergeByPropertyObjectTrump
        try second.save()
        #expect(try store.snapshot().count(Town.self) == 0)
        first.rollback()
        #expect(town.isDeleted && store.snapshot().brokenInvariants == [])
    }

    @Test func `a delete is denied by what another context added`() throws {
        let club = Club("Chess", in: first)
        try first.save(shownTo: second)
        second.delete(try second.twin(of: club))
        Hall(context: first).club = club
        try first.save()
        #expect(second.conflicts().map(\.reason) == [.deleted])
        second.mergePolicy = .overwrite
        #expect(second.failures().map(\.reason) == [.deleteDenied])
        #expect(second.brokenInvariants == [])
    }

    @Test func `a refresh shows what others saved and keeps the own changes`() throws {
        alice.name = "First"
        try first.save()
        twin.age = 11
        second.refreshAllObjects()
        #expect(twin.name == "First" && twin.age == 11)
        #expect(second.updatedObjects == [twin])
        #expect(store.commitNumber == 2)
        #expect(second.conflicts().map(\.reason) == [.otherProperties(["name"])])
    }

    @Test func `many contexts saving at once from many threads lose nothing`() async throws {
        let store = store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let context = ManagedObjectContext(store)
                    for round in 0..<20 {
                        let land = context.land("\(number) \(round)")
                        Town(context: context).land = land
                        try context.save()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.snapshot().count(Land.self) == 160)
        #expect(store.commitNumber == 161)
        #expect(store.snapshot().brokenInvariants == [])
        first.refreshAllObjects()
        #expect(try first.fetch(Land.self).allSatisfy { $0.towns.count == 1 })
    }
}
