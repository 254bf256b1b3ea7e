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

    /// Conditions, and which texts and remarks pass them.
    private static let conditions: [(format: String, passes: @Sendable (String, String?) -> Bool)] =
        [
            (
                "text == 'one of the texts that come again: 1'",
                { text, _ in
                    text == "one of the texts that come again: 1"
                }
            ),
            (
                "text != 'één tekst met nummer 6, die lang genoeg is'",
                { text, _ in
                    text != "één tekst met nummer 6, die lang genoeg is"
                }
            ),
            (
                "text ==[c] 'ÉÉN TEKST met nummer 6, die lang genoeg is'",
                { text, _ in
                    text == "één tekst met nummer 6, die lang genoeg is"
                }
            ),
            ("text CONTAINS[cd] 'EEN TEKST'", { text, _ in text.contains("één tekst") }),
            ("text CONTAINS[c] 'ESCAPES, AND'", { text, _ in text.contains("escapes, and") }),
            ("text CONTAINS '😀 too'", { text, _ in text.contains("😀 too") }),
            ("text BEGINSWITH[c] 'ONE OF'", { text, _ in text.hasPrefix("one of") }),
            ("text ENDSWITH 'lang genoeg is'", { text, _ in text.hasSuffix("lang genoeg is") }),
            (
                "remark == 'one of the texts that come again: 2'",
                { _, remark in
                    remark == "one of the texts that come again: 2"
                }
            ),
            (
                "remark != 'one of the texts that come again: 2'",
                { _, remark in
                    remark != "one of the texts that come again: 2"
                }
            ),
            ("remark CONTAINS[cd] 'ÈÈN'", { _, remark in remark?.contains("één") ?? false }),
            (
                "number < 40 AND text == 'one of the texts that come again: 0'",
                { text, _ in
                    text == "one of the texts that come again: 0"
                }
            ),
        ]

    @Test(arguments: [
        ManagedDocument.Format.json, .binaryPropertyList, .xmlPropertyList,
    ])
    func `a search finds the same texts before somebody read one, and after`(
        format: ManagedDocument.Format
    ) async throws {
        try await withTemporaryDirectory { url in
            let count = 2_200
            try await Self.make(count, at: url, as: format)
            for (condition, passes) in Self.conditions {
                let document = try await ManagedDocument.open(at: url, model: [Note.self])
                let context = ManagedObjectContext(document.store)
                let expected = (0..<(condition.hasPrefix("number") ? 40 : count)).filter {
                    passes(Self.text($0), $0 % 4 == 0 ? nil : Self.text($0 + 1))
                }
                let request = try FetchRequest<Note>(
                    where: condition, sortBy: [SortDescriptor(\.number)])
                for round in 0..<4 {
                    // Asked in a context, and with changes that it has not saved.
                    if round == 2 { try context.find(Note.self, \.number, 1_500)?.remark = nil }
                    if round == 2 { context.rollback() }
                    if round == 3 { _ = try context.fetch(FetchRequest<Note>()).map(\.text) }
                    let found = try context.fetch(request).map(\.number)
                    #expect(found == expected, "\(condition), round \(round)")
                }
                try await document.close()
            }
        }
    }

    @Test func `many read, look up, search and write a document at the same time`() async throws {
        try await withTemporaryDirectory { url in
            let count = 4_000
            try await Self.make(count, at: url)
            for _ in 0..<3 {
                let document = try await ManagedDocument.open(at: url, model: [Note.self])
                let store = document.store
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for reader in 0..<6 {
                        group.addTask {
                            let context = ManagedObjectContext(store)
                            for number in stride(from: reader, to: count, by: 6) {
                                switch (number + reader) % 3 {
                                case 0:
                                    let note = try context.find(Note.self, \.number, number)
                                    #expect(note?.text == Self.text(number))
                                case 1 where number % 400 == 1:
                                    let texts = try store.snapshot().values(
                                        of: \Note.text,
                                        for: FetchRequest<Note>(sortBy: [SortDescriptor(\.number)]))
                                    #expect(texts == (0..<count).map(Self.text))
                                case 2 where number % 50 == 2:
                                    let request = try FetchRequest<Note>(
                                        where: "text CONTAINS[cd] 'EEN TEKST'")
                                    #expect(try context.count(request) == count / 5)
                                default: break
                                }
                            }
                        }
                    }
                    try await document.compact()
                    try await group.waitForAll()
                }
                try await document.close()
            }
            let found = try await Self.texts(at: url)
            #expect(found.read == (0..<count).map(Self.text))
        }
    }
}
