import PlacesKit
import PlacesKitTesting
import Testing

/// The links that a delete leaves which a rule forbids, and how an undo brings them back that went later.
@Suite struct DeniedDeleteTests {
    final class Note: ManagedObject {
        @Attribute var text = ""
        @Relationship(inverse: \Folder.notes) var folder: Folder?
        @Relationship(inverse: \Shelf.notes) var shelf: Shelf?
        @Relationship(inverse: \Label.notes) var labels: OrderedObjectSet<Label>
        @Relationship(inverse: \Seal.note) var seal: Seal?
    }

    final class Folder: ManagedObject {
        @Relationship(deleteRule: .deny) var notes: ObjectSet<Note>
    }

    final class Shelf: ManagedObject {
        @Relationship(deleteRule: .deny) var notes: OrderedObjectSet<Note>
    }

    final class Label: ManagedObject {
        @Relationship(deleteRule: .deny) var notes: ObjectSet<Note>
    }

    final class Seal: ManagedObject {
        @Relationship(deleteRule: .deny) var note: Note?
    }

    final class Book: ManagedObject {
        @Relationship var chapters: OrderedObjectSet<Chapter>
    }

    final class Chapter: ManagedObject {
        @Relationship(deleteRule: .deny, inverse: \Book.chapters) var book: Book?
    }

    let context: ManagedObjectContext
    let folder: Folder
    let shelf: Shelf
    let labels: [Label]
    let seal: Seal
    let notes: [Note]

    init() throws {
        let context = ManagedObjectContext(
            try GraphStore(
                model: [
                    Note.self, Folder.self, Shelf.self, Label.self, Seal.self, Book.self,
                    Chapter.self,
                ]))
        self.context = context
        folder = Folder(context: context)
        shelf = Shelf(context: context)
        labels = (0..<3).map { _ in Label(context: context) }
        seal = Seal(context: context)
        notes = (0..<3).map { _ in Note(context: context) }
        for note in notes {
            note.folder = folder
            note.shelf = shelf
            for label in labels { note.labels.append(label) }
        }
        notes[0].seal = seal
        try context.save()
        context.isUndoEnabled = true
    }

    /// Deletes objects in a group of their own.
    private func delete(_ objects: [ManagedObject]) {
        context.undoGroup { for object in objects { context.delete(object) } }
    }

    @Test func `links that forbid a delete are read, and setting them again changes nothing`()
        throws
    {
        delete([folder, shelf, seal, labels[0]])
        #expect(folder.isDeleted && Array(folder.notes) == notes && notes[0].folder === folder)
        #expect(try context.count(FetchRequest<Note>(where: "folder == nil")) == 0)
        notes[0].folder = notes[0].folder
        notes[0].seal = notes[0].seal
        #expect(!notes[0].labels.append(labels[0]) && Array(notes[0].labels) == labels)
        let failures = context.failures()
        #expect(failures.count == 4 && failures.allSatisfy { $0.reason == .deleteDenied })
        let stray = Note(context: context)
        stray.folder = folder
        #expect(stray.folder == nil)
        #expect(
            ContextError.thrown(by: context.save)
                == .deletedObjectRelated(stray.objectID, property: "folder", folder.objectID))
    }

    // MARK: - Undo

    @Test(arguments: [false, true])
    func `the links that forbade deletes come back with both ends, saved meanwhile or not`(
        isSaved: Bool
    ) throws {
        delete([folder, shelf, seal] + labels)
        delete(notes)
        if isSaved { try context.save() }
        for _ in 0..<2 {
            context.undo()
            context.undo()
            #expect(Array(folder.notes) == notes && notes.allSatisfy { $0.folder === folder })
            #expect(Array(shelf.notes) == notes && notes.allSatisfy { $0.shelf === shelf })
            #expect(labels.allSatisfy { Array($0.notes) == notes })
            #expect(notes.allSatisfy { Array($0.labels) == labels })
            #expect(notes[0].seal === seal && seal.note === notes[0])
            try context.checkIntegrity()
            context.redo()
            context.redo()
            #expect(([folder, shelf, seal] + labels + notes).allSatisfy { $0.isDeleted })
        }
        context.undo()
        context.undo()
        try context.save()
        try context.checkIntegrity()
    }

    @Test func `a link that was made before the delete in one group is undone with it`() throws {
        let other = Folder(context: context)
        try context.save()
        context.undoGroup {
            notes[0].folder = other
            context.delete(other)
        }
        delete(notes)
        try context.save()
        context.undo()
        context.undo()
        #expect(!other.isDeleted && other.notes.isEmpty && notes[0].folder === folder)
        try context.checkIntegrity()
    }

    @Test func `a member comes back to its place in the list of an object that is gone`() throws {
        delete([folder, shelf] + labels)
        delete([notes[0]])
        context.undo()
        #expect(shelf.isDeleted && Array(shelf.notes) == notes)
        try context.checkIntegrity()
        context.undo()
        #expect(Array(shelf.notes) == notes && Array(folder.notes) == notes)
        #expect(labels.allSatisfy { Array($0.notes) == notes })
        try context.checkIntegrity()
    }

    @Test func `an object comes back to its place in the list of a member`() throws {
        delete([labels[1]])
        delete(notes)
        try context.save()
        context.undo()
        #expect(notes.allSatisfy { Array($0.labels) == [labels[0], labels[2]] })
        context.undo()
        #expect(notes.allSatisfy { Array($0.labels) == labels })
        try context.checkIntegrity()
    }

    @Test func `members that come back before the first of their list keep their order`() throws {
        // Both ends list the links in orders that contradict each other, so no order of linking makes all lists.
        let pair = (0..<2).map { _ in Note(context: context) }
        pair[1].labels.append(labels[0])
        pair[0].labels.append(labels[0])
        pair[0].labels.append(labels[1])
        pair[1].labels.insert(labels[1], at: 0)
        for note in pair { note.labels.insert(labels[2], at: 0) }
        try context.save()
        delete([labels[2]])
        delete(notes + pair)
        try context.save()
        context.undo()
        #expect(Array(pair[0].labels) == [labels[0], labels[1]])
        #expect(Array(pair[1].labels) == [labels[1], labels[0]])
        context.undo()
        #expect(Array(pair[0].labels) == [labels[2], labels[0], labels[1]])
        #expect(Array(pair[1].labels) == [labels[2], labels[1], labels[0]])
        try context.checkIntegrity()
    }

    @Test func `an object that its own link forbids to delete comes back to its place`() throws {
        let book = Book(context: context)
        let chapters = (0..<3).map { _ in Chapter(context: context) }
        for chapter in chapters { book.chapters.append(chapter) }
        try context.save()
        delete([chapters[1]])
        delete([book])
        try context.save()
        context.undo()
        context.undo()
        #expect(Array(book.chapters) == chapters)
        try context.checkIntegrity()
    }

    @Test func `a link of many to many comes back to an object that is gone, and forbids it again`()
        throws
    {
        delete([labels[0]])
        delete(notes)
        context.undo()
        #expect(labels[0].isDeleted && notes.allSatisfy { $0.labels.contains(labels[0]) })
        #expect(throws: ContextError.self) { try context.save() }
        try context.checkIntegrity()
        context.undo()
        try context.save()
        #expect(Array(labels[0].notes) == notes)
    }

    @Test func `what others did to the members meanwhile is kept`() throws {
        delete([folder])
        context.disableUndoRegistration()
        for note in notes { note.folder = nil }
        context.enableUndoRegistration()
        try context.save()
        let other = ManagedObjectContext(context.store)
        let another = Folder(context: other)
        try other.existingObject(Note.self, with: notes[0].objectID).folder = another
        other.delete(try other.existingObject(Note.self, with: notes[1].objectID))
        try other.save(shownTo: context)
        context.undo()
        #expect(notes[0].folder?.objectID == another.objectID)
        #expect(notes[1].isDeleted && Array(folder.notes) == [notes[2]])
        try context.checkIntegrity()
    }

    @Test func `members that others put elsewhere stay there, though a rule had kept them`() throws
    {
        delete([shelf])
        let other = ManagedObjectContext(context.store)
        try other.existingObject(Shelf.self, with: shelf.objectID).notes.move(from: 0, to: 2)
        try other.save(shownTo: context)
        context.undo()
        #expect(!shelf.isDeleted && Array(shelf.notes) == [notes[1], notes[2], notes[0]])
        try context.checkIntegrity()
    }

    @Test func `a child's undo brings a link of many to many back that forbids a delete`() throws {
        delete([labels[0]])
        let child = ManagedObjectContext(parent: context)
        child.isUndoEnabled = true
        let twin = try child.existingObject(Note.self, with: notes[0].objectID)
        child.delete(twin)
        try child.save()
        #expect(notes[0].isDeleted)
        child.undo()
        #expect(twin.labels.count == 3)
        try child.save()
        #expect(notes[0].labels.contains(labels[0]))
        #expect(throws: ContextError.self) { try context.save() }
        try context.checkIntegrity()
        try child.checkIntegrity()
    }
}
