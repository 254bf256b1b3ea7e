import PlacesKit
import PlacesKitTesting
import Testing

/// However often what others wrote is merged meanwhile, a save does the same in the end.
@Suite struct RepeatedMergeTests {
    let store: GraphStore
    let theirs: ManagedObjectContext
    let mine: ManagedObjectContext

    init() throws {
        store = try TownModel.store()
        theirs = ManagedObjectContext(store)
        mine = ManagedObjectContext(store)
    }

    /// An object of others, as both have it.
    private func both<Object: ManagedObject>(_ object: Object) throws -> (Object, Object) {
        try theirs.save(shownTo: mine)
        return (object, try mine.twin(of: object))
    }

    /// Saves what others did, and shows it here if wanted.
    private func saveTheirs(isShown: Bool) throws {
        try theirs.save()
        if isShown { mine.refreshAllObjects() }
    }

    @Test(arguments: [false, true])
    func `what both have deleted keeps no save back, merged before that or not`(isShown: Bool)
        throws
    {
        mine.isUndoEnabled = true
        let (ann, own) = try both(theirs.citizen("Ann"))
        mine.delete(own)
        mine.processPendingChanges()
        ann.age = 5
        try saveTheirs(isShown: isShown)
        theirs.delete(ann)
        try saveTheirs(isShown: true)
        try mine.save()
        #expect(own.isDeleted && !mine.hasChanges && mine.conflicts().isEmpty)
        try mine.checkIntegrity()
    }

    @Test func `who deletes what others have deleted and own changes had kept can save`() throws {
        mine.isUndoEnabled = true
        let (ann, own) = try both(theirs.citizen("Ann"))
        own.age = 7
        mine.processPendingChanges()
        theirs.delete(ann)
        try saveTheirs(isShown: true)
        #expect(!own.isDeleted && mine.conflicts().map(\.reason) == [.deleted])
        mine.delete(own)
        mine.processPendingChanges()
        // Others have saved something else since.
        _ = theirs.land("Mu")
        try saveTheirs(isShown: true)
        mine.undo()
        #expect(!own.isDeleted && mine.conflicts().map(\.reason) == [.deleted])
        mine.redo()
        try mine.save()
        #expect(own.isDeleted && !mine.hasChanges && mine.conflicts().isEmpty)
        try mine.checkIntegrity()
    }

    @Test(arguments: [MergePolicy.mergeByPropertyStoreTrump, .rollback], 0...2)
    func `a partner that gives way to what others deleted has the saved one, merged before or not`(
        policy: MergePolicy, merges: Int
    ) throws {
        let (ann, town) = (theirs.citizen("Ann"), Town(context: theirs))
        ann.governs = town
        let (other, own) = try both(Town(context: theirs))
        try mine.twin(of: ann).governs = own
        theirs.delete(other)
        try theirs.save(shownTo: mine, merges)
        mine.mergePolicy = policy
        try mine.save()
        #expect(try store.snapshot().context().twin(of: town).mayor?.name == "Ann")
        #expect(!mine.hasChanges)
        try mine.checkIntegrity()
    }

    @Test(arguments: [false, true], [false, true])
    func `what comes back brings along what was led to here alone, merged before or not`(
        isWritten: Bool, isShown: Bool
    ) throws {
        let (town, seat) = (Town(context: theirs), Town(context: theirs))
        let club = Club("Chess", in: theirs)
        let citizen = theirs.citizen("Ann")
        if !isWritten { citizen.home = town }
        citizen.governs = seat
        citizen.clubs.insert(club)
        let (ann, own) = try both(citizen)
        own.age = 7
        if isWritten { own.home = try mine.twin(of: town) }
        theirs.delete(ann)
        try saveTheirs(isShown: isShown)
        for object in [town, seat, club] { theirs.delete(object) }
        try saveTheirs(isShown: true)
        mine.mergePolicy = .mergeByPropertyObjectTrump
        try mine.save()
        let saved = store.snapshot().context()
        #expect(try saved.twin(of: own).age == 7 && saved.twin(of: own).clubs.isEmpty)
        #expect(try saved.twin(of: own).governs == nil && saved.count(Club.self) == 0)
        #expect(try saved.fetch(Town.self).map(\.objectID) == (isWritten ? [town.objectID] : []))
        #expect(try (saved.twin(of: own).home == nil) == !isWritten)
        try mine.checkIntegrity()
    }
}
