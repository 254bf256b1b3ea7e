import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Searches for words.
@Suite struct WordSearchTests {
    final class Note: ManagedObject {
        @Attribute(.searchable) var title = "new note"
        @Attribute(.searchable) var body: String?
        @Attribute var remark = ""
        @Attribute(.indexed) var rank = 0
        @Relationship(inverse: \Folder.notes) var folder: Folder?
    }

    final class Folder: ManagedObject {
        @Attribute(.searchable) var name = ""
        @Relationship var notes: ObjectSet<Note>
        @Derived(max: \Folder.notes, \Note.title, .searchable) var last: String?
    }

    static let model: [ManagedObject.Type] = [Note.self, Folder.self]

    @Test func `other contexts' changes are found, and snapshots keep what they had`() throws {
        let store = try GraphStore(model: Self.model)
        let (first, second) = (ManagedObjectContext(store), ManagedObjectContext(store))
        let note = Note(context: first)
        note.title = "Eiffel Tower"
        try first.save()
        let snapshot = store.snapshot()
        second.refreshAllObjects()
        let other = try #require(try second.fetch(Note.self, searching: "eif", in: \.title).first)
        other.title = "Louvre"
        note.remark = "here"
        try second.save()
        first.mergePolicy = .mergeByPropertyStoreTrump
        try first.save()
        #expect(try first.fetch(Note.self, searching: "lou", in: \.title).first === note)
        #expect(try first.fetch(Note.self, searching: "eif", in: \.title).isEmpty)
        let request = FetchRequest<Note>(searching: "eif", in: \.title)
        #expect(try snapshot.count(request) == 1)
        #expect(try store.snapshot().count(request) == 0)
        try first.checkIntegrity()
    }

    @Test func `a text without words asks nothing, with and without a value`() throws {
        let context = ManagedObjectContext(try GraphStore(model: Self.model))
        _ = Note(context: context)
        for text in ["", " ", "…"] {
            #expect(try context.fetch(Note.self, searching: text, in: \.body).count == 1)
            #expect(try context.fetch(Note.self, where: "body TEXT %@", text).count == 1)
        }
        #expect(try context.fetch(Note.self, searching: "a", in: \.body).isEmpty)
    }

    /// To compare each word with all before it would take minutes.
    @Test func `a text of very many words is searched for as one of few is`() throws {
        let context = ManagedObjectContext(try GraphStore(model: Self.model))
        Note(context: context).remark = "word1 word2"
        func count(_ words: some Sequence<Int>) throws -> Int {
            let text = words.map { "word\($0)" }.joined(separator: " ")
            return try context.count(FetchRequest<Note>(searching: text, in: \.remark))
        }
        #expect(try count(1...200_000) == 0)
        #expect(try count((1...200_000).map { $0 % 2 + 1 }) == 1)
    }

    @Test func `currencies and mathematical signs are found like any symbol`() throws {
        let context = ManagedObjectContext(try GraphStore(model: Self.model))
        for title in ["Coffee 3 €", "Tea ☕ → Paris", "C++", "C"] {
            let note = Note(context: context)
            (note.title, note.remark) = (title, title)
        }
        for (text, expected) in [
            ("€", ["Coffee 3 €"]), ("\"€\"", ["Coffee 3 €"]), ("☕", ["Tea ☕ → Paris"]),
            ("→ par", ["Tea ☕ → Paris"]), ("☆", []), ("$", []), ("c++", ["C++"]),
            ("c +", ["C++"]), ("c", ["Coffee 3 €", "C++", "C"]),
        ] {
            #expect(
                try context.fetch(Note.self, searching: text, in: \.title).map(\.title) == expected)
            #expect(
                try context.fetch(Note.self, searching: text, in: \.remark).map(\.title) == expected
            )
        }
    }

    @Test func `format strings search too, and a property may be called text`() throws {
        let context = ManagedObjectContext(try GraphStore(model: Self.model))
        let notes = (0..<3).map { _ in Note(context: context) }
        notes[0].title = "Eiffel Tower"
        notes[0].remark = "tow eif"
        notes[1].title = "Towering Éiffelesque"
        notes[1].remark = "louvre"
        #expect(
            Array(try context.fetch(Note.self, where: "title TEXT 'eif tow'")) == [
                notes[0], notes[1],
            ])
        #expect(
            Array(
                try context.fetch(Note.self, where: "title text 'eif' AND NOT title TEXT %@", "t."))
                == [])
        #expect(Array(try context.fetch(Note.self, where: "title TEXT remark")).contains(notes[0]))
        #expect(throws: ContextError.self) { try context.fetch(Note.self, where: "rank TEXT 'a'") }
    }

    @Test func `only text can be searched`() throws {
        let context = ManagedObjectContext(try GraphStore(model: Self.model))
        #expect(throws: ContextError.notText(entity: "Note", keyPath: "rank")) {
            try context.fetch(Note.self, searching: "a", in: \.rank)
        }
        final class Odd: ManagedObject {
            @Attribute(.searchable) var number = 0
        }
        #expect(throws: SchemaError.self) { try GraphStore(model: [Odd.self]) }
    }

    // MARK: - Plans

    @Test func `the plan tells which words are looked up, and where there is no index`() throws {
        let context = ManagedObjectContext(try GraphStore(model: Self.model))
        for number in 0..<200 {
            let note = Note(context: context)
            note.title = number % 50 == 0 ? "Eiffel Tower" : "Tower of Babel"
            note.remark = note.title
        }
        func plan(_ search: TextSearch<Note>) throws -> [String] {
            var request = FetchRequest<Note>()
            request.search = search
            return try request.explain(in: context).steps.map {
                String(repeating: " ", count: $0.depth) + $0.text
            }
        }
        #expect(
            try plan(TextSearch("Eif", in: \.title)) == [
                "words of Note.title beginning with \"eif\""
            ])
        #expect(
            try plan(TextSearch("eif tow", in: \.title)) == [
                "keep of these", " if title has words beginning like those of \"eif tow\"",
                "  what all of these have", "   words of Note.title beginning with \"eif\"",
                "   words of Note.title beginning with \"tow\"",
                " words of Note.title beginning with \"eif\"",
            ])
        #expect(
            try plan(TextSearch("eif", in: \.remark)) == [
                "scan Note",
                " if remark has words beginning like those of \"eif\", which is not searchable by an "
                    + "index",
            ])
    }
}
