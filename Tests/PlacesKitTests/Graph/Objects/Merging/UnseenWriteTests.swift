import PlacesKit
import Testing

/// A write stays an own one where others saved the same value first.
@Suite struct UnseenWriteTests {
    let store: GraphStore
    let theirs: ManagedObjectContext
    let mine: ManagedObjectContext
    let alice: Citizen
    /// The same object in my context.
    let own: Citizen

    init() throws {
        store = try TownModel.store()
        theirs = ManagedObjectContext(store)
        alice = theirs.citizen("Alice")
        try theirs.save()
        mine = ManagedObjectContext(store)
        mine.isUndoEnabled = true
        own = try mine.twin(of: alice)
    }

    /// Saves what the others changed, and shows it to me or not.
    private func save(showing isShown: Bool) throws {
        mine.processPendingChanges()
        try theirs.save()
        if isShown { mine.refreshAllObjects() }
    }

    private static let ways = MergePolicy.allCases.flatMap { policy in
        [false, true].map { (policy, $0) }
    }

    private static func isOwn(_ policy: MergePolicy) -> Bool {
        policy == .mergeByPropertyObjectTrump || policy == .overwrite
    }

    @Test(arguments: ways)
    func `what others write next meets it, merged before or not`(
        policy: MergePolicy, isShown: Bool
    ) throws {
        own.age = 1
        alice.age = 1
        try save(showing: isShown)
        alice.age = 2
        try save(showing: isShown)
        #expect(own.age == 1 && mine.hasChanges)
        mine.mergePolicy = policy
        if policy == .error {
            let conflict = try #require(mine.conflicts().first)
            #expect(conflict.base == .integer(30) && conflict.saved == .integer(2))
            #expect(conflict.attempted == .integer(1))
            mine.undo()
            #expect(own.age == (isShown ? 2 : 30) && !mine.hasChanges)
            return
        }
        try mine.save()
        #expect(own.age == (Self.isOwn(policy) ? 1 : 2) && !mine.hasChanges)
        #expect(try store.snapshot().context().twin(of: alice).age == own.age)
        #expect(mine.brokenInvariants == [])
    }

    @Test(arguments: ways)
    func `the object comes back after others' delete, merged before or not`(
        policy: MergePolicy, isShown: Bool
    ) throws {
        own.age = 1
        alice.age = 1
        try save(showing: isShown)
        theirs.delete(alice)
        try save(showing: isShown)
        #expect(!own.isDeleted && own.age == 1)
        mine.mergePolicy = policy
        if policy == .error {
            #expect(mine.conflicts().contains { $0.reason == .deleted })
            mine.refreshAllObjects()
            mine.undo()
            #expect(own.isDeleted && !mine.hasChanges && mine.conflicts() == [])
            return
        }
        try mine.save()
        #expect(own.isDeleted != Self.isOwn(policy) && !mine.hasChanges)
        #expect(try mine.fetch(Citizen.self).map(\.age) == (Self.isOwn(policy) ? [1] : []))
        #expect(mine.brokenInvariants == [])
    }

    @Test(arguments: ways)
    func `a link stays where both led it`(policy: MergePolicy, isShown: Bool) throws {
        let (both, other) = (Town(context: theirs), Town(context: theirs))
        try theirs.save(shownTo: mine)
        own.home = try mine.twin(of: both)
        alice.home = both
        try save(showing: isShown)
        alice.home = other
        theirs.delete(both)
        try save(showing: isShown)
        #expect(own.home?.objectID == both.objectID)
        mine.mergePolicy = policy
        if policy == .error {
            #expect(Set(mine.conflicts().map(\.reason)) == [.sameProperty, .deleted])
            return
        }
        try mine.save()
        #expect(own.home?.objectID == (Self.isOwn(policy) ? both : other).objectID)
        #expect(mine.brokenInvariants == [])
    }

    @Test func `a policy that takes the saved value takes it of a partner, too`() throws {
        let (town, other) = (Town(context: theirs), Town(context: theirs))
        try theirs.save(shownTo: mine)
        own.governs = try mine.twin(of: town)
        alice.governs = town
        try save(showing: true)
        alice.governs = other
        try save(showing: true)
        #expect(own.governs?.objectID == town.objectID)
        mine.mergePolicy = .mergeByPropertyStoreTrump
        try mine.save()
        #expect(try own.governs?.objectID == other.objectID && mine.twin(of: town).mayor == nil)
        #expect(mine.brokenInvariants == [])
    }
}
