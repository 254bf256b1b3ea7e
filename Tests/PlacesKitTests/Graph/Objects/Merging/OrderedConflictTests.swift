import PlacesKit
import Testing

/// Members of ordered relationships that two contexts added or moved before either knew of it stand where the merge
/// policy has them.
@Suite struct OrderedConflictTests {
    typealias Album = OrderedModel.Album

    let theirs: ManagedObjectContext
    let mine: ManagedObjectContext
    let album: Album
    let own: Album

    init() throws {
        album = try OrderedModel.album(of: 5)
        theirs = try #require(album.context)
        mine = ManagedObjectContext(theirs.store)
        own = try mine.twin(of: album)
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
    func `a member that both added is where the one added it whose link is kept`(
        policy: MergePolicy, isShown: Bool
    ) throws {
        let (short, photo) = (Album(context: theirs), OrderedModel.Photo(context: theirs))
        short.photos.append(OrderedModel.Photo(context: theirs))
        photo.number = 9
        try theirs.save(shownTo: mine)
        let copy = try mine.twin(of: short)
        copy.photos.insert(try mine.twin(of: photo), at: 0)
        short.photos.append(photo)
        try save(showing: isShown)
        #expect(copy.photos.map(\.number) == [9, 0])
        mine.mergePolicy = policy
        if policy == .error {
            #expect(mine.conflicts().map(\.reason) == [.sameProperty])
            return
        }
        try mine.save()
        #expect(copy.photos.map(\.number) == (Self.isOwn(policy) ? [9, 0] : [0, 9]))
        #expect(!mine.hasChanges)
        theirs.refreshAllObjects()
        #expect(short.photos.map(\.number) == copy.photos.map(\.number))
        #expect(mine.brokenInvariants == [])
    }

    @Test(arguments: ways)
    func `what others do next with a member that both moved meets the move, merged before or not`(
        policy: MergePolicy, isShown: Bool
    ) throws {
        let members = [album.photos[2].objectID, album.guides[2].objectID]
        own.move(from: 2, to: 4)
        album.move(from: 2, to: 4)
        try save(showing: isShown)
        album.move(from: 4, to: 0)
        try save(showing: isShown)
        #expect(own.photos.map(\.number) == [0, 1, 3, 4, 2] && mine.hasChanges)
        #expect(own.guides.map(\.number) == [0, 1, 3, 4, 2])
        mine.mergePolicy = policy
        if policy == .error {
            #expect(Set(mine.conflicts().map(\.reason)) == Set(members.map { .moved($0) }))
            return
        }
        try mine.save()
        let expected = Self.isOwn(policy) ? [0, 1, 3, 4, 2] : [2, 0, 1, 3, 4]
        #expect(own.photos.map(\.number) == expected && own.guides.map(\.number) == expected)
        #expect(!mine.hasChanges && mine.brokenInvariants == [])
    }
}
