import Dispatch
import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Texts of a chunk of which no strings are made before somebody asks for one.
@Suite struct PackedTextsTests {
    final class Note: ManagedObject {
        @Attribute(.unique) var name: String
        @Attribute var number = 0
        @Attribute var text = "what a note says of which nobody told more"
        @Attribute var remark: String?
    }

    /// A text that is packed, one that is not, one beyond ASCII, and now and then one of many pages.
    private static func text(_ number: Int) -> String {
        switch number % 4 {
        case 0: "one of the texts that are packed, number \(number)"
        case 1: "\(number)"
        case 2: "één tekst met 😀 en \0, nummer \(number)"
        default: String(repeating: "\(number) ", count: number % 97 == 3 ? 3_000 : 9)
        }
    }

    private static func chunk(of text: String = "") -> Chunk {
        Chunk(
            owner: 7,
            copying: Chunk(kind: .string, repeating: .string(text), isValid: true))
    }

    private static func fill(_ chunk: Chunk, _ texts: [String]) {
        for (row, text) in texts.enumerated() { put(text, in: chunk, at: row) }
    }

    private static func put(_ text: String, in chunk: Chunk, at row: Int) {
        let isPacked = Array(text.utf8).withUnsafeBytes { chunk.block.pack($0, at: row) }
        if !isPacked { chunk.block.put(text, at: row) }
    }

    private static func strings(of chunk: Chunk) -> [String] {
        let elements = chunk.block.elements(of: String.self)
        return (0..<ChunkLayout.rows).map { elements[$0] }
    }

    /// The text of a row, and no string of it where it is packed.
    private static func packedText(of chunk: Chunk, at row: Int) -> String {
        chunk.block.readPacked(at: row) { String(decoding: $0, as: UTF8.self) }
            ?? chunk.block.slots(of: String.self)[row]
    }

    @Test(arguments: [UInt64](1...8))
    func `each row has the text that it was given last, packed or not`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let blank = random.below(2) == 0 ? "" : "the text that rows have which nobody gave one"
        let chunk = Self.chunk(of: blank)
        var expected = [String](repeating: blank, count: ChunkLayout.rows)
        for step in 0..<6_000 {
            let row = random.below(ChunkLayout.rows)
            expected[row] = Self.text(random.below(100_000))
            if random.below(4) == 0 {
                chunk.block.put(expected[row], at: row)
            } else {
                Self.put(expected[row], in: chunk, at: row)
            }
            let other = random.below(ChunkLayout.rows)
            #expect(
                Self.packedText(of: chunk, at: other) == expected[other], "seed \(seed), \(step)")
            if step == 3_000 { chunk.block.trimPackedTexts() }
            // Whose strings were made takes strings from then on.
            if step == 5_000 { #expect(Self.strings(of: chunk) == expected, "seed \(seed)") }
        }
        #expect(Self.strings(of: chunk) == expected, "seed \(seed)")
    }

    @Test func `strings are made when an element is asked for, and of no chunk before`() throws {
        try #require(StringBits.isKnown)
        let texts = (0..<ChunkLayout.rows).map(Self.text)
        let chunk = Self.chunk()
        Self.fill(chunk, texts)
        #expect(texts.indices.map(chunk.block.textHash) == texts.map(\.indexHash))
        #expect(texts.indices.allSatisfy { chunk.block.holds(texts[$0], at: $0) })
        #expect(!chunk.block.holds(texts[0], at: 4) && !chunk.block.holds(texts[1], at: 4))
        let digests = TextDigests(of: chunk.block)
        #expect(digests.rows(with: TextDigests.digest(of: texts[70]), inWord: 1) & 1 << 6 != 0)
        #expect(chunk.block.isPacked)
        #expect(chunk.block.elements(of: String.self)[4] == texts[4])
        #expect(!chunk.block.isPacked)
        #expect(chunk.block.readPacked(at: 4) { $0.count } == nil)
    }

    @Test func `who asks for single texts as often as there are rows has strings made of all`()
        throws
    {
        try #require(StringBits.isKnown)
        let texts = (0..<ChunkLayout.rows).map(Self.text)
        let chunk = Self.chunk()
        Self.fill(chunk, texts)
        #expect(texts.indices.map(chunk.block.text) == texts)
        #expect(chunk.block.isPacked)
        #expect((0...ChunkLayout.rows).allSatisfy { _ in chunk.block.text(at: 8) == texts[8] })
        #expect(!chunk.block.isPacked)
        #expect(texts.indices.map(chunk.block.text) == texts)
    }

    @Test func `short and long texts are strings from the first`() throws {
        let chunk = Self.chunk()
        let lengths = PackedTexts.lengths
        for (row, count) in [0, 15, lengths.upperBound + 1].enumerated() {
            Self.put(String(repeating: "x", count: count), in: chunk, at: row)
        }
        #expect(!chunk.block.isPacked)
        Self.put(String(repeating: "x", count: lengths.upperBound), in: chunk, at: 3)
        #expect(chunk.block.isPacked == StringBits.isKnown)
        #expect(Self.strings(of: chunk).prefix(5).map(\.utf8.count) == [0, 15, 1_025, 1_024, 0])
    }

    @Test func `a copy has the texts, and so has what it was copied from`() {
        let texts = (0..<ChunkLayout.rows).map(Self.text)
        let chunk = Self.chunk()
        Self.fill(chunk, texts)
        let copy = Chunk(owner: 8, copying: chunk)
        copy.block.elements(of: String.self)[0] = "another"
        #expect(Self.strings(of: chunk) == texts)
        #expect(Self.strings(of: copy) == ["another"] + texts.dropFirst())
    }

    @Test func `chunks that nobody asked for texts of are freed`() {
        for count in [1, 16, ChunkLayout.rows] {
            Self.fill(
                Self.chunk(of: "the text that rows have at first"), (0..<count).map(Self.text))
        }
    }

    @Test func `all who ask at the same time get the same strings`() throws {
        try #require(StringBits.isKnown)
        let texts = (0..<ChunkLayout.rows).map(Self.text)
        for round in 0..<20 {
            let chunk = Self.chunk()
            Self.fill(chunk, texts)
            let found = Mutex<[[StringBits]]>([])
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                guard number % 2 == 0 else {
                    // As one who writes a file meanwhile.
                    for row in 0..<ChunkLayout.rows
                    where Self.packedText(of: chunk, at: row) != texts[row] {
                        Issue.record("round \(round), row \(row)")
                    }
                    return
                }
                let elements = chunk.block.elements(of: String.self)
                let bits = (0..<ChunkLayout.rows).map { StringBits(elements + $0) }
                found.withLock { $0.append(bits) }
            }
            let all = found.withLock { $0 }
            #expect(all.count == 4 && all.allSatisfy { $0 == all[0] })
            #expect(Self.strings(of: chunk) == texts)
        }
    }

    @Test(arguments: [
        ManagedDocument.Format.json, .binaryPropertyList, .xmlPropertyList,
    ])
    func `a document is opened, looked up by a key and written again with its texts packed`(
        format: ManagedDocument.Format
    ) async throws {
        try #require(StringBits.isKnown)
        try await withTemporaryDirectory { url in
            let options = ManagedDocument.Options { $0.format = format }
            let made = try await ManagedDocument.open(at: url, model: [Note.self], options: options)
            let writer = ManagedObjectContext(made.store)
            for number in 0..<3_000 {
                let note = Note(context: writer)
                note.name = "note \(number)"
                note.number = number
                note.text = Self.text(number)
                note.remark = number % 3 == 0 ? nil : "a remark on number \(number)"
            }
            try writer.save()
            try await made.compact()
            try await made.close()

            let document = try await ManagedDocument.open(
                at: url, model: [Note.self], options: options)
            let context = ManagedObjectContext(document.store)
            let graph = document.store.head.graph
            let entity = try #require(graph.layout.entity(named: "Note"))
            let columns = graph.tables[entity.table].columns
            func packedCount(_ name: String) throws -> Int {
                let slot = try #require(
                    entity.slots.first {
                        graph.layout.tables[entity.table].properties[$0].name == name
                    })
                return (0..<3).filter { columns[slot].block($0).isPacked }.count
            }
            #expect(try context.find(Note.self, \.name, "note 1500") != nil)
            #expect(try (packedCount("text"), packedCount("remark")) == (3, 3))
            let note = try #require(try context.find(Note.self, \.name, "note 1500"))
            #expect(note.text == Self.text(1_500))
            #expect(try (packedCount("text"), packedCount("remark")) == (2, 3))
            // Written from where they lie, packed or not, all texts are in the file.
            try await document.compact()
            #expect(try (packedCount("text"), packedCount("remark")) == (2, 3))
            try await document.close()

            let again = try await ManagedDocument.open(at: url, model: [Note.self])
            let notes = try ManagedObjectContext(again.store).fetch(
                FetchRequest<Note>(sortBy: [SortDescriptor(\.number)]))
            #expect(notes.map(\.text) == (0..<3_000).map(Self.text))
            #expect(notes[3].remark == nil && notes[4].remark == "a remark on number 4")
            try await again.close()
        }
    }
}
