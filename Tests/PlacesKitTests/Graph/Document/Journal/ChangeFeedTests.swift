import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Commits on disk: their list, the objects after each, and the feed of what each changed.
@Suite struct ChangeFeedTests {
    private typealias Reader = JournalModel.Reader
    private static let url = URL(filePath: "/Photos", directoryHint: .notDirectory)

    private let files = CrashingFiles()

    private func open(
        _ model: [ManagedObject.Type] = JournalModel.types, keepsHistory: Bool = true
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: Self.url, model: model,
            options: .savedByHand { $0.keepsHistory = keepsHistory }, files: files)
    }

    private func account(_ reader: some GraphReader) -> [String] {
        reader.account.filter { !$0.contains(" note: ") }
    }

    @Test(arguments: [UInt64](1...2))
    func `every commit of a document with history can be read again`(seed: UInt64) async throws {
        var random = JournalEdits(seed: seed)
        var accounts = [[String]()]
        var document = try await open()
        for round in 0..<24 {
            document.viewContext.transactionAuthor = round.isMultiple(of: 3) ? "Ann" : nil
            try random.change(document.viewContext, times: 5)
            try await document.save(durability: .system)
            if document.store.commitNumber == accounts.count {
                accounts.append(account(document.store))
            }
            if round % 7 == 6 { try await document.compact() }
            if round % 10 == 9 {
                try await document.close()
                document = try await open()
            }
        }
        let history = try await document.history()
        #expect(history.map(\.id) == Array(0..<accounts.count))
        #expect(history.contains { $0.commit.author == "Ann" && $0.insertedCount > 0 })
        for number in accounts.indices {
            let snapshot = try await document.snapshot(at: number)
            #expect(snapshot.commitNumber == number)
            #expect(account(snapshot) == accounts[number], "seed \(seed), commit \(number)")
        }
        await #expect(throws: HistoryError.self) {
            try await document.snapshot(at: accounts.count)
        }
        await #expect(throws: HistoryError.self) { try await document.snapshot(at: -1) }
    }

    @Test(.endsWaiting)
    func `the feed gives each commit once and in order, from the files and then live`()
        async throws
    {
        var random = JournalEdits(seed: 5)
        var document = try await open()
        func save(_ count: Int) async throws {
            for _ in 0..<count {
                let number = document.store.commitNumber
                while document.store.commitNumber == number {
                    try random.change(document.viewContext, times: 3)
                    try await document.save(durability: .system)
                }
            }
        }
        try await save(5)
        try await document.compact()
        try await save(3)
        try await document.close()
        document = try await open()
        try await save(2)
        let (first, second) = (document.changes(since: 0), document.changes(since: 7))
        try await save(4)
        let pipe = Pipe()
        let sink = Task { [changes = document.changes(since: 12)] in
            for try await change in changes {
                try pipe.fileHandleForWriting.write(contentsOf: change.line)
            }
            try pipe.fileHandleForWriting.close()
        }
        try await save(1)
        try await document.flush()
        try await document.close()
        var records: [ChangeRecord] = []
        for try await record in first { records.append(record) }
        #expect(records.map(\.commit) == Array(1...15))
        var later: [ChangeRecord] = []
        for try await record in second { later.append(record) }
        #expect(later == Array(records[7...]))
        try await sink.value
        let lines = pipe.fileHandleForReading.readDataToEndOfFile().split(separator: 0x0A)
        #expect(lines.count == 3)
        for (line, record) in zip(lines, records[12...]) {
            #expect(
                try JSONDecoder().decode(ChangeRecord.self, from: Data(line)).commit
                    == record.commit)
        }
        for record in records {
            let encoded = try JSONDecoder().decode(
                ChangeRecord.self, from: try JSONEncoder().encode(record))
            #expect(encoded == record)
        }
    }

    // MARK: - Records

    private final class Box: ManagedObject {
        @Relationship var items: OrderedObjectSet<Item>
    }
    private class Item: ManagedObject {
        @Attribute var weight = 0.0
        @Relationship(inverse: \Box.items) var box: Box?
    }
    private final class Toy: Item {}
    private final class Book: Item {}

    /// The record of the only commit of a document, as it is and after each of two encoders had it.
    private func records(of document: ManagedDocument) async throws -> [ChangeRecord] {
        var changes = document.changes(since: 0).makeAsyncIterator()
        let record = try #require(try await changes.next())
        return [
            record,
            try JSONDecoder().decode(ChangeRecord.self, from: JSONEncoder().encode(record)),
            try PropertyListDecoder().decode(
                ChangeRecord.self, from: PropertyListEncoder().encode(record)),
        ]
    }

    @Test(.endsWaiting)
    func `members of several classes are appended in the order of the record, also a decoded one`()
        async throws
    {
        let document = try await open([Box.self, Item.self, Toy.self, Book.self])
        let context = document.viewContext
        let box = Box(context: context)
        for item in [Toy(context: context), Book(context: context), Toy(context: context)] {
            item.box = box
        }
        box.items.move(from: 2, to: 1)
        try await document.save()
        let records = try await records(of: document)
        for record in records {
            #expect(record.moved.isEmpty && record.ordered.isEmpty)
            let members = record.inserted.filter { $0.values["box"] != nil }
            #expect(members.map(\.id) == box.items.map(\.objectID))
            #expect(record == records[0])
        }
        try await document.close()
    }

    @Test(.endsWaiting)
    func `a decoded record is equal to what was encoded, whatever its numbers`() async throws {
        let document = try await open([Box.self, Item.self])
        let weights = [0.5, 3, 0, -0.0, 1e19, -1e300, 0x1p53, 0x1p60, -0x1p63, 0x1p63, 0x1p64]
        for weight in weights { Item(context: document.viewContext).weight = weight }
        try await document.save()
        let records = try await records(of: document)
        for record in records {
            #expect(record == records[0])
        }
        // In a binary property list one zero is like another.
        for record in records[..<2] {
            let zero = record.inserted[3].values["weight"]
            #expect(zero.map { "\($0)" }?.contains("-0.0") == true)
        }
        try await document.close()
    }

    @Test func `numbers are equal if they have the same value, and others are not`() {
        let equal: [[JSONValue]] = [
            [.integer(3), .number(3), .unsigned(3)], [.integer(0), .number(-0.0)],
            [.unsigned(1 << 63), .number(0x1p63)],
        ]
        for values in equal { #expect(Set(values).count == 1) }
        let others: [JSONValue] = [
            .null, .boolean(false), .integer(0), .integer(1), .number(0.5), .string("0"),
            .array([]), .array([.integer(0)]), .object([:]), .object(["": .null]),
            .integer(.max), .number(0x1p63), .unsigned(.max), .number(0x1p64),
        ]
        #expect(Set(others).count == others.count)
    }

    @Test(arguments: [false, true])
    func `kept changes keep the lock of a document that is released, not of one that is closed`(
        isClosed: Bool
    ) async throws {
        func changes() async throws -> AsyncThrowingStream<ChangeRecord, any Error> {
            let document = try await open()
            try await document.save()
            let changes = document.changes(since: 0)
            if isClosed { try await document.close() }
            return changes
        }
        let kept = try await changes()
        do {
            try await open().close()
            #expect(isClosed)
        } catch DocumentError.locked {
            #expect(!isClosed)
        }
        for try await _ in kept {}
    }

    @Test func `a feed from a commit that the files do not keep fails`() async throws {
        let document = try await open(keepsHistory: false)
        for _ in 0..<4 {
            _ = Reader(context: document.viewContext)
            try await document.save()
            try await document.compact()
        }
        await #expect(throws: HistoryError.self) {
            for try await _ in document.changes(since: 0) {}
        }
        #expect(try await document.history().last?.id == 4)
        try await document.close()
    }

    @Test(.endsWaiting)
    func `a feed from a commit that there is not yet fails, and names the latest`() async throws {
        let document = try await open()
        try await save(3, document)
        for number in [4, Int.max] {
            await #expect(throws: HistoryError.notCommitted(number, latest: 3)) {
                for try await _ in document.changes(since: number) {}
            }
        }
        try await document.close()
    }

    @Test(.endsWaiting)
    func `a reader that is behind knows by the files which commits there are`() async throws {
        let writer = try await open()
        try await save(1, writer)
        let reader = try await ManagedDocument.open(
            at: Self.url, model: JournalModel.types, options: .init { $0.isReadOnly = true },
            files: files)
        try await save(2, writer)
        for try await change in reader.changes(since: 3) { Issue.record("\(change.commit)") }
        await #expect(throws: HistoryError.notCommitted(4, latest: 3)) {
            for try await _ in reader.changes(since: 4) {}
        }
        try await writer.close()
    }

    // MARK: - Slow consumers

    /// Saves as many commits, each of one object.
    private func save(_ count: Int, _ document: ManagedDocument) async throws {
        for _ in 0..<count {
            _ = Reader(context: document.viewContext)
            try await document.save()
        }
    }

    @Test(.endsWaiting)
    func `commits for which there is no room are read from the files when it is their turn`()
        async throws
    {
        let document = try await open()
        try await save(9, document)
        var changes = document.changes(since: 2, waiting: 3).makeAsyncIterator()
        try await save(2, document)
        for number in 3...6 { #expect(try await changes.next()?.commit == number) }
        try await document.compact()
        try await save(8, document)
        for number in 7...19 { #expect(try await changes.next()?.commit == number) }
        // From here on he is as fast as they come.
        for number in 20...24 {
            try await save(1, document)
            #expect(try await changes.next()?.commit == number)
        }
        try await document.close()
        #expect(try await changes.next() == nil)
    }

    @Test(.endsWaiting)
    func `those who share a feed do not wait any longer when one of them is cancelled`()
        async throws
    {
        let document = try await open()
        let (taken, ended) = (Counter(), Counter())
        let feed = document.changes(since: 0)
        let consumers = (0..<2).map { _ in
            Task {
                defer { ended.count() }
                for try await _ in feed { taken.count() }
            }
        }
        try await save(4, document)
        try await wait { taken.value == 4 }
        consumers[0].cancel()
        try await document.close()
        try await wait { ended.value == 2 }
    }

    @Test(.endsWaiting, arguments: [(1024, false), (1024, true), (1, true)])
    func `a full disk ends no feed, which gives what is on it, and the rest when there is room`(
        limit: Int, keepsHistory: Bool
    ) async throws {
        let document = try await open(keepsHistory: keepsHistory)
        try await save(5, document)
        var running = document.changes(since: 1, waiting: limit).makeAsyncIterator()
        #expect(try await running.next()?.commit == 2)
        files.fail { _ in 28 }
        _ = Reader(context: document.viewContext)
        try document.viewContext.save()
        for number in 3...5 { #expect(try await running.next()?.commit == number) }
        var begun = document.changes(since: 3, waiting: limit).makeAsyncIterator()
        for number in 4...5 { #expect(try await begun.next()?.commit == number) }
        // So far the store alone has such a commit.
        var ahead = document.changes(since: 6).makeAsyncIterator()
        await #expect(throws: DocumentError.self) { try await document.save() }
        files.mend()
        try await save(1, document)
        for number in 6...7 {
            #expect(try await running.next()?.commit == number)
            #expect(try await begun.next()?.commit == number)
        }
        #expect(try await ahead.next()?.commit == 7)
        try await document.close()
    }

    /// A document that keeps its history, and begins another journal only when it is told to.
    private func openWithLongJournals(
        at url: URL, _ files: CountedFiles
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: url, model: JournalModel.types,
            options: .init {
                ($0.autosave, $0.keepsHistory) = (nil, true)
                $0.journalLimit = .init(ratio: 1, minimum: 1 << 30)
            }, files: files)
    }

    @Test(.endsWaiting)
    func `a feed reads no journal before the one that leads on from its commit`() async throws {
        try await withTemporaryDirectory { url in
            let files = CountedFiles()
            let document = try await openWithLongJournals(at: url, files)
            // The last of four journals has the commits 31 to 33.
            for number in 1...33 {
                Reader(context: document.viewContext).name =
                    "\(number)" + String(repeating: "x", count: number > 30 ? 10 : 30_000)
                try await document.save()
                if number.isMultiple(of: 10) { try await document.compact() }
            }
            for number in [31, 33] {
                let start = files.readCount
                var changes = document.changes(since: number).makeAsyncIterator()
                try await document.flush()
                #expect(files.readCount - start < (number == 33 ? 1 : 30_000))
                for later in number + 1..<34 { #expect(try await changes.next()?.commit == later) }
            }
            for number in [9, 10, 29] {
                var changes = document.changes(since: number).makeAsyncIterator()
                for later in number + 1...33 { #expect(try await changes.next()?.commit == later) }
            }
            try await document.close()
        }
    }

    @Test(.endsWaiting)
    func `a slow consumer reads each part of the files a few times, however long they are`()
        async throws
    {
        try await withTemporaryDirectory { url in
            let files = CountedFiles()
            let document = try await openWithLongJournals(at: url, files)
            let count = 400
            for number in 1...count {
                Reader(context: document.viewContext).name =
                    "\(number)" + String(repeating: "x", count: 3000)
                try document.viewContext.save()
                // Part of the commits come in another journal.
                if number == count / 2 { try await document.compact() }
            }
            try await document.flush()
            let start = files.readCount
            var changes = document.changes(since: 0, waiting: 8).makeAsyncIterator()
            for number in 1...count { #expect(try await changes.next()?.commit == number) }
            // All is read once to see whether the files lead on, and then 64 KB at a time.
            #expect(files.readCount - start < 8 * count * 3000)
            try await save(1, document)
            #expect(try await changes.next()?.commit == count + 1)
            try await document.close()
        }
    }

    @Test(.endsWaiting)
    func `a slow consumer of files that do not reach back learns from where they do`() async throws
    {
        let document = try await open(keepsHistory: false)
        var changes = document.changes(since: 0, waiting: 2).makeAsyncIterator()
        try await document.flush()
        for _ in 0..<4 {
            try await save(3, document)
            try await document.compact()
        }
        #expect(try await changes.next()?.commit == 1)
        #expect(try await changes.next()?.commit == 2)
        let error = await #expect(throws: HistoryError.self) { try await changes.next() }
        guard case .notKept(2, let kept)? = error else { throw Unexpected(error) }
        #expect(kept.upperBound == 12)
        var later = document.changes(since: kept.lowerBound).makeAsyncIterator()
        try await save(1, document)
        #expect(try await later.next()?.commit == kept.lowerBound + 1)
        try await document.close()
    }

    @Test(.endsWaiting)
    func `a consumer who is behind when the document is closed gets the rest from the files`()
        async throws
    {
        let document = try await open()
        var changes = document.changes(since: 0, waiting: 2).makeAsyncIterator()
        try await save(5, document)
        try await document.close()
        for number in 1...5 { #expect(try await changes.next()?.commit == number) }
        #expect(try await changes.next() == nil)
    }

    @Test(.endsWaiting)
    func `a feed whose files become those of another history fails`() async throws {
        let writer = try await open()
        try await save(5, writer)
        try await writer.close()
        let reader = try await ManagedDocument.open(
            at: Self.url, model: JournalModel.types, options: .init { $0.isReadOnly = true },
            files: files)
        var changes = reader.changes(since: 0, waiting: 2).makeAsyncIterator()
        for number in 1...2 { #expect(try await changes.next()?.commit == number) }
        for name in try files.list(FilePath("/Photos")) {
            try files.remove(FilePath("/Photos/" + name))
        }
        let other = try await open()
        other.viewContext.transactionAuthor = "other"
        try await save(5, other)
        try await other.close()
        let error = await #expect(throws: DocumentError.self) { try await changes.next() }
        guard case .replaced? = error else { throw Unexpected(error) }
    }

    @Test(.endsWaiting)
    func `a feed of a document that is only read ends with the last commit, however slow`()
        async throws
    {
        let writer = try await open()
        try await save(7, writer)
        try await writer.close()
        let document = try await ManagedDocument.open(
            at: Self.url, model: JournalModel.types, options: .init { $0.isReadOnly = true },
            files: files)
        var numbers: [Int] = []
        for try await change in document.changes(since: 1, waiting: 2) {
            numbers.append(change.commit)
        }
        #expect(numbers == Array(2...7))
        try await document.close()
    }
}
