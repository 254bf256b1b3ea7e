import PlacesKit
import Testing

/// What follows from own changes on top of what others saved is dropped with them.
@Suite struct MergeSideEffectTests {
    let store: GraphStore
    let theirs: ManagedObjectContext
    let mine: ManagedObjectContext
    let land: Land

    init() throws {
        store = try TownModel.store()
        theirs = ManagedObjectContext(store)
        land = theirs.land("Mu")
        try theirs.save()
        mine = ManagedObjectContext(store)
    }

    /// Three towns of which I delete the first, and a citizen as others and as I have her.
    private func townsAndCitizen() throws -> (towns: [Town], ann: Citizen, own: Citizen) {
        let towns = (0..<3).map { _ in Town(context: theirs) }
        let ann = theirs.citizen("Ann")
        try theirs.save(shownTo: mine)
        mine.delete(try mine.twin(of: towns[0]))
        return (towns, ann, try mine.twin(of: ann))
    }

    @Test func `what I write as it had followed is my own once others wrote it since`() throws {
        let (towns, ann, own) = try townsAndCitizen()
        ann.home = towns[0]
        try theirs.save(shownTo: mine, 1)
        #expect(own.home == nil)
        own.home = try mine.twin(of: towns[1])
        mine.processPendingChanges()
        ann.home = towns[2]
        try theirs.save(shownTo: mine)
        own.home = nil
        mine.mergePolicy = .mergeByPropertyObjectTrump
        try mine.save()
        #expect(own.home == nil)
        theirs.refreshAllObjects()
        #expect(ann.home == nil)
    }

    private static let ways = [MergePolicy.mergeByPropertyStoreTrump, .rollback].flatMap { policy in
        (0...2).map { (policy, $0) }
    }

    @Test(arguments: ways)
    func `a delete that gives way takes nothing along, merged before the save or not`(
        policy: MergePolicy, merges: Int
    ) throws {
        let citizen = theirs.citizen("Ann")
        try theirs.save(shownTo: mine)
        mine.delete(try mine.twin(of: land))
        let town = Town(context: theirs)
        town.land = land
        town.residents.insert(citizen)
        try theirs.save(shownTo: mine, merges)
        mine.mergePolicy = policy
        try mine.save()
        let saved = try store.snapshot().context().fetch(Town.self)
        #expect(saved.map { $0.land?.name } == ["Mu"] && saved.first?.residents.count == 1)
        #expect(mine.brokenInvariants == [] && !mine.hasChanges)
    }

    @Test(arguments: ways)
    func `a partner of what stays deleted stays with another, merged before the save or not`(
        policy: MergePolicy, merges: Int
    ) throws {
        let (town, other) = (Town(context: theirs), Town(context: theirs))
        let ann = theirs.citizen("Ann")
        town.mayor = ann
        try theirs.save(shownTo: mine)
        try mine.twin(of: town).name = "Ys"
        other.mayor = ann
        theirs.delete(town)
        try theirs.save(shownTo: mine, merges)
        mine.mergePolicy = policy
        try mine.save()
        #expect(try store.snapshot().context().fetch(Town.self).map { $0.mayor?.name } == ["Ann"])
        #expect(mine.brokenInvariants == [] && !mine.hasChanges)
    }

    @Test(arguments: 0...2)
    func `what comes back takes its partner and members again, however often it is merged`(
        merges: Int
    ) throws {
        let (town, other) = (Town(context: theirs), Town(context: theirs))
        let ann = theirs.citizen("Ann")
        town.mayor = ann
        ann.home = town
        try theirs.save(shownTo: mine)
        let own = try mine.twin(of: town)
        own.name = "Ys"
        other.mayor = ann
        theirs.delete(town)
        try theirs.save(shownTo: mine, merges)
        mine.mergePolicy = .mergeByPropertyObjectTrump
        try mine.save()
        let saved = try store.snapshot().context().twin(of: own)
        #expect(saved.mayor?.name == "Ann" && saved.residents.count == 1)
        #expect(try mine.twin(of: other).mayor == nil)
        #expect(mine.brokenInvariants == [])
    }

    @Test(arguments: 0...2)
    func `what comes back has its members in their order, new ones behind those`(
        merges: Int
    ) throws {
        let town = Town(context: theirs)
        theirs.citizen("Ann").home = town
        try theirs.save(shownTo: mine)
        let own = try mine.twin(of: town)
        own.name = "Ys"
        mine.citizen("Ben").home = own
        theirs.delete(town)
        try theirs.save(shownTo: mine, merges)
        mine.mergePolicy = .mergeByPropertyObjectTrump
        try mine.save()
        #expect(own.residents.map(\.name) == ["Ann", "Ben"])
        #expect(mine.brokenInvariants == [])
    }

    @Test(arguments: [false, true])
    func `what I write over and take back follows again, merged meanwhile or not`(
        isMerged: Bool
    ) throws {
        mine.isUndoEnabled = true
        let (town, other) = (Town(context: theirs), Town(context: theirs))
        let ann = theirs.citizen("Ann")
        try theirs.save(shownTo: mine)
        mine.delete(try mine.twin(of: town))
        mine.processPendingChanges()
        ann.home = town
        try theirs.save(shownTo: mine, 1)
        let own = try mine.twin(of: ann)
        #expect(own.home == nil)
        own.home = try mine.twin(of: other)
        mine.processPendingChanges()
        // The others have saved something since.
        if isMerged { mine.refreshAllObjects() }
        mine.undo()
        #expect(own.home == nil)
        mine.redo()
        #expect(own.home?.objectID == other.objectID)
        mine.undo()
        mine.undo()
        #expect(own.home?.objectID == town.objectID && !mine.hasChanges)
        try mine.save()
        #expect(try store.snapshot().context().twin(of: ann).home?.objectID == town.objectID)
        #expect(mine.brokenInvariants == [])
    }

    @Test func `what only followed is in no conflict with what others write next`() throws {
        let (towns, ann, own) = try townsAndCitizen()
        for (town, shown) in [(towns[0], nil), (towns[1], towns[1]), (towns[2], towns[2])] {
            ann.home = town
            try theirs.save(shownTo: mine)
            #expect(own.home?.objectID == shown?.objectID)
        }
        #expect(mine.conflicts().map(\.reason) == [.deleted])
        mine.mergePolicy = .mergeByPropertyObjectTrump
        try mine.save()
        #expect(try store.snapshot().context().twin(of: ann).home?.objectID == own.home?.objectID)
        #expect(own.home != nil && mine.brokenInvariants == [])
    }

    /// A citizen whom others make the ward of one whom I delete, with what I write of the ward before or after, and in
    /// what commits I merge.
    private func bury(isWrittenFirst: Bool, _ merges: Int) throws -> Citizen {
        mine.isUndoEnabled = true
        let (guardian, ward) = (theirs.citizen("Ann"), theirs.citizen("Bob"))
        let (town, club) = (Town(context: theirs), Club("Chess", in: theirs))
        try theirs.save(shownTo: mine)
        let own = try mine.twin(of: ward)
        for isWrite in [isWrittenFirst, !isWrittenFirst] {
            if isWrite {
                own.age = 1
                own.home = try mine.twin(of: town)
                own.clubs.insert(try mine.twin(of: club))
            } else {
                mine.delete(try mine.twin(of: guardian))
            }
            mine.processPendingChanges()
        }
        ward.guardian = guardian
        try theirs.save(shownTo: mine, merges)
        #expect(own.isDeleted == (merges > 0))
        return own
    }

    @Test(arguments: 1...2)
    func `own edits of an object that went along come back with it`(merges: Int) throws {
        let own = try bury(isWrittenFirst: true, merges)
        mine.undo()
        #expect(!own.isDeleted && own.age == 1 && own.home != nil && own.clubs.count == 1)
        #expect(own.guardian?.name == "Ann")
        mine.undo()
        #expect(own.age == 30 && own.home == nil && own.clubs.isEmpty && own.guardian != nil)
        #expect(!mine.hasChanges && mine.brokenInvariants == [])
    }

    @Test func `own edits that are taken back while their object is gone stay so`() throws {
        let own = try bury(isWrittenFirst: false, 1)
        mine.undo()
        #expect(own.isDeleted)
        mine.undo()
        #expect(!own.isDeleted && own.age == 30 && own.home == nil && own.clubs.isEmpty)
        #expect(!mine.hasChanges && mine.conflicts() == [] && mine.brokenInvariants == [])
    }

    @Test(arguments: ways, [false, true])
    func `a delete that gives way leaves the own edits of what it took along`(
        way: (MergePolicy, Int), isWrittenFirst: Bool
    ) throws {
        let (policy, merges) = way
        let own = try bury(isWrittenFirst: isWrittenFirst, merges)
        mine.mergePolicy = policy
        try mine.save()
        let isRolledBack = policy == .rollback
        #expect(own.guardian?.name == "Ann" && own.clubs.count == 1)
        #expect(own.age == (isRolledBack ? 30 : 1) && (own.home == nil) == isRolledBack)
        #expect(mine.brokenInvariants == [] && !mine.hasChanges)
    }

    @Test func `what others write of an object that only went along is in no conflict`() throws {
        mine.isUndoEnabled = true
        let town = Town(context: theirs)
        try theirs.save(shownTo: mine)
        mine.delete(try mine.twin(of: land))
        mine.processPendingChanges()
        town.land = land
        try theirs.save(shownTo: mine, 1)
        town.name = "Ys"
        try theirs.save(shownTo: mine)
        #expect(mine.conflicts().map(\.object) == [land.objectID])
        mine.undo()
        #expect(try mine.twin(of: town).name == "Ys" && mine.twin(of: town).land?.name == "Mu")
        #expect(!mine.hasChanges && mine.conflicts() == [] && mine.brokenInvariants == [])
    }

    @Test func `what others write of an object that went along meets the own edit of it`() throws {
        let own = try bury(isWrittenFirst: true, 1)
        let ward = try theirs.twin(of: own)
        ward.age = 5
        try theirs.save(shownTo: mine)
        let conflict = try #require(mine.conflicts().first { $0.property == "age" })
        #expect(conflict.object == own.objectID && conflict.reason == .sameProperty)
        #expect(conflict.base == .integer(30) && conflict.saved == .integer(5))
        #expect(conflict.attempted == .integer(1))
        mine.undo()
        #expect(!own.isDeleted && own.age == 1 && own.home != nil)
        #expect(mine.conflicts().contains { $0.property == "age" })
        mine.undo()
        #expect(own.age == 5 && own.home == nil && own.guardian?.name == "Ann")
        #expect(!mine.hasChanges && mine.conflicts() == [] && mine.brokenInvariants == [])
    }

    @Test(arguments: MergePolicy.allCases.filter { $0 != .error }, [0, 1])
    func `a policy has its way with an own edit of what went along`(
        policy: MergePolicy, merges: Int
    ) throws {
        let own = try bury(isWrittenFirst: true, merges)
        try theirs.twin(of: own).age = 5
        try theirs.save()
        if merges > 0 { mine.refreshAllObjects() }
        mine.mergePolicy = policy
        try mine.save()
        // Whoever overwrites saves the object as it is here: without the guardian of whom nothing was shown yet.
        let isWhole = policy == .overwrite && merges == 0
        let isGone = policy == .mergeByPropertyObjectTrump || policy == .overwrite && !isWhole
        #expect(own.isDeleted == isGone)
        #expect(isGone || own.age == (isWhole ? 1 : 5))
        #expect(isGone || (own.home == nil) == (policy == .rollback))
        #expect(!isWhole || own.guardian == nil)
        #expect(mine.brokenInvariants == [] && !mine.hasChanges)
    }

    @Test func `what I do to an object that others' changes touched is my own`() throws {
        let (town, other) = (Town(context: theirs), Town(context: theirs))
        let (ann, bob) = (theirs.citizen("Ann"), theirs.citizen("Bob"))
        town.mayor = ann
        try theirs.save(shownTo: mine)
        try mine.twin(of: town).name = "Ys"
        other.mayor = ann
        theirs.delete(town)
        try theirs.save(shownTo: mine, 1)
        let twin = try mine.twin(of: other)
        #expect(twin.mayor == nil)
        twin.mayor = try mine.twin(of: bob)
        mine.refreshAllObjects()
        mine.mergePolicy = .rollback
        try mine.save()
        #expect(try twin.mayor?.name == "Bob" && mine.count(Town.self) == 1)
    }
}
