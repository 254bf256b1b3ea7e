import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// How much of a history is read by who wants to know something of it.
@Suite struct HistoryCostTests {
    private typealias Reader = JournalModel.Reader

    private static let textCount = 30_000

    private let files = CountedFiles()

    private func open(
        at url: URL, _ change: (inout ManagedDocument.Options) -> Void = { _ in }
    ) async throws -> ManagedDocument {
        var options = ManagedDocument.Options()
        (options.autosave, options.keepsHistory) = (nil, true)
        // Another journal is begun only when somebody says so.
        options.journalLimit = .init(ratio: 1, minimum: 1 << 30)
        change(&options)
        return try await ManagedDocument.open(
            at: url, model: JournalModel.types, options: options, files: files)
    }

    /// Writes a long text anew twice in each of some journals, so that snapshots stay as they are.
    private func write(_ count: Int, in document: ManagedDocument) async throws {
        let context = document.viewContext
        let reader = try context.fetch(Reader.self).first ?? Reader(context: context)
        for _ in 0..<count {
            for _ in 0..<2 {
                reader.name =
                    "\(document.store.commitNumber + 1)"
                    + String(repeating: "x", count: Self.textCount)
                try await document.save()
            }
            try await document.compact()
        }
    }

    @Test func `to limit a history by age, no more than the first line of a journal is read`()
        async throws
    {
        try await withTemporaryDirectory { url in
            let document = try await open(at: url) {
                $0.historyLimit = .init(age: .seconds(86_400))
            }
            try await write(10, in: document)
            let start = files.readCount
            try await write(1, in: document)
            #expect(files.readCount - start < 10_000)
            #expect(try await document.history().map(\.id) == Array(0...22))
            try await document.close()
        }
    }

    @Test func `to read an earlier state, no other journals are read than those that lead to it`()
        async throws
    {
        try await withTemporaryDirectory { url in
            let document = try await open(at: url)
            try await write(20, in: document)
            for number in [39, 22, 3] {
                let name = "\(number)x"
                var start = files.readCount
                let snapshot = try await document.snapshot(at: number)
                #expect(files.readCount - start < 10 * Self.textCount, "commit \(number)")
                #expect(snapshot.commitNumber == number)
                let found = try snapshot.context().fetch(Reader.self)
                #expect(found.map { $0.name.hasPrefix(name) } == [true])
                start = files.readCount
                let reader = try await DocumentReader.open(at: url, commit: number, files: files)
                #expect(files.readCount - start < 10 * Self.textCount, "commit \(number)")
                #expect(reader.commit.number == number)
            }
            await #expect(throws: HistoryError.notCommitted(41, latest: 40)) {
                try await document.snapshot(at: 41)
            }
            await #expect(throws: HistoryError.notCommitted(41, latest: 40)) {
                try await DocumentReader.open(at: url, commit: 41, files: files)
            }
            try await document.close()
        }
    }

    @Test(.endsWaiting)
    func `a feed lists the folder as often, however many journals there are`() async throws {
        try await withTemporaryDirectory { url in
            let document = try await open(at: url)
            func count(_ journals: Int) async throws -> Int {
                try await write(journals, in: document)
                let start = files.listCount
                var changes = document.changes(since: 0).makeAsyncIterator()
                for number in 1...document.store.commitNumber {
                    #expect(try await changes.next()?.commit == number)
                }
                return files.listCount - start
            }
            let few = try await count(3)
            #expect(try await count(9) == few)
            try await document.close()
        }
    }
}
