import PlacesKit
import PlacesKitTesting
import Testing

/// What is derived over links that forbid a delete.
@Suite struct DeniedDerivedTests {
    final class Folder: ManagedObject {
        @DerivedObject(min: \Folder.notes, by: \Note.number) var first: Note?
        @Relationship(deleteRule: .deny) var notes: ObjectSet<Note>
        @Derived(count: \Folder.notes) var noteCount: Int
        @Derived(\Folder.first?.number) var firstNumber: Int?
    }

    final class Note: ManagedObject {
        @Attribute var number = 0
        @Relationship(deleteRule: .deny, inverse: \Folder.notes) var folder: Folder?
    }

    final class Shelf: ManagedObject {
        @Attribute var title: String?
        @Relationship(deleteRule: .deny) var books: ObjectSet<Book>
        @Derived(min: \Shelf.books, \Book.rank) var leastRank: Int?
    }

    final class Book: ManagedObject {
        @Attribute var rank: Int?
        @Relationship(deleteRule: .deny, inverse: \Shelf.books) var shelf: Shelf?
        @Derived(\Book.shelf?.title) var shelfTitle: String?
    }

    final class Basket: ManagedObject {
        @Relationship(deleteRule: .deny) var apples: ObjectSet<Apple>
        @Derived(count: \Basket.apples) var count: Int
        @Derived(sum: \Basket.apples, \Apple.weight) var weight: Int
        @Derived(max: \Basket.apples, \Apple.weight, .unique) var heaviest: Int?
    }

    final class Apple: ManagedObject {
        @Attribute var weight = 0
        @Relationship(inverse: \Basket.apples) var basket: Basket?
        @Derived(\Apple.basket?.weight, .indexed) var total: Int?
    }

    private let context: ManagedObjectContext
    private let folder: Folder
    private let notes: [Note]

    init() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Folder.self, Note.self]))
        let folder = Folder(context: context)
        notes = (1...3).map { number in
            let note = Note(context: context)
            note.number = number
            note.folder = folder
            return note
        }
        try context.save()
        context.isUndoEnabled = true
        (self.context, self.folder) = (context, folder)
    }

    private func delete(_ object: ManagedObject) {
        context.delete(object)
        context.processPendingChanges()
    }

    @Test(arguments: [false, true])
    func `a delete that a rule forbids leaves the derived object, and so does its undo`(
        isRefused: Bool
    ) throws {
        delete(folder)
        #expect(folder.isDeleted && folder.noteCount == 3 && folder.first === notes[0])
        try context.checkIntegrity()
        if isRefused { #expect(throws: ContextError.self) { try context.save() } }
        context.undo()
        #expect(!folder.isDeleted && folder.noteCount == 3 && folder.first === notes[0])
        try context.save()
        try context.checkIntegrity()
        let other = ManagedObjectContext(context.store)
        #expect(try other.fetch(Folder.self).map(\.first?.number) == [1])
    }

    @Test func `a derived value that was nil when its object went is that of today after an undo`()
        throws
    {
        let context = ManagedObjectContext(try GraphStore(model: [Shelf.self, Book.self]))
        let (shelf, book) = (Shelf(context: context), Book(context: context))
        book.shelf = shelf
        try context.save()
        context.isUndoEnabled = true
        func change(while object: ManagedObject, _ change: () -> Void) {
            context.delete(object)
            context.disableUndoRegistration()
            change()
            context.enableUndoRegistration()
            context.undo()
        }
        change(while: shelf) { book.rank = 5 }
        #expect(!shelf.isDeleted && shelf.leastRank == 5)
        change(while: book) { shelf.title = "Novels" }
        #expect(!book.isDeleted && book.shelfTitle == "Novels")
        change(while: shelf) { book.rank = nil }
        #expect(!shelf.isDeleted && shelf.leastRank == nil)
        try context.save()
        try context.checkIntegrity()
    }

    @Test func `the derived object of what is gone follows, and an undo finds it`() throws {
        delete(folder)
        notes[0].number = 9
        #expect(folder.first === notes[1])
        context.processPendingChanges()
        delete(notes[1])
        #expect(notes[1].folder == nil && folder.first === notes[2])
        try context.checkIntegrity()
        for _ in 0..<3 { context.undo() }
        #expect(folder.first === notes[0] && folder.firstNumber == 1 && folder.notes.count == 3)
        try context.checkIntegrity()
        try context.save()
    }

    @Test func `a member whose delete a rule forbids stays the derived object`() throws {
        delete(notes[0])
        #expect(notes[0].isDeleted && folder.noteCount == 3)
        #expect(folder.first === notes[0] && folder.firstNumber == 1)
        try context.checkIntegrity()
        #expect(throws: ContextError.self) { try context.save() }
        context.undo()
        #expect(!notes[0].isDeleted && folder.first === notes[0] && folder.firstNumber == 1)
        try context.checkIntegrity()
        delete(notes[0])
        folder.notes.remove(notes[0])
        #expect(folder.noteCount == 2 && folder.first === notes[1] && folder.firstNumber == 2)
        try context.save()
        try context.checkIntegrity()
    }

    @Test(arguments: [false, true])
    func `what is derived of members follows them while they forbid the delete of their owner`(
        isMerged: Bool
    ) throws {
        let context = ManagedObjectContext(try GraphStore(model: [Basket.self, Apple.self]))
        let basket = Basket(context: context)
        let apples = (1...4).map { weight in
            let apple = Apple(context: context)
            (apple.weight, apple.basket) = (weight, basket)
            return apple
        }
        try context.save()
        func check(_ weights: [Int]) throws {
            if isMerged {
                let other = ManagedObjectContext(context.store)
                _ = Basket(context: other)
                try other.save(shownTo: context)
            }
            let sum = weights.reduce(0, +)
            #expect(basket.isDeleted && basket.apples.map(\.weight).sorted() == weights)
            #expect(basket.count == weights.count && basket.weight == sum)
            #expect(basket.heaviest == weights.last)
            #expect(apples.allSatisfy { $0.basket !== basket || $0.total == sum })
            let found = try context.fetch(FetchRequest<Apple>(where: "total == %d", sum))
            #expect(found.map(\.weight).sorted() == weights)
            try context.checkIntegrity()
        }
        context.delete(basket)
        try check([1, 2, 3, 4])
        apples[1].weight = 40
        try check([1, 3, 4, 40])
        apples[3].basket = nil
        try check([1, 3, 40])
        context.delete(apples[2])
        try check([1, 40])
        for apple in apples[0...1] { apple.basket = nil }
        try check([])
        try context.save()
        try context.checkIntegrity()
    }

    @Test(arguments: [false, true])
    func `what is gone has no derived object when no link forbids its delete any more`(
        areMoved: Bool
    ) throws {
        let other = Folder(context: context)
        delete(folder)
        for note in notes {
            if areMoved { note.folder = other } else { context.delete(note) }
        }
        #expect(folder.first == nil && folder.notes.isEmpty)
        #expect(other.first === (areMoved ? notes[0] : nil))
        try context.checkIntegrity()
        try context.save()
        try context.checkIntegrity()
    }
}
