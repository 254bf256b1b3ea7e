import PlacesKit
import Testing

/// A member of ordered relationships that comes back in a merge stands where it stood.
@Suite struct OrderedReturnTests {
    typealias Album = OrderedModel.Album

    let theirs: ManagedObjectContext
    let mine: ManagedObjectContext
    let album: Album
    let own: Album

    init() throws {
        album = try OrderedModel.album(of: 4)
        theirs = try #require(album.context)
        mine = ManagedObjectContext(theirs.store)
        own = try mine.twin(of: album)
    }

    /// Lets the others delete the second members, and saves what I changed of them.
    private func merge(_ times: Int, _ policy: MergePolicy) throws {
        theirs.delete(album.photos[1])
        theirs.delete(album.guides[1])
        try theirs.save()
        for _ in 0..<times {
            mine.refreshAllObjects()
            album.title += "!"
            try theirs.save()
        }
        mine.mergePolicy = policy
        try mine.save()
        #expect(mine.brokenInvariants == [])
    }

    private func changeSecondMembers() {
        own.photos[1].number = 9
        own.guides[1].number = 9
    }

    /// Moves the first members behind the second ones.
    private func moveFirstMembers() {
        own.photos.move(from: 0, to: 1)
        own.guides.move(from: 0, to: 1)
    }

    private var orders: [[Int]] { [own.photos.map(\.number), own.guides.map(\.number)] }

    @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite], 0...2)
    func `nobody moved a member, and it comes back in its place`(
        policy: MergePolicy, merges: Int
    ) throws {
        changeSecondMembers()
        try merge(merges, policy)
        #expect(orders == [[0, 9, 2, 3], [0, 9, 2, 3]])
    }

    @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite], 0...2)
    func `a member that was moved behind one that comes back stands there`(
        policy: MergePolicy, merges: Int
    ) throws {
        changeSecondMembers()
        moveFirstMembers()
        try merge(merges, policy)
        #expect(orders == [[9, 0, 2, 3], [9, 0, 2, 3]])
    }

    @Test(arguments: [MergePolicy.mergeByPropertyStoreTrump, .rollback], 0...2)
    func `a move behind a member that stays deleted leaves the others in order`(
        policy: MergePolicy, merges: Int
    ) throws {
        changeSecondMembers()
        moveFirstMembers()
        try merge(merges, policy)
        #expect(orders == [[0, 2, 3], [0, 2, 3]])
    }
}
