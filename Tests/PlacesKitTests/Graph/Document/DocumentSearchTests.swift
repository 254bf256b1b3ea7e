import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Words of searchable attributes, found in documents that are opened again.
@Suite struct DocumentSearchTests {
    final class Note: ManagedObject {
        @Attribute(.unique) var number: Int
        @Attribute(.searchable) var title = "new note"
        @Attribute(.searchable) var body: String?
    }

    private static let words = ["Eiffel", "Tower", "Übung", "été", "東京", "tour", "note", "🗼", "a"]

    private func find(_ text: String, in document: ManagedDocument) throws -> [Int] {
        let request = FetchRequest<Note>(
            searching: text, in: \.title, \.body, sortBy: [SortDescriptor(\.number)])
        return try document.viewContext.fetch(request).map(\.number)
    }

    @Test(arguments: ManagedDocument.Format.allCases)
    func `a document that is opened again finds the same words`(
        format: ManagedDocument.Format
    ) async throws {
        var random = SplitMix64(seed: 11)
        try await withTemporaryDirectory { url in
            let document = try await ManagedDocument.open(
                at: url, model: [Note.self], options: .init { $0.format = format })
            func write(_ notes: some Sequence<Note>) {
                for note in notes {
                    note.title = "\(random.pick(Self.words)) \(random.pick(Self.words))"
                    note.body = random.below(3) == 0 ? nil : random.pick(Self.words)
                }
            }
            let notes = (0..<200).map { number in
                let note = Note(context: document.viewContext)
                note.number = number
                return note
            }
            write(notes.prefix(100))
            try await document.save()
            try await document.compact()
            // These are in the journal, those that changed and one that is gone too.
            write(notes.suffix(100))
            write(notes.prefix(20))
            document.viewContext.delete(notes[50])
            try await document.save()
            let expected = try Self.words.map { try find($0, in: document) }
            #expect(expected.contains { !$0.isEmpty })
            try await document.close()

            let reopened = try await ManagedDocument.open(at: url, model: [Note.self])
            #expect(try Self.words.map { try find($0, in: reopened) } == expected)
            let plan = try FetchRequest<Note>(searching: "eif", in: \.title)
                .explain(in: reopened.viewContext)
            #expect(plan.steps.first?.text == "words of Note.title beginning with \"eif\"")
            try reopened.viewContext.checkIntegrity()
            try await reopened.close()
        }
    }
}
