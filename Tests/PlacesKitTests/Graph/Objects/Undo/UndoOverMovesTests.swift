import PlacesKit
import Testing

/// An undo leaves members of ordered relationships where others have moved them.
@Suite struct UndoOverMovesTests {
    typealias Album = OrderedModel.Album

    let theirs: ManagedObjectContext
    let mine: ManagedObjectContext
    let album: Album
    let own: Album

    init() throws {
        album = try OrderedModel.album(of: 5)
        theirs = try #require(album.context)
        mine = ManagedObjectContext(theirs.store)
        mine.isUndoEnabled = true
        own = try mine.twin(of: album)
    }

    /// Lets the others move the third members to the end, before those that they added, and takes all back that I did.
    private func undoOverMoves(adding new: [Int] = []) throws {
        mine.processPendingChanges()
        album.move(from: 2, to: 4)
        try theirs.save(shownTo: mine)
        while mine.canUndo { mine.undo() }
        #expect(own.photos.map(\.number) == [0, 1, 3, 4, 2] + new)
        #expect(own.guides.map(\.number) == [0, 1, 3, 4, 2] + new)
        #expect(!mine.hasChanges && mine.conflicts() == [])
        #expect(mine.brokenInvariants == [])
    }

    @Test func `a member that both moved is where the others saved it, without a conflict`() throws
    {
        own.move(from: 2, to: 0)
        try undoOverMoves()
    }

    @Test func `a member that I moved stays among those that others moved`() throws {
        own.move(from: 1, to: 4)
        try undoOverMoves()
    }

    @Test func `a member that I moved and moved back is where the others saved it`() throws {
        own.move(from: 2, to: 0)
        mine.processPendingChanges()
        own.move(from: 0, to: 2)
        try undoOverMoves()
    }

    @Test func `members that I deleted come back where the others saved them`() throws {
        mine.delete(own.photos[2])
        mine.delete(own.guides[2])
        mine.processPendingChanges()
        mine.delete(own.photos[2])
        mine.delete(own.guides[2])
        try undoOverMoves()
    }

    @Test func `members that I removed come back where the others saved them`() throws {
        own.photos.remove(own.photos[2])
        own.guides.remove(own.guides[2])
        try undoOverMoves()
    }

    @Test(arguments: [true, false])
    func `a member beside a new one of mine comes back beside it`(isMoved: Bool) throws {
        let new = OrderedModel.Photo(context: mine)
        new.number = 9
        own.photos.insert(new, at: 4)
        mine.processPendingChanges()
        if isMoved { own.photos.move(from: 5, to: 0) } else { own.photos.remove(own.photos[5]) }
        mine.processPendingChanges()
        album.title = "theirs"
        try theirs.save(shownTo: mine)
        mine.undo()
        #expect(own.photos.map(\.number) == [0, 1, 2, 3, 9, 4])
    }

    @Test func `a member that both added is where the others saved it`() throws {
        let photo = OrderedModel.Photo(context: theirs)
        let guide = OrderedModel.Guide(context: theirs)
        (photo.number, guide.number) = (9, 9)
        try theirs.save(shownTo: mine)
        own.photos.insert(try mine.twin(of: photo), at: 0)
        own.guides.insert(try mine.twin(of: guide), at: 0)
        mine.processPendingChanges()
        own.guides.move(from: 0, to: 2)
        album.photos.append(photo)
        album.guides.append(guide)
        try undoOverMoves(adding: [9])
        mine.redo()
        #expect(own.guides.map(\.number) == [9, 0, 1, 3, 4, 2])
        #expect(mine.brokenInvariants == [])
    }

    @Test func `the list of an object that I deleted comes back as the others saved it`() throws {
        mine.delete(own)
        try undoOverMoves()
    }

    /// Lets the others move the third members to the end, saves over that, and takes all back that I did.
    private func undoOverSavedMoves() throws {
        mine.processPendingChanges()
        album.move(from: 2, to: 4)
        try theirs.save()
        mine.mergePolicy = .mergeByPropertyObjectTrump
        try mine.save()
        while mine.canUndo { mine.undo() }
        #expect(mine.brokenInvariants == [])
    }

    @Test func `a member that both moved is where the others saved it, also when I saved since`()
        throws
    {
        own.move(from: 2, to: 0)
        try undoOverSavedMoves()
        #expect(own.photos.map(\.number) == [0, 1, 3, 4, 2])
        #expect(own.guides.map(\.number) == [0, 1, 3, 4, 2])
        mine.redo()
        #expect(own.photos.map(\.number) == [2, 0, 1, 3, 4])
        #expect(own.guides.map(\.number) == [2, 0, 1, 3, 4])
    }

    @Test func `members that both moved come in the order in which the others saved them`() throws {
        own.move(from: 3, to: 0)
        own.move(from: 4, to: 1)
        #expect(own.guides.map(\.number) == [3, 4, 0, 1, 2])
        mine.processPendingChanges()
        album.move(from: 4, to: 1)
        album.move(from: 4, to: 2)
        #expect(album.guides.map(\.number) == [0, 4, 3, 1, 2])
        try theirs.save()
        mine.mergePolicy = .mergeByPropertyObjectTrump
        try mine.save()
        #expect(own.guides.map(\.number) == [3, 4, 0, 1, 2])
        mine.undo()
        #expect(own.photos.map(\.number) == [0, 4, 3, 1, 2])
        #expect(own.guides.map(\.number) == [0, 4, 3, 1, 2])
    }

    @Test func `a member that both added is where the others saved it, also when I saved since`()
        throws
    {
        let guide = OrderedModel.Guide(context: theirs)
        guide.number = 9
        try theirs.save(shownTo: mine)
        own.guides.insert(try mine.twin(of: guide), at: 0)
        mine.processPendingChanges()
        own.guides.move(from: 0, to: 2)
        album.guides.append(guide)
        try undoOverSavedMoves()
        #expect(own.guides.map(\.number) == [0, 1, 3, 4, 2, 9])
    }
}
