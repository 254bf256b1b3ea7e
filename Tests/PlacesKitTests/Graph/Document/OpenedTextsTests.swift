import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Texts of documents that were opened, however their strings came about.
@Suite struct OpenedTextsTests {
    final class Note: ManagedObject {
        @Attribute(.unique) var number: Int
        @Attribute var text = ""
        @Attribute var remark: String?
        @Attribute var kind = "the kind that a note has if nobody says another"
        @Attribute var link: URL?
    }

    /// Texts of every length around that for which a string has room, in ASCII and beyond, some of them alike.
    private static func text(_ number: Int) -> String {
        switch number % 5 {
        case 0: String(repeating: "x", count: number / 5 % 40)
        case 1: "één tekst met nummer \(number), die lang genoeg is"
        case 2: String(repeating: "\(number) ", count: number % 700 == 2 ? 20_000 : 7)
        case 3: "one of the texts that come again: \(number % 3)"
        default: "\"\(number)\"\n\\ with escapes, and 😀 too"
        }
    }

    private static func url(_ number: Int) -> URL? {
        number % 3 == 0 ? URL(string: "https://example.com/notes/\(number)/é") : nil
    }

    /// A document of some notes.
    private static func make(
        _ count: Int, at url: URL, as format: ManagedDocument.Format = .json
    ) async throws {
        let document = try await ManagedDocument.open(
            at: url, model: [Note.self], options: .init { $0.format = format })
        let context = ManagedObjectContext(document.store)
        for number in 0..<count {
            let note = Note(context: context)
            note.number = number
            note.text = text(number)
            note.remark = number % 4 == 0 ? nil : text(number + 1)
            note.link = Self.url(number)
        }
        try context.save()
        try await document.compact()
        try await document.close()
    }

    /// All texts of a document that is gone when they are returned.
    private static func texts(
        at url: URL
    ) async throws -> (read: [String], remarks: [String?], listed: [String], links: [URL?]) {
        let document = try await ManagedDocument.open(at: url, model: [Note.self])
        let context = ManagedObjectContext(document.store)
        let request = FetchRequest<Note>(sortBy: [SortDescriptor(\.number)])
        let notes = try context.fetch(request)
        let result = (
            notes.map(\.text), notes.map(\.remark),
            try document.store.snapshot().values(of: \Note.text, for: request), notes.map(\.link)
        )
        #expect(Set(notes.map(\.kind)) == ["the kind that a note has if nobody says another"])
        try await document.close()
        return result
    }

    @Test(arguments: [
        ManagedDocument.Format.json, .binaryPropertyList, .xmlPropertyList,
    ])
    func `texts outlive the document that they were read from`(
        format: ManagedDocument.Format
    ) async throws {
        try await withTemporaryDirectory { url in
            let count = 2_500
            try await Self.make(count, at: url, as: format)
            let found = try await Self.texts(at: url)
            let expected = (0..<count).map(Self.text)
            #expect(found.read == expected)
            #expect(found.listed == expected)
            #expect(found.remarks == (0..<count).map { $0 % 4 == 0 ? nil : Self.text($0 + 1) })
            #expect(found.links == (0..<count).map(Self.url))
        }
    }

    @Test(arguments: [UInt64](1...6))
    func `texts are those that were written last, however often they were read`(
        seed: UInt64
    ) async throws {
        try await withTemporaryDirectory { url in
            let count = 3_000
            try await Self.make(count, at: url)
            let document = try await ManagedDocument.open(at: url, model: [Note.self])
            let (context, other) = (
                ManagedObjectContext(document.store), ManagedObjectContext(document.store)
            )
            context.isUndoEnabled = true
            var random = SeededGenerator(seed: seed)
            var texts = (0..<count).map(Self.text)
            var saved = texts
            let request = FetchRequest<Note>(sortBy: [SortDescriptor(\.number)])
            let notes = Array(try context.fetch(request))
            for step in 0..<120 {
                switch Int.random(in: 0..<8, using: &random) {
                case 0, 1:
                    let start = Int.random(in: 0..<count, using: &random)
                    let number = Int.random(in: 0..<600, using: &random)
                    let range = start..<min(count, start + number)
                    #expect(
                        notes[range].map(\.text) == Array(texts[range]),
                        "seed \(seed), step \(step)")
                case 2, 3:
                    for _ in 0..<5 {
                        let number = Int.random(in: 0..<count, using: &random)
                        texts[number] = Self.text(Int.random(in: 0..<9_999, using: &random))
                        notes[number].text = texts[number]
                    }
                case 4:
                    try context.save()
                    saved = texts
                case 5:
                    context.rollback()
                    texts = saved
                case 6:
                    // Somebody else writes what this context has not written.
                    let number = Int.random(in: 0..<count, using: &random)
                    guard texts[number] == saved[number] else { continue }
                    other.refreshAllObjects()
                    let note = try #require(try other.find(Note.self, \.number, number))
                    #expect(note.text == saved[number], "seed \(seed), step \(step)")
                    note.text = Self.text(Int.random(in: 0..<9_999, using: &random))
                    (texts[number], saved[number]) = (note.text, note.text)
                    try other.save(shownTo: context)
                default: context.releaseKeptObjects()
                }
                let number = Int.random(in: 0..<count, using: &random)
                #expect(notes[number].text == texts[number], "seed \(seed), step \(step)")
                if step % 20 == 0 { try context.checkIntegrity() }
            }
            try context.save()
            #expect(
                try document.store.snapshot().values(of: \Note.text, for: request) == texts,
                "seed \(seed)")
            try await document.close()
        }
    }
}
