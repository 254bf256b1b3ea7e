import PlacesKit
import Testing

@Suite struct MergePolicyTests {
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

    /// Saves another name and age in the first context, and another name in the second.
    private func collide(_ policy: MergePolicy, storedAge: Int = 10) throws {
        alice.name = "FromFirst"
        alice.age = storedAge
        try first.save()
        twin.name = "FromSecond"
        second.mergePolicy = policy
    }

    @Test func `the default policy is error`() {
        #expect(first.mergePolicy == .error)
    }

    @Test func `error lists the conflict and saves nothing`() throws {
        try collide(.error)
        twin.nickname = "Al"
        #expect(
            second.conflicts() == [
                SaveConflict(
                    object: alice.objectID, property: "name", reason: .sameProperty,
                    base: .string("Alice"), saved: .string("FromFirst"),
                    attempted: .string("FromSecond"))
            ])
        #expect(try store.snapshot().context().twin(of: alice).nickname == nil)
        #expect(twin.name == "FromSecond" && twin.nickname == "Al")
    }

    @Test func `store trump takes the saved value and keeps other edits`() throws {
        try collide(.mergeByPropertyStoreTrump)
        twin.age = 99
        try second.save()
        #expect(twin.name == "FromFirst" && twin.age == 99)
        #expect(!second.hasChanges)
    }

    @Test func `object trump takes the local value and keeps what else was saved`() throws {
        try collide(.mergeByPropertyObjectTrump, storedAge: 50)
        try second.save()
        #expect(twin.name == "FromSecond" && twin.age == 50)
    }

    @Test func `overwrite writes the whole object`() throws {
        try collide(.overwrite, storedAge: 77)
        try second.save()
        #expect(twin.name == "FromSecond" && twin.age == 10)
        first.refreshAllObjects()
        #expect(alice.name == "FromSecond" && alice.age == 10)
    }

    @Test func `rollback drops the object's edits, and saves those of other objects`() throws {
        try collide(.rollback)
        twin.age = 99
        let bob = second.citizen("Bob")
        try second.save()
        #expect(twin.name == "FromFirst" && twin.age == 10 && !bob.isDeleted)
        #expect(second.updatedObjects.isEmpty && !second.hasChanges)
    }

    @Test(arguments: MergePolicy.allCases)
    func `edits of different objects never conflict`(policy: MergePolicy) throws {
        second.mergePolicy = policy
        let bob = second.citizen("Bob")
        try second.save(shownTo: first)
        alice.name = "Changed"
        try first.save()
        bob.name = "Robert"
        try second.save()
        #expect(twin.name == "Changed" && bob.name == "Robert")
    }

    @Test(arguments: MergePolicy.allCases)
    func `members of to-many relationships never conflict`(policy: MergePolicy) throws {
        second.mergePolicy = policy
        let club = Club("Chess", in: first)
        try first.save(shownTo: second)
        club.members.insert(alice)
        try second.twin(of: club).members.insert(second.citizen("Bob"))
        try first.save()
        try second.save()
        #expect(try second.twin(of: club).members.map(\.name) == ["Alice", "Bob"])
    }

    @Test(arguments: MergePolicy.allCases)
    func `an object that the store deleted stays gone, or comes back by object trump and overwrite`(
        policy: MergePolicy
    ) throws {
        let town = Town(context: first)
        let club = Club("Chess", in: first)
        alice.home = town
        alice.clubs.insert(club)
        let ward = first.citizen("Ward")
        club.members.insert(ward)
        try first.save(shownTo: second)
        first.delete(alice)
        try first.save()
        second.mergePolicy = policy
        twin.age = 11
        if policy == .error {
            #expect(second.conflicts().map(\.property) == [nil])
            return
        }
        try second.save()
        let isBack = policy == .mergeByPropertyObjectTrump || policy == .overwrite
        #expect(twin.isDeleted != isBack)
        #expect(try store.snapshot().count(Citizen.self) == (isBack ? 2 : 1))
        if isBack {
            #expect(twin.name == "Alice" && twin.age == 11)
            #expect(twin.home?.objectID == town.objectID)
            #expect(twin.clubs.map(\.objectID) == [club.objectID])
        }
        #expect(second.brokenInvariants == [])
    }

    @Test(arguments: MergePolicy.allCases)
    func `an object that the store changed is deleted by object trump and overwrite alone`(
        policy: MergePolicy
    ) throws {
        let town = Town(context: first)
        alice.home = town
        try first.save(shownTo: second)
        town.name = "Ulm"
        try first.save()
        second.mergePolicy = policy
        second.delete(try second.twin(of: town))
        if policy == .error {
            #expect(second.conflicts().map(\.property) == [nil])
            return
        }
        try second.save()
        let stays = policy == .mergeByPropertyStoreTrump || policy == .rollback
        #expect(try second.count(Town.self) == (stays ? 1 : 0))
        #expect(twin.home?.name == (stays ? "Ulm" : nil))
        #expect(second.brokenInvariants == [])
    }

    @Test(arguments: MergePolicy.allCases.filter { $0 != .error }, [false, true])
    func `an object that the store changed is not deleted along with another either`(
        policy: MergePolicy, isMerged: Bool
    ) throws {
        let land = first.land("Mu")
        let (town, other) = (Town(context: first), Town(context: first))
        let ward = first.citizen("Ward")
        for town in [town, other] { town.land = land }
        ward.guardian = alice
        try first.save(shownTo: second)
        second.delete(try second.twin(of: land))
        second.delete(twin)
        second.processPendingChanges()
        town.name = "Ulm"
        ward.age = 1
        try first.save()
        if isMerged { second.refreshAllObjects() }
        second.mergePolicy = policy
        try second.save()
        let stays = policy == .mergeByPropertyStoreTrump || policy == .rollback
        let saved = store.snapshot().context()
        #expect(try saved.fetch(Town.self).map(\.name) == (stays ? ["Ulm"] : []))
        #expect(try saved.fetch(Citizen.self).map(\.age) == (stays ? [1] : []))
        #expect(try saved.count(Land.self) == 0)
        #expect(try saved.fetch(Town.self).allSatisfy { $0.land == nil })
        #expect(second.brokenInvariants == [] && !second.hasChanges)
    }

    @Test func `store trump keeps one-to-one partners together`() throws {
        let towns = (0..<2).map { _ in Town(context: first) }
        let bob = first.citizen("Bob")
        towns[0].mayor = alice
        towns[1].mayor = bob
        try first.save(shownTo: second)
        towns[0].mayor = nil
        try first.save()
        second.mergePolicy = .mergeByPropertyStoreTrump
        try second.twin(of: towns[0]).mayor = second.twin(of: bob)
        try second.save(shownTo: first)
        #expect(towns[0].mayor == nil && towns[1].mayor === bob)
        #expect(first.brokenInvariants == [])
    }

    @Test func `rolling one partner back keeps the pair that the store has`() throws {
        let towns = (0..<2).map { _ in Town(context: first) }
        let bob = first.citizen("Bob")
        towns[0].mayor = alice
        towns[1].mayor = bob
        try first.save(shownTo: second)
        towns[0].name = "Ulm"
        try first.save()
        second.mergePolicy = .rollback
        let town = try second.twin(of: towns[0])
        town.name = "Bonn"
        town.mayor = try second.twin(of: bob)
        try second.save()
        #expect(town.name == "Ulm" && town.mayor === twin && twin.governs === town)
        #expect(second.brokenInvariants == [])
    }

    @Test(arguments: MergePolicy.allCases)
    func `leading to what another context deleted is a conflict of the deleted object`(
        policy: MergePolicy
    ) throws {
        let club = Club("Chess", in: first)
        let town = Town(context: first)
        town.name = "Ulm"
        try first.save(shownTo: second)
        try second.twin(of: club).members.insert(twin)
        let bob = second.citizen("Bob")
        bob.home = try second.twin(of: town)
        first.delete(club)
        first.delete(town)
        try first.save()
        second.mergePolicy = policy
        if policy == .error {
            #expect(
                Set(second.conflicts().map(\.object)) == [club.objectID, town.objectID])
            return
        }
        try second.save()
        let isBack = policy == .mergeByPropertyObjectTrump || policy == .overwrite
        #expect(twin.clubs.map(\.title) == (isBack ? ["Chess"] : []))
        #expect(bob.home?.name == (isBack ? "Ulm" : nil))
        #expect(second.brokenInvariants == [])
    }

    @Test func `members keep their order on both sides of a merge`() throws {
        let clubs = ["a", "b", "c"].map { Club($0, in: first) }
        let people = ["x", "y", "z"].map(first.citizen)
        try first.save(shownTo: second)
        let others = try people.map { try second.twin(of: $0) }
        for (club, person) in [(2, 1), (0, 1), (2, 0), (1, 1), (0, 2), (2, 2)] {
            try second.twin(of: clubs[club]).members.insert(others[person])
        }
        alice.age = 1
        try first.save()
        try second.save()
        #expect(others[1].clubs.map(\.title) == ["c", "a", "b"])
        #expect(others[2].clubs.map(\.title) == ["a", "c"])
        #expect(try second.twin(of: clubs[2]).members.map(\.name) == ["y", "x", "z"])
        #expect(try second.twin(of: clubs[0]).members.map(\.name) == ["y", "z"])
    }

    @Test(arguments: MergePolicy.allCases)
    func
        `a new object whose unique value was saved first becomes the saved one, unless it is an error`(
            policy: MergePolicy
        ) throws
    {
        let here = first.land("Atlantis")
        try first.save()
        let there = second.land("Atlantis")
        there.number = 7
        let town = Town(context: second)
        town.land = there
        let club = Club("Chess", in: second)
        club.patron = there
        second.mergePolicy = policy
        if policy == .error {
            #expect(
                second.failures().map(\.reason) == [
                    .duplicateValue(.string("Atlantis"), other: here.objectID)
                ])
            return
        }
        try second.save()
        let saved = try second.twin(of: here)
        #expect(there.isDeleted && town.land === saved && club.patron === saved)
        let takes = policy == .mergeByPropertyObjectTrump || policy == .overwrite
        #expect(saved.number == (takes ? 7 : nil))
        #expect(try store.snapshot().count(Land.self) == 1)
        #expect(second.brokenInvariants == [])
    }

    @Test(arguments: [MergePolicy.rollback, .mergeByPropertyStoreTrump])
    func `objects that a policy drops are linked to each other as they were saved`(
        policy: MergePolicy
    ) throws {
        let club = Club("Chess", in: first)
        alice.clubs.insert(club)
        try first.save(shownTo: second)
        let same = try second.twin(of: club)
        (twin.age, same.title) = (11, "Go")
        first.isUndoEnabled = true
        first.delete(alice)
        first.delete(club)
        try first.save()
        // The second context keeps both, and its link between them.
        second.refreshAllObjects()
        first.undo()
        alice.clubs.remove(club)
        try first.save()
        second.mergePolicy = policy
        try second.save()
        #expect(twin.age == 10 && same.title == "Chess" && twin.clubs.isEmpty)
        #expect(alice.clubs.isEmpty && second.brokenInvariants == [])
    }

    @Test(arguments: [[0, 1, 2], [1, 0, 2], [2, 1, 0], [2, 0, 1]])
    func
        `of several new objects with the value of a saved one the last counts, whichever was named first`(
            order: [Int]
        ) throws
    {
        let lands = [first.land("Mu")]
        try first.save()
        let all = lands + [first.land("Lyonesse"), first.land("Ys")]
        for index in order { all[index].name = "Atlantis" }
        for (number, land) in all.enumerated() { land.number = number }
        first.mergePolicy = .overwrite
        try first.save()
        #expect(all.map(\.isDeleted) == [false, true, true])
        #expect(lands[0].number == 2)
        #expect(first.brokenInvariants == [])
    }

    @Test(arguments: MergePolicy.allCases)
    func `a saved object that takes a unique value that was saved first is refused`(
        policy: MergePolicy
    ) throws {
        let land = first.land("Mu")
        try first.save(shownTo: second)
        _ = first.land("Atlantis")
        try first.save()
        second.mergePolicy = policy
        try second.twin(of: land).name = "Atlantis"
        #expect(second.failures().count == 1)
    }

    @Test func `a refresh shows the own value where both changed, and the save meets the conflict`()
        throws
    {
        try collide(.error, storedAge: 50)
        second.refreshAllObjects()
        #expect(twin.name == "FromSecond" && twin.age == 50)
        #expect(
            second.conflicts() == [
                SaveConflict(
                    object: alice.objectID, property: "name", reason: .sameProperty,
                    base: .string("Alice"), saved: .string("FromFirst"),
                    attempted: .string("FromSecond"))
            ])
        second.mergePolicy = .mergeByPropertyStoreTrump
        try second.save()
        #expect(twin.name == "FromFirst" && !second.hasChanges)
    }

    @Test func `writing the saved value does not settle a conflict, refreshing the object does`()
        throws
    {
        try collide(.error)
        second.refreshAllObjects()
        twin.name = "FromFirst"
        #expect(second.hasChanges && second.conflicts().map(\.property) == ["name"])
        try second.refresh(twin, mergeChanges: false)
        #expect(!second.hasChanges)
        twin.age = 12
        try second.save()
        #expect(twin.age == 12 && store.commitNumber == 3)
    }

    @Test(arguments: MergePolicy.allCases)
    func `a refresh keeps a local delete and a local edit of what the store deleted`(
        policy: MergePolicy
    ) throws {
        let bob = first.citizen("Bob")
        try first.save(shownTo: second)
        let other = try second.twin(of: bob)
        twin.age = 11
        second.delete(other)
        first.delete(alice)
        bob.age = 12
        try first.save(shownTo: second)
        #expect(!twin.isDeleted && twin.age == 11 && other.isDeleted)
        second.mergePolicy = policy
        if policy == .error {
            #expect(Set(second.conflicts().map(\.object)) == [alice.objectID, bob.objectID])
            return
        }
        try second.save()
        let isLocal = policy == .mergeByPropertyObjectTrump || policy == .overwrite
        #expect(twin.isDeleted != isLocal && other.isDeleted == isLocal)
        #expect(isLocal || other.age == 12)
        #expect(second.brokenInvariants == [])
    }
}
