import PlacesKit
import Testing

/// Own links, and new objects, come back with what took them along when it was deleted with others.
@Suite struct BuriedWriteTests {
    let store: GraphStore
    let theirs: ManagedObjectContext
    let mine: ManagedObjectContext
    let land: Land
    /// Towns of no land; others are about to put the first one into the land that I delete.
    let towns: [Town]
    let ann: Citizen
    let own: Citizen

    init() throws {
        store = try TownModel.store()
        theirs = ManagedObjectContext(store)
        land = theirs.land("Mu")
        towns = (0..<3).map { [theirs] _ in Town(context: theirs) }
        ann = theirs.citizen("Ann")
        try theirs.save()
        mine = ManagedObjectContext(store)
        mine.isUndoEnabled = true
        own = try mine.twin(of: ann)
    }

    /// Lets a citizen live elsewhere than she is saved to, or nowhere, and deletes the land into which others put the
    /// first town.
    private func bury(saved: Int, own home: Int?) throws {
        ann.home = towns[saved]
        try theirs.save(shownTo: mine)
        own.home = try home.map { try mine.twin(of: towns[$0]) }
        mine.processPendingChanges()
        mine.delete(try mine.twin(of: land))
        mine.processPendingChanges()
        towns[0].land = land
    }

    private static let homes: [(saved: Int, own: Int?)] = [(0, nil), (1, 0)]

    @Test(arguments: homes, 1...3)
    func `an own link, also to nowhere, comes back with what it leads or led to`(
        homes: (saved: Int, own: Int?), merges: Int
    ) throws {
        try bury(saved: homes.saved, own: homes.own)
        try theirs.save(shownTo: mine, merges)
        #expect(own.home == nil)
        mine.undo()
        #expect(own.home?.objectID == homes.own.map { towns[$0].objectID } && mine.hasChanges)
        mine.undo()
        #expect(own.home?.objectID == towns[homes.saved].objectID && !mine.hasChanges)
        #expect(mine.conflicts() == [] && mine.brokenInvariants == [])
    }

    private static let ways = [MergePolicy.mergeByPropertyStoreTrump, .rollback].flatMap { policy in
        (0...2).map { (policy, $0) }
    }

    @Test(arguments: ways, homes)
    func `a delete that gives way leaves own links, merged before the save or not`(
        way: (policy: MergePolicy, merges: Int), homes: (saved: Int, own: Int?)
    ) throws {
        try bury(saved: homes.saved, own: homes.own)
        try theirs.save(shownTo: mine, way.merges)
        mine.mergePolicy = way.policy
        try mine.save()
        let home = homes.own.map { towns[$0].objectID }
        #expect(own.home?.objectID == home)
        #expect(try store.snapshot().context().twin(of: ann).home?.objectID == home)
        #expect(mine.brokenInvariants == [] && !mine.hasChanges)
    }

    @Test(arguments: homes)
    func `an own link that is taken back while it is not to be seen stays so`(
        homes: (saved: Int, own: Int?)
    ) throws {
        ann.home = towns[homes.saved]
        try theirs.save(shownTo: mine)
        mine.delete(try mine.twin(of: land))
        mine.processPendingChanges()
        own.home = try homes.own.map { try mine.twin(of: towns[$0]) }
        mine.processPendingChanges()
        towns[0].land = land
        try theirs.save(shownTo: mine, 1)
        mine.undo()
        #expect(own.home?.objectID == (homes.saved == 0 ? nil : towns[homes.saved].objectID))
        mine.undo()
        #expect(own.home?.objectID == towns[homes.saved].objectID && !mine.hasChanges)
        #expect(mine.conflicts() == [] && mine.brokenInvariants == [])
    }

    @Test(arguments: homes, [false, true])
    func `an own link is there again once what I wrote over it is taken back`(
        homes: (saved: Int, own: Int?), isMerged: Bool
    ) throws {
        try bury(saved: homes.saved, own: homes.own)
        try theirs.save(shownTo: mine, 1)
        own.home = try mine.twin(of: towns[2])
        mine.processPendingChanges()
        if isMerged { mine.refreshAllObjects() }
        #expect(own.home?.objectID == towns[2].objectID)
        mine.undo()
        #expect(own.home == nil)
        mine.undo()
        #expect(own.home?.objectID == homes.own.map { towns[$0].objectID })
        mine.undo()
        #expect(own.home?.objectID == towns[homes.saved].objectID && !mine.hasChanges)
        #expect(mine.conflicts() == [] && mine.brokenInvariants == [])
    }

    @Test(arguments: homes, 1...2)
    func `an own link that is not to be seen is in conflict with another that others saved`(
        homes: (saved: Int, own: Int?), merges: Int
    ) throws {
        try bury(saved: homes.saved, own: homes.own)
        ann.home = towns[2]
        try theirs.save(shownTo: mine, merges)
        #expect(own.home == nil && mine.conflicts().contains { $0.property == "home" })
        mine.undo()
        #expect(own.home?.objectID == homes.own.map { towns[$0].objectID })
        #expect(mine.conflicts().map(\.property) == ["home"])
        mine.undo()
        #expect(own.home?.objectID == towns[2].objectID && !mine.hasChanges)
        #expect(mine.conflicts() == [] && mine.brokenInvariants == [])
    }

    /// Makes a new ward of one whom others make the ward of one whom I delete.
    private func buryNew() throws -> (new: Citizen, guardian: Citizen) {
        let (guardian, ward) = (theirs.citizen("Eve"), theirs.citizen("Bob"))
        let club = Club("Chess", in: theirs)
        try theirs.save(shownTo: mine)
        let new = mine.citizen("New")
        new.guardian = try mine.twin(of: ward)
        new.home = try mine.twin(of: towns[1])
        new.clubs.insert(try mine.twin(of: club))
        mine.processPendingChanges()
        mine.delete(try mine.twin(of: guardian))
        mine.processPendingChanges()
        ward.guardian = guardian
        return (new, ward)
    }

    @Test(arguments: 1...3)
    func `a new object that went along comes back with what took it along`(merges: Int) throws {
        let (new, guardian) = try buryNew()
        let id = new.objectID
        try theirs.save(shownTo: mine, merges)
        #expect(try mine.fetch(Citizen.self).map(\.name) == ["Ann"])
        mine.undo()
        #expect(try mine.count(Citizen.self) == 4 && new.name == "New" && new.objectID == id)
        #expect(new.guardian?.objectID == guardian.objectID)
        #expect(new.home?.objectID == towns[1].objectID && new.clubs.count == 1)
        mine.undo()
        #expect(try mine.count(Citizen.self) == 3 && !mine.hasChanges && mine.conflicts() == [])
        mine.redo()
        #expect(try mine.count(Citizen.self) == 4 && new.clubs.count == 1 && new.guardian != nil)
        #expect(mine.brokenInvariants == [])
    }

    @Test(arguments: ways)
    func `a delete that gives way leaves new objects, merged before the save or not`(
        policy: MergePolicy, merges: Int
    ) throws {
        let (new, guardian) = try buryNew()
        try theirs.save(shownTo: mine, merges)
        mine.mergePolicy = policy
        try mine.save()
        let saved = try store.snapshot().context().twin(of: new)
        #expect(saved.name == "New" && saved.guardian?.objectID == guardian.objectID)
        #expect(saved.home?.objectID == towns[1].objectID && saved.clubs.count == 1)
        #expect(mine.brokenInvariants == [] && !mine.hasChanges)
    }

    @Test func `a new object that went along is not there again once its insert is taken back`()
        throws
    {
        let (guardian, ward) = (theirs.citizen("Eve"), theirs.citizen("Bob"))
        try theirs.save(shownTo: mine)
        mine.delete(try mine.twin(of: guardian))
        mine.processPendingChanges()
        mine.citizen("New").guardian = try mine.twin(of: ward)
        mine.processPendingChanges()
        ward.guardian = guardian
        try theirs.save(shownTo: mine, 1)
        #expect(try mine.count(Citizen.self) == 1)
        mine.undo()
        #expect(try mine.count(Citizen.self) == 1)
        mine.undo()
        #expect(try mine.count(Citizen.self) == 3 && !mine.hasChanges && mine.conflicts() == [])
        #expect(mine.brokenInvariants == [])
    }

    @Test(arguments: 0...2, [false, true])
    func `an undo of one of two edits of an object that is gone leaves the other`(
        undos: Int, isMerged: Bool
    ) throws {
        let guardian = theirs.citizen("Eve")
        try theirs.save(shownTo: mine)
        mine.delete(try mine.twin(of: guardian))
        mine.processPendingChanges()
        for age in [2, 3] {
            own.age = age
            mine.processPendingChanges()
        }
        ann.guardian = guardian
        try theirs.save(shownTo: mine, 1)
        for _ in 0..<undos { mine.undo() }
        #expect(own.isDeleted)
        if isMerged { mine.refreshAllObjects() }
        mine.mergePolicy = .mergeByPropertyStoreTrump
        try mine.save()
        #expect(own.age == [3, 2, 30][undos] && own.guardian?.objectID == guardian.objectID)
        #expect(mine.brokenInvariants == [] && !mine.hasChanges)
    }

    @Test func `an undo of one of two links that are not to be seen shows the other`() throws {
        mine.delete(try mine.twin(of: land))
        mine.processPendingChanges()
        for town in [towns[2], towns[0]] {
            own.home = try mine.twin(of: town)
            mine.processPendingChanges()
        }
        towns[0].land = land
        try theirs.save(shownTo: mine, 1)
        #expect(own.home == nil)
        mine.undo()
        #expect(own.home?.objectID == towns[2].objectID)
        mine.refreshAllObjects()
        #expect(own.home?.objectID == towns[2].objectID)
        mine.undo()
        mine.undo()
        #expect(own.home == nil && !mine.hasChanges && mine.conflicts() == [])
        #expect(mine.brokenInvariants == [])
    }
}
