import PlacesKit
import PlacesKitTesting
import Testing

/// Links that are cut before the delete of the object that has them: the delete takes nothing along, and nothing forbids
/// it, however often it is made again.
@Suite struct CutLinkTests {
    final class Note: ManagedObject {
        @Attribute var text = ""
        @Attribute(.transient) var letsGo = false
        @Relationship(deleteRule: .cascade) var picture: Picture?
        @Relationship(deleteRule: .deny) var author: Author?
        @Relationship(deleteRule: .deny, inverse: \Folder.notes) var folder: Folder?
        @Relationship(deleteRule: .cascade, inverse: \Note.answers) var question: Note?
        @Relationship var answers: OrderedObjectSet<Note>
        @Relationship(deleteRule: .cascade, inverse: \Seal.note) var seal: Seal?
        @Relationship(deleteRule: .cascade, inverse: \Page.note) var pages: OrderedObjectSet<Page>
        @Relationship(deleteRule: .cascade, inverse: \Tag.notes) var tags: OrderedObjectSet<Tag>

        func letGo() {
            (picture, author, folder, question, seal) = (nil, nil, nil, nil, nil)
            pages.removeAll()
            tags.removeAll()
        }

        override func prepareForDeletion() { if letsGo { letGo() } }
    }

    final class Picture: ManagedObject { @Attribute var name = "" }
    final class Author: ManagedObject { @Attribute var name = "" }
    final class Folder: ManagedObject {
        @Attribute var name = ""
        @Relationship var notes: OrderedObjectSet<Note>
    }
    final class Seal: ManagedObject { @Relationship var note: Note? }
    final class Page: ManagedObject { @Relationship var note: Note? }
    final class Tag: ManagedObject { @Relationship var notes: ObjectSet<Note> }

    let store: GraphStore
    let context: ManagedObjectContext
    let note: Note
    /// What the note leads to.
    let others: [ManagedObject]

    init() throws {
        store = try GraphStore(
            model: [
                Note.self, Picture.self, Author.self, Folder.self, Seal.self, Page.self, Tag.self,
            ])
        context = ManagedObjectContext(store)
        note = Note(context: context)
        others = [
            Picture(context: context), Author(context: context), Folder(context: context),
            Note(context: context), Seal(context: context), Page(context: context),
            Tag(context: context),
        ]
        Self.link(note, to: others)
        try context.save()
        context.isUndoEnabled = true
    }

    private static func link(_ note: Note, to others: [ManagedObject]) {
        note.picture = others[0] as? Picture
        note.author = others[1] as? Author
        note.folder = others[2] as? Folder
        note.question = others[3] as? Note
        note.seal = others[4] as? Seal
        for case let page as Page in others { note.pages.append(page) }
        for case let tag as Tag in others { note.tags.append(tag) }
    }

    private static func targets(of note: Note) -> [ManagedObject?] {
        [note.picture, note.author, note.folder, note.question, note.seal, note.pages.first]
            + [note.tags.first]
    }

    private func isLinked(_ note: Note) -> Bool { Self.targets(of: note) == others }

    private func saveElsewhere() throws {
        let other = ManagedObjectContext(store)
        Picture(context: other).name = "new"
        try other.save()
    }

    /// Cuts the links of the note and deletes it in one group, by a hook or before.
    private func cutAndDelete(byHook isHook: Bool) {
        context.undoGroup {
            if isHook { note.letsGo = true } else { note.letGo() }
            context.delete(note)
        }
    }

    // MARK: - Undo

    @Test(arguments: [false, true])
    func `the undo of an insert leaves what the object was led to in its group`(
        isSaved: Bool
    ) throws {
        context.undoGroup { note.letGo() }
        try context.save()
        var new: Note?
        context.undoGroup {
            let note = Note(context: context)
            Self.link(note, to: others)
            new = note
        }
        if isSaved { try context.save() }
        for _ in 0..<2 {
            context.undo()
            #expect(new?.isDeleted == true && others.allSatisfy { !$0.isDeleted })
            #expect((others[2] as? Folder)?.notes.isEmpty == true)
            #expect(context.hasChanges == isSaved)
            context.redo()
            #expect(new.map(isLinked) == true)
        }
        context.undo()
        try context.save()
        #expect(others.allSatisfy { !$0.isDeleted })
        try context.checkIntegrity()
    }

    @Test func `the undo of an insert gives back what the object was given from another`() throws {
        var new: Note?
        context.undoGroup {
            let note = Note(context: context)
            (note.picture, self.note.picture) = (self.note.picture, nil)
            new = note
        }
        context.undo()
        #expect(new?.isDeleted == true && isLinked(note) && !context.hasChanges)
    }

    @Test func `the undo of an insert takes along what others led the object to since`() throws {
        var new: Note?
        context.undoGroup { new = Note(context: context) }
        try context.save()
        let other = ManagedObjectContext(store)
        let picture = Picture(context: other)
        try other.existingObject(Note.self, with: #require(new).objectID).picture = picture
        try other.save(shownTo: context)
        context.undo()
        try context.save()
        #expect(try context.count(FetchRequest<Picture>()) == 1)
    }

    @Test(arguments: [false, true])
    func `the redo of a delete leaves what was cut before it`(isHook: Bool) throws {
        cutAndDelete(byHook: isHook)
        for _ in 0..<2 {
            #expect(note.isDeleted && others.allSatisfy { !$0.isDeleted })
            context.undo()
            #expect(isLinked(note) && !context.hasChanges)
            context.redo()
        }
        try context.save()
        #expect(others.allSatisfy { !$0.isDeleted })
        try context.checkIntegrity()
    }

    @Test func `the redo of a delete is forbidden by the link that was made before it`() throws {
        let folder = Folder(context: context)
        try context.save()
        context.undoGroup {
            note.author = nil
            note.folder = folder
            context.delete(note)
        }
        context.undo()
        context.redo()
        #expect(note.folder === folder && Array(folder.notes) == [note])
        #expect(context.failures().map(\.property) == ["folder"])
        folder.notes.removeAll()
        try context.save()
        try context.checkIntegrity()
    }

    // MARK: - Merges

    private static let ways = [0, 1, 2].flatMap { merges in
        [false, true].map { (merges, $0) }
    }

    @Test(arguments: ways)
    func `a delete that is made again on what others saved leaves what was cut before it`(
        merges: Int, isHook: Bool
    ) throws {
        cutAndDelete(byHook: isHook)
        for _ in 0..<merges {
            try saveElsewhere()
            context.refreshAllObjects()
            #expect(note.isDeleted && others.allSatisfy { !$0.isDeleted })
        }
        try saveElsewhere()
        try context.save()
        #expect(note.isDeleted && others.allSatisfy { !$0.isDeleted })
        context.undo()
        #expect(isLinked(note))
        try context.checkIntegrity()
    }

    @Test func `what was moved to another object before a delete stays there`() throws {
        let heir = Note(context: context)
        try context.save()
        (heir.picture, note.picture) = (note.picture, nil)
        (note.author, note.folder) = (nil, nil)
        context.delete(note)
        try saveElsewhere()
        try context.save()
        #expect(heir.picture === others[0] && !others[0].isDeleted && others[3].isDeleted)
    }

    @Test(arguments: [false, true])
    func `a child's delete leaves what was cut before it`(isHook: Bool) throws {
        let child = ManagedObjectContext(parent: context)
        let twin = try child.existingObject(Note.self, with: note.objectID)
        if isHook { twin.letsGo = true } else { twin.letGo() }
        child.delete(twin)
        (others[0] as? Picture)?.name = "new"
        try child.save()
        #expect(note.isDeleted && others.allSatisfy { !$0.isDeleted })
        try context.save()
        try context.checkIntegrity()
        try child.checkIntegrity()
    }

    @Test func `a link that was made before a delete forbids it, whoever saves meanwhile`() throws {
        note.letGo()
        try context.save()
        let folder = try #require(others[2] as? Folder)
        note.folder = folder
        context.delete(note)
        #expect(context.failures().map(\.property) == ["folder"])
        try saveElsewhere()
        #expect(throws: ContextError.self) { try context.save() }
        #expect(note.isDeleted && Array(folder.notes) == [note])
        folder.notes.removeAll()
        try saveElsewhere()
        try context.save()
        #expect(note.isDeleted && folder.notes.isEmpty)
        try context.checkIntegrity()
    }

    // MARK: - Objects that are gone already

    private func folderOfThree() throws -> (folder: Folder, notes: [Note]) {
        let folder = Folder(context: context)
        let notes = (0..<3).map { _ in Note(context: context) }
        for note in notes { folder.notes.append(note) }
        try context.save()
        return (folder, notes)
    }

    @Test func `taking a deleted member out can be undone and redone`() throws {
        let (folder, notes) = try folderOfThree()
        context.undoGroup { context.delete(notes[1]) }
        context.undoGroup { _ = folder.notes.remove(notes[1]) }
        for _ in 0..<2 {
            #expect(Array(folder.notes) == [notes[0], notes[2]])
            context.undo()
            #expect(Array(folder.notes) == notes && notes[1].isDeleted)
            #expect(context.failures().map(\.property) == ["folder"])
            context.redo()
        }
        context.undo()
        context.undo()
        #expect(Array(folder.notes) == notes && !notes[1].isDeleted && !context.hasChanges)
        context.redo()
        context.redo()
        try context.save()
        context.undo()
        context.undo()
        #expect(Array(folder.notes) == notes && !notes[1].isDeleted)
        try context.checkIntegrity()
    }

    @Test func `a deleted member comes back to its place when the delete of its folder is undone`()
        throws
    {
        let (folder, notes) = try folderOfThree()
        context.undoGroup { context.delete(notes[1]) }
        context.undoGroup { context.delete(folder) }
        #expect(notes[1].folder == nil)
        context.undo()
        #expect(Array(folder.notes) == notes && notes[1].isDeleted)
        #expect(context.failures().map(\.property) == ["folder"])
        context.undo()
        #expect(Array(folder.notes) == notes && !context.hasChanges)
        try context.checkIntegrity()
    }

    @Test func `the undo of an insert takes the object out, though it could not be deleted`() throws
    {
        let (folder, notes) = try folderOfThree()
        context.undoGroup {
            let note = Note(context: context)
            note.folder = folder
            context.delete(note)
        }
        for _ in 0..<2 {
            #expect(folder.notes.count == 4 && context.failures().count == 1)
            context.undo()
            #expect(Array(folder.notes) == notes && !context.hasChanges)
            context.redo()
        }
        context.undo()
        try context.save()
        try context.checkIntegrity()
    }

    @Test(arguments: 0...2)
    func `a deleted member that was taken out stays out, whoever saves meanwhile`(
        merges: Int
    ) throws {
        let (folder, notes) = try folderOfThree()
        context.delete(notes[1])
        context.processPendingChanges()
        folder.notes.remove(notes[1])
        for _ in 0..<merges {
            try saveElsewhere()
            context.refreshAllObjects()
            #expect(Array(folder.notes) == [notes[0], notes[2]])
        }
        try saveElsewhere()
        try context.save()
        #expect(notes[1].isDeleted && Array(folder.notes) == [notes[0], notes[2]])
        try context.checkIntegrity()
    }

    @Test func `a child's save takes a deleted member out of the parent's folder`() throws {
        let (folder, notes) = try folderOfThree()
        context.delete(notes[1])
        context.processPendingChanges()
        let child = ManagedObjectContext(parent: context)
        child.isUndoEnabled = true
        let twin = try child.existingObject(Folder.self, with: folder.objectID)
        twin.notes.remove(try #require(twin.notes.first { $0.isDeleted }))
        try child.save()
        #expect(Array(folder.notes) == [notes[0], notes[2]])
        child.undo()
        #expect(twin.notes.count == 3)
        try child.save()
        #expect(folder.notes.count == 3 && context.failures().map(\.property) == ["folder"])
        child.redo()
        try child.save()
        try context.save()
        #expect(Array(folder.notes) == [notes[0], notes[2]])
        try context.checkIntegrity()
        try child.checkIntegrity()
    }

    @Test func `a deleted member of a folder is no link with which the folder's delete conflicts`()
        throws
    {
        let (folder, notes) = try folderOfThree()
        context.delete(notes[1])
        context.processPendingChanges()
        let child = ManagedObjectContext(parent: context)
        child.mergePolicy = .error
        child.delete(try child.existingObject(Folder.self, with: folder.objectID))
        (others[0] as? Picture)?.name = "new"
        try child.save()
        #expect(folder.isDeleted && notes[1].folder == nil && notes[0].folder == nil)
        try context.save()
        try context.checkIntegrity()
    }
}
