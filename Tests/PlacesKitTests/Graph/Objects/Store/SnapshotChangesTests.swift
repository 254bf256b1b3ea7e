import PlacesKit
import Testing

/// What differs between two snapshots, where links were untied and others tied in their stead.
@Suite struct SnapshotChangesTests {
    private final class Book: ManagedObject {
        @Attribute var title = ""
        @Relationship(inverse: \Reader.books) var readers: ObjectSet<Reader>
    }

    private final class Reader: ManagedObject {
        @Attribute var name = ""
        @Relationship var books: ObjectSet<Book>
    }

    @Test func `a link instead of another is a change of what kept its end, too`() throws {
        let store = try GraphStore(model: [Book.self, Reader.self])
        let context = ManagedObjectContext(store, isolation: nil)
        let book = Book(context: context)
        let (first, second) = (Reader(context: context), Reader(context: context))
        book.readers.insert(first)
        try context.save()
        let before = store.snapshot()
        book.readers.remove(first)
        book.readers.insert(second)
        try context.save()
        let changes = try store.snapshot().changes(since: before)
        #expect(
            Set(changes.updated.map(\.object))
                == [book.objectID, first.objectID, second.objectID])
        let reader = Reader(context: context)
        reader.books.insert(book)
        try context.save()
        #expect(try store.snapshot().changes(since: before).updated.count == 3)
    }
}
