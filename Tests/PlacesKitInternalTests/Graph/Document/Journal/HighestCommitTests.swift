import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Journals that begin after the highest commit there is, as nobody but somebody else writes them.
@Suite struct HighestCommitTests {
    private typealias Reader = JournalModel.Reader

    private let files = CrashingFiles()

    private func open() async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: URL(filePath: "/Photos", directoryHint: .notDirectory), model: JournalModel.types,
            options: .savedByHand(), files: files)
    }

    @Test func `commits are added to a journal after the highest one, and no journal follows it`()
        async throws
    {
        var document = try await open()
        _ = Reader(context: document.viewContext)
        try await document.close()
        let highest = Commit(
            number: Int.max / 2, date: Date(timeIntervalSinceReferenceDate: 0), author: nil)
        let header = JournalHeader(
            generation: 1, commit: highest, schema: document.store.model.schema)
        try files.replaceFile(at: FilePath("/Photos/journal-1.jsonl"), with: header.line)
        document = try await open()
        for _ in 0..<2 {
            _ = Reader(context: document.viewContext)
            try await document.save()
        }
        let error = await #expect(throws: DocumentError.self) { try await document.compact() }
        guard case .damaged(file: "/Photos/journal-1.jsonl", _)? = error
        else { throw Unexpected(error) }
        _ = Reader(context: document.viewContext)
        try await document.close()
        document = try await open()
        #expect(try document.viewContext.count(Reader.self) == 4)
        #expect(document.store.commitNumber == highest.number + 3)
    }
}
