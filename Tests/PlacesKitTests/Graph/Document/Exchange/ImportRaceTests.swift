import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// What becomes of an import while others save.
@Suite(.endsWaiting) struct ImportRaceTests {
    final class Parcel: ManagedObject {
        @Attribute(.unique) var key: String
        @Attribute(.length(0...5)) var title = ""
        @Attribute var note = ""
        @Relationship(inverse: \Depot.parcels) var depot: Depot?

        override func willSave() {
            guard key == "first", let store = context?.store else { return }
            Others.save(in: store)
        }
    }

    final class Depot: ManagedObject {
        @Attribute(.unique) var name: String
        @Attribute var size = 0
        @Relationship var parcels: ObjectSet<Parcel>
    }

    /// What others save in a store each time that an import of the object "first" is about to.
    private enum Others {
        typealias Change = @Sendable (_ context: ManagedObjectContext, _ round: Int) throws -> Void
        private static let all = Mutex<[ObjectIdentifier: (round: Int, change: Change)]>([:])

        /// Lets them save while something runs; returns how often they did.
        nonisolated(nonsending) static func saving(
            in store: GraphStore, _ change: @escaping Change,
            _ body: nonisolated(nonsending) () async throws -> Void
        ) async throws -> Int {
            let key = ObjectIdentifier(store)
            all.withLock { $0[key] = (0, change) }
            defer { all.withLock { $0[key] = nil } }
            try await body()
            return all.withLock { $0[key]?.round ?? 0 }
        }

        static func save(in store: GraphStore) {
            let next = all.withLock { all in
                all[ObjectIdentifier(store)]?.round += 1
                return all[ObjectIdentifier(store)]
            }
            guard let next else { return }
            do {
                let context = ManagedObjectContext(store)
                try next.change(context, next.round)
                try context.save()
            } catch {
                Issue.record(error)
            }
        }
    }

    private static let file = "key,title\nfirst,a\nnew,b\nold,c\n"
    private let store: GraphStore

    init() throws {
        store = try GraphStore(model: [Parcel.self, Depot.self])
        let context = ManagedObjectContext(store)
        try context.findOrInsert(Parcel.self, \.key, "old").title = "old"
        try context.save()
    }

    private func account() throws -> [String] {
        try store.snapshot().context().fetch(Parcel.self)
            .map { "\($0.key) \($0.title) \($0.note)" }.sorted()
    }

    /// Imports a text while others save; tells in words what was done, and how often the file was read.
    private func outcome(
        _ text: String = file, _ others: @escaping Others.Change
    ) async throws -> (words: String, reads: Int) {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "file")
            try Data(text.utf8).write(to: url)
            return try await outcome(url, others)
        }
    }

    private nonisolated(nonsending) func outcome(
        _ url: URL, _ others: @escaping Others.Change
    ) async throws -> (words: String, reads: Int) {
        var words = ""
        let reads = try await Others.saving(in: store, others) {
            do {
                let summary = try await store.importObjects(
                    into: Parcel.self, from: url, as: .csv, policy: .upsert(by: \.key))
                words = "\(summary.inserted) inserted, \(summary.updated) updated"
            } catch let error as ImportError {
                words = error.description.replacing(url.path(percentEncoded: false), with: "file")
            }
        }
        return (words, reads)
    }

    @Test func `an upsert updates what others inserted meanwhile`() async throws {
        let (words, reads) = try await outcome { context, round in
            guard round == 1 else { return }
            let parcel = Parcel(context: context)
            (parcel.key, parcel.note) = ("new", "theirs")
        }
        #expect(words == "1 inserted, 2 updated" && reads == 2)
        #expect(try account() == ["first a ", "new b theirs", "old c "])
    }

    @Test func `an upsert keeps what others wrote meanwhile into properties that it does not have`()
        async throws
    {
        let (words, reads) = try await outcome { context, round in
            guard round == 1 else { return }
            try context.find(Parcel.self, \.key, "old")?.note = "theirs"
        }
        #expect(words == "2 inserted, 1 updated" && reads == 2)
        #expect(try account() == ["first a ", "new b ", "old c theirs"])
    }

    @Test func `an upsert inserts what others deleted meanwhile`() async throws {
        let (words, reads) = try await outcome { context, round in
            guard round == 1, let old = try context.find(Parcel.self, \.key, "old") else { return }
            context.delete(old)
        }
        #expect(words == "3 inserted, 0 updated" && reads == 2)
        #expect(try account() == ["first a ", "new b ", "old c "])
    }

    @Test func `an upsert inserts what others deleted or renamed meanwhile also as it was`()
        async throws
    {
        let file = "key,title\nfirst,a\nold,old\n"
        let renamed = try await outcome(file) { context, round in
            guard round == 1 else { return }
            try context.find(Parcel.self, \.key, "old")?.key = "former"
        }
        #expect(renamed.words == "2 inserted, 0 updated" && renamed.reads == 2)
        #expect(try account() == ["first a ", "former old ", "old old "])
        let deleted = try await outcome(file) { context, round in
            guard round == 1, let old = try context.find(Parcel.self, \.key, "old") else { return }
            context.delete(old)
        }
        // The record "first" is as it was: nobody saves it, and so nobody else saves meanwhile.
        #expect(deleted.words == "0 inserted, 2 updated" && deleted.reads == 0)
        let again = try await outcome(file.replacing("first,a", with: "first,b")) {
            context, round in
            guard round == 1, let old = try context.find(Parcel.self, \.key, "old") else { return }
            context.delete(old)
        }
        #expect(again.words == "1 inserted, 1 updated" && again.reads == 2)
        #expect(try account() == ["first b ", "former old ", "old old "])
    }

    @Test func `a record that changes nothing is written over what others wrote of the same`()
        async throws
    {
        let file = "key,title\nfirst,a\nold,old\n"
        let same = try await outcome(file) { context, round in
            guard round == 1 else { return }
            try context.find(Parcel.self, \.key, "old")?.title = "mine"
        }
        #expect(same.words == "1 inserted, 1 updated" && same.reads == 2)
        let other = try await outcome(file.replacing("first,a", with: "first,b")) {
            context, round in
            try context.find(Parcel.self, \.key, "old")?.note = "\(round)"
        }
        #expect(other.words == "0 inserted, 2 updated" && other.reads == 1)
        #expect(try account() == ["first b ", "old old 1"])
    }

    @Test func `an import of what is there already looks at what others deleted meanwhile`()
        async throws
    {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "pipe")
            let path = url.path(percentEncoded: false)
            try #require(mkfifo(path, 0o600) == 0)
            Thread.detachNewThread { [store] in
                let pipe = FileHandle(forWritingAtPath: path)
                defer { try? pipe?.close() }
                do {
                    try pipe?.write(contentsOf: Data("key,title\nold,old\n".utf8))
                    // The import has begun, for it has opened the pipe, and ends when that is closed.
                    let context = ManagedObjectContext(store)
                    try context.deleteAll(Parcel.self)
                    try context.save()
                } catch {
                    Issue.record(error)
                }
            }
            let (words, _) = try await outcome(url) { _, _ in }
            #expect(words.hasPrefix("file: others saved while it was read, and"), "\(words)")
            #expect(words.hasSuffix("Nothing was imported."))
        }
    }

    @Test func `a link by a key leads to the object that has the key when all is saved`()
        async throws
    {
        let setup = ManagedObjectContext(store)
        try setup.findOrInsert(Depot.self, \.name, "Paris").size = 1
        try setup.save()
        let other = try await outcome("key,depot.name\nfirst,Paris\n") { context, round in
            try context.find(Depot.self, \.name, "Paris")?.size = 2
        }
        #expect(other.words == "1 inserted, 0 updated" && other.reads == 1)
        let moved = try await outcome("key,depot.name\nfirst,\nnew,Paris\n") { context, round in
            guard round == 1 else { return }
            try context.find(Depot.self, \.name, "Paris")?.name = "Lyon"
            try context.findOrInsert(Depot.self, \.name, "Paris").size = 3
        }
        #expect(moved.words == "1 inserted, 1 updated" && moved.reads == 2)
        let context = store.snapshot().context()
        #expect(try context.find(Parcel.self, \.key, "new")?.depot?.size == 3)
        let lost = try await outcome("key,title,depot.name\nfirst,b,\nnew,,Paris\n") {
            context, round in
            guard round == 1 else { return }
            try context.find(Depot.self, \.name, "Paris")?.name = "Nice"
        }
        #expect(lost.reads == 1)
        let problem = "depot.name: expected the name of an existing Depot, found \"Paris\""
        #expect(lost.words == "file:3:6: \(problem). Nothing was imported.")
    }

    @Test func `an import that others overtake each time gives up, and says so`() async throws {
        let (words, reads) = try await outcome { context, round in
            try context.find(Parcel.self, \.key, "old")?.note = "\(round)"
        }
        #expect(reads == 100)
        #expect(words.hasPrefix("file: others saved while it was read, 100 times, and"))
        #expect(words.contains("was changed here, and has another note there\n"))
        #expect(words.hasSuffix("Nothing was imported."))
        #expect(try account() == ["old old 100"])
    }

    @Test func `a large file that others overtake each time is read a few times`() async throws {
        let many = (0..<20_000).map { "\($0),d\n" }.joined()
        let (words, reads) = try await outcome(Self.file + many) { context, round in
            try context.find(Parcel.self, \.key, "old")?.note = "\(round)"
        }
        #expect(reads == 5)
        #expect(words.hasPrefix("file: others saved while it was read, 5 times, and"))
    }

    @Test func `a file that breaks a rule is refused with its lines, whatever others save`()
        async throws
    {
        let (words, reads) = try await outcome("key,title\nfirst,a\nnew,far too long\n") {
            context, round in
            guard round == 1 else { return }
            Parcel(context: context).key = "another"
        }
        #expect(reads == 2)
        #expect(words.hasPrefix("file:3: Parcel/"), "\(words)")
        #expect(words.contains("far too long"))
    }

    @Test func `a file that breaks the same rules again is refused while others save on and on`()
        async throws
    {
        let (words, reads) = try await outcome("key,title\nfirst,a\nnew,far too long\n") {
            context, round in Parcel(context: context).key = "another \(round)"
        }
        #expect(reads == 2)
        #expect(words.hasPrefix("file:3: Parcel/"), "\(words)")
    }

    @Test func `what others overtake is not read again from a pipe`() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "pipe")
            let path = url.path(percentEncoded: false)
            try #require(mkfifo(path, 0o600) == 0)
            Thread.detachNewThread {
                let pipe = FileHandle(forWritingAtPath: path)
                try? pipe?.write(contentsOf: Data(Self.file.utf8))
                try? pipe?.close()
            }
            let (words, reads) = try await outcome(url) { context, _ in
                let parcel = Parcel(context: context)
                parcel.key = "new"
            }
            #expect(reads == 1)
            #expect(words.hasPrefix("file: others saved while it was read, and"), "\(words)")
            #expect(words.contains("\nfile:3: Parcel/"))
            #expect(try account() == ["new  ", "old old "])
        }
    }

    @Test(.endsWaiting)
    func
        `an import from a pipe ends when it is cancelled, whether somebody may write to it or not`()
        async throws
    {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "pipe")
            let path = url.path(percentEncoded: false)
            try #require(mkfifo(path, 0o600) == 0)
            let progress = Progress(totalUnitCount: 1)
            progress.cancel()
            await #expect(throws: CancellationError.self) {
                try await store.importObjects(
                    into: Parcel.self, from: url, as: .csv, progress: progress)
            }
            let task = Task { [store] in
                try await store.importObjects(into: Parcel.self, from: url, as: .csv)
            }
            // It can be opened when the import has, or waits for that.
            var writer: Int32 = -1
            try await wait {
                writer = open(path, O_WRONLY | O_NONBLOCK)
                return writer >= 0
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            close(writer)
        }
    }

    @Test func `what comes from a pipe piece by piece is one file`() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "pipe")
            let path = url.path(percentEncoded: false)
            try #require(mkfifo(path, 0o600) == 0)
            Thread.detachNewThread {
                let pipe = FileHandle(forWritingAtPath: path)
                for byte in Data("\u{FEFF}key,title\nold,b\nnew,c\n".utf8) {
                    try? pipe?.write(contentsOf: Data([byte]))
                }
                try? pipe?.close()
            }
            let (words, _) = try await outcome(url) { _, _ in }
            #expect(words == "1 inserted, 1 updated")
            #expect(try account() == ["new c ", "old b "])
        }
    }

    @Test func `imports of the same objects at the same time all come right`() async throws {
        try await withTemporaryDirectory { folder in
            let summaries = try await withThrowingTaskGroup(of: ImportSummary.self) { group in
                for number in 0..<8 {
                    let url = folder.appending(path: "\(number)")
                    let text = Self.file.replacing("\n", with: "\(number)\n")
                        .replacing("title\(number)", with: "title")
                    try Data(text.utf8).write(to: url)
                    group.addTask { [store] in
                        try await store.importObjects(
                            into: Parcel.self, from: url, as: .csv, policy: .upsert(by: \.key))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(summaries.reduce(0) { $0 + $1.inserted } == 2)
            #expect(summaries.reduce(0) { $0 + $1.updated } == 8 * 3 - 2)
            #expect(try account().count == 3)
        }
    }
}
