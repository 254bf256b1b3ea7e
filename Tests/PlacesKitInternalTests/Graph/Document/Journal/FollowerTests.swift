import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// A document that is only read, beside the one that writes the same files.
@Suite struct FollowerTests {
    private typealias Album = JournalModel.Album
    private typealias Reader = JournalModel.Reader

    private let files = CrashingFiles()

    private func open(
        _ change: (inout ManagedDocument.Options) -> Void = { _ in }
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: URL(filePath: "/Photos"), model: JournalModel.types, options: .savedByHand(change),
            files: files)
    }

    private func read() async throws -> ManagedDocument { try await open { $0.isReadOnly = true } }

    private func account(_ document: ManagedDocument) -> [String] {
        // What is transient is in no file.
        document.store.account.filter { !$0.contains(" note: ") }
    }

    /// Expects a reader to be what the writer is.
    private func expectSame(
        _ reader: ManagedDocument, _ writer: ManagedDocument, _ comment: Comment
    ) throws {
        let (found, expected) = (account(reader), account(writer))
        if found != expected { Issue.record("\(comment): \(found.difference(from: expected))") }
        #expect(reader.store.head.commit == writer.store.head.commit, comment)
        let broken = reader.store.head.graph.brokenInvariants(allowingDeniedDeletes: false)
        #expect(broken.isEmpty, "\(comment): \(broken)")
    }

    private static let seeds: Range<UInt64> =
        1..<(ProcessInfo.processInfo.environment["PLACESKIT_JOURNALS"].flatMap(UInt64.init) ?? 6)
        + 1

    @Test(arguments: seeds)
    func `a reader is at any time what the writer was when it looked`(seed: UInt64) async throws {
        var random = JournalEdits(seed: seed)
        let writer = try await open {
            $0.keepsHistory = seed.isMultiple(of: 3)
            $0.journalLimit = .init(ratio: 0.5, minimum: 4_000)
        }
        writer.viewContext.isUndoEnabled = true
        try random.change(writer.viewContext, times: 20)
        try await writer.save()
        let reader = try await open {
            $0.isReadOnly = true
            // So that objects come back whose rows are used again, too.
            if seed.isMultiple(of: 2) { $0.rowsClearedAtOnce = 1 }
        }
        let context = reader.viewContext
        context.isUndoEnabled = true
        var own: [Reader] = []
        var heard: Set<ObjectID> = Set(context.ids)
        for round in 1...60 {
            for _ in 0..<Int.random(in: 1...3, using: &random.generator) {
                try random.change(writer.viewContext, times: 4)
                try await writer.save(durability: .system)
            }
            let comment: Comment = "seed \(seed), round \(round)"
            switch Int.random(in: 0..<10, using: &random.generator) {
            case 0:
                // Nothing leads on from where the reader is.
                try await writer.compact()
                try random.change(writer.viewContext, times: 3)
                try await writer.compact()
            case 1: try await writer.compact()
            case 2:
                // What a reader makes is nobody else's, and no file's.
                own.append(Reader(context: context))
                own.last?.name = "own"
            case 3: context.undo()
            case 4: context.redo()
            case 5:
                context.rollback()
                own = []
            default: break
            }
            guard Bool.random(using: &random.generator) else { continue }
            let before = reader.store.snapshot()
            try await reader.refresh()
            try expectSame(reader, writer, comment)
            // What is told is the difference.
            let changes = try reader.store.snapshot().changes(since: before)
            heard.subtract(changes.deleted)
            heard.formUnion(changes.inserted)
            #expect(heard == Set(reader.store.snapshot().records.map(\.id)), comment)
            for object in own where !object.isDeleted {
                #expect(context.object(with: object.objectID) === object, comment)
                #expect(object.name == "own", comment)
            }
            #expect(context.brokenInvariants.isEmpty, "\(comment): \(context.brokenInvariants)")
        }
        context.rollback()
        try await reader.refresh()
        try expectSame(reader, writer, "seed \(seed), at the end")
        try await writer.close()
    }

    @Test func `each commit of the writer is one of the reader, with its date and author`()
        async throws
    {
        let writer = try await open()
        try await writer.save()
        let reader = try await read()
        reader.store.historyLimit = 10
        for author in ["Ann", "Bob"] {
            writer.viewContext.transactionAuthor = author
            Album(context: writer.viewContext).title = author
            try await writer.save()
        }
        try await reader.refresh()
        #expect(reader.store.history.map(\.author) == [nil, "Ann", "Bob"])
        #expect(reader.store.head.commit == writer.store.head.commit)
        #expect(try reader.store.snapshot(at: 1).count(Album.self) == 1)
        try await writer.close()
    }

    @Test func `rows of objects that came and went are used again`() async throws {
        let writer = try await open()
        try await writer.save()
        let reader = try await read()
        for round in 0..<60 {
            for album in try writer.viewContext.fetch(Album.self) {
                writer.viewContext.delete(album)
            }
            for number in 0..<100 {
                Album(context: writer.viewContext).title = "\(round) \(number)"
            }
            try await writer.save(durability: .system)
            try await reader.refresh()
        }
        try expectSame(reader, writer, "after all")
        #expect(reader.store.head.graph.tables[0].upperBound < 600)
        try await writer.close()
    }

    @Test func `rows that a reader took for itself, and gave back, are the writer's later`()
        async throws
    {
        let writer = try await open()
        try await writer.save()
        let reader = try await read()
        for round in 0..<3 {
            for _ in 0..<3_000 { _ = Album(context: reader.viewContext) }
            reader.viewContext.rollback()
            for number in 0..<500 {
                Album(context: writer.viewContext).title = "\(round) \(number)"
            }
            try await writer.save(durability: .system)
            try await reader.refresh()
            try expectSame(reader, writer, "round \(round)")
            #expect(reader.viewContext.brokenInvariants.isEmpty)
        }
        #expect(reader.store.head.graph.tables[0].upperBound < 8_000)
        try await writer.close()
    }

    /// The same class before and after it got another attribute.
    private enum Former {
        final class Thing: ManagedObject {
            @Attribute var name = ""
        }
    }

    private enum Later {
        final class Thing: ManagedObject {
            @Attribute var name = ""
            @Attribute var note: String? = "none"
        }
    }

    @Test func `a reader of a later model follows, migrating in memory`() async throws {
        let url = URL(filePath: "/Things", directoryHint: .notDirectory)
        let writer = try await ManagedDocument.open(
            at: url, model: [Former.Thing.self], files: files)
        Former.Thing(context: writer.viewContext).name = "one"
        try await writer.save()
        let reader = try await ManagedDocument.open(
            at: url, model: [Later.Thing.self], options: .init { $0.isReadOnly = true },
            files: files)
        let context = reader.viewContext
        let one = try #require(try context.fetch(Later.Thing.self).first)
        for number in 2...4 {
            Former.Thing(context: writer.viewContext).name = "\(number)"
            try await writer.save()
            if number == 3 { try await writer.compact() }
            try await reader.refresh()
            #expect(reader.store.commitNumber == number)
            let things = try context.fetch(Later.Thing.self)
            #expect(things.map(\.name) == ["one", "2", "3", "4"].prefix(number).map(\.self))
            #expect(things.first === one && one.note == "none")
        }
        try await writer.close()
    }

    private enum Latest {
        final class Thing: ManagedObject {
            @Attribute var name = ""
            @Attribute(.unique) var key = UUID()
            @Attribute(.externalStorage) var icon = Data(UUID().uuidString.utf8)

            var made: [String] { [key.uuidString, String(decoding: icon, as: UTF8.self)] }
        }
    }

    @Test func `a reader of a later model makes defaults once, and tells what the writer changed`()
        async throws
    {
        let url = URL(filePath: "/Things", directoryHint: .notDirectory)
        let writer = try await ManagedDocument.open(
            at: url, model: [Former.Thing.self], files: files)
        let written = ["one", "two", "three"].map { name in
            let thing = Former.Thing(context: writer.viewContext)
            thing.name = name
            return thing
        }
        try await writer.save()
        let reader = try await ManagedDocument.open(
            at: url, model: [Latest.Thing.self], options: .init { $0.isReadOnly = true },
            files: files)
        let things = try reader.viewContext.fetch(Latest.Thing.self)
        let defaults = things.map(\.made)
        #expect(Set(defaults.joined()).count == 6)
        for round in 0..<3 {
            written[round].name = "\(round)"
            try await writer.save()
            if round == 1 { try await writer.compact() }
            let before = reader.store.snapshot()
            try await reader.refresh()
            let changes = try reader.store.snapshot().changes(since: before)
            #expect(changes.updated.map(\.object) == [things[round].objectID])
            #expect(changes.updated.first?.properties.count == 1)
            #expect(changes.inserted.isEmpty && changes.deleted.isEmpty)
            #expect(things.map(\.made) == defaults)
        }
        writer.viewContext.delete(written[0])
        Former.Thing(context: writer.viewContext).name = "four"
        try await writer.save()
        try await reader.refresh()
        let later = try reader.viewContext.fetch(Latest.Thing.self).map(\.made)
        #expect(later.prefix(2) == defaults.suffix(2))
        #expect(Set(later.joined()).union(defaults.joined()).count == 8)
        try await writer.close()
    }

    @Test func `a commit that is half written is shown when it is whole`() async throws {
        let writer = try await open()
        Album(context: writer.viewContext).title = "one"
        try await writer.save()
        let reader = try await read()
        Album(context: writer.viewContext).title = "two"
        try await writer.save()
        let journal = FilePath("/Photos/journal-1.jsonl")
        let whole = try files.read(journal)
        try files.open(journal, mode: .append).truncate(to: whole.count - 20)
        try await reader.refresh()
        #expect(reader.store.commitNumber == 1)
        try files.open(journal, mode: .append).write(Array(whole.suffix(20)))
        try await reader.refresh()
        try expectSame(reader, writer, "when it is whole")
        try await writer.close()
    }

    @Test func `an earlier state in the place of the files is an error, and changes nothing`()
        async throws
    {
        let writer = try await open()
        Album(context: writer.viewContext).title = "one"
        try await writer.save()
        let backup = files.afterProcessDeath()
        Album(context: writer.viewContext).title = "two"
        try await writer.save()
        let reader = try await read()
        let expected = account(reader)
        try await writer.close()
        for name in try files.list(FilePath("/Photos")) where name != "blobs" {
            let path = FilePath("/Photos/\(name)")
            try files.open(path, mode: .append).truncate(to: 0)
            try files.open(path, mode: .append).write(backup.read(path))
        }
        let error = await #expect(throws: DocumentError.self) { try await reader.refresh() }
        guard case .replaced(path: "/Photos")? = error else { throw Unexpected(error) }
        #expect(account(reader) == expected)
    }

    @Test func `another document with a longer journal of the same name is one, too`() async throws
    {
        try await withTemporaryDirectory { directory in
            func open(
                _ name: String, isReadOnly: Bool = false
            ) async throws -> ManagedDocument {
                try await ManagedDocument.open(
                    at: directory.appending(path: name), model: JournalModel.types,
                    options: .savedByHand { $0.isReadOnly = isReadOnly })
            }
            let (writer, other) = (try await open("One"), try await open("Other"))
            for (document, count) in [(writer, 2), (other, 9)] {
                for number in 0..<count {
                    Album(context: document.viewContext).title = "\(number)"
                    try await document.save()
                }
                try await document.close()
            }
            let reader = try await open("One", isReadOnly: true)
            let files = FileManager.default
            try files.removeItem(at: directory.appending(path: "One/journal-1.jsonl"))
            for name in ["journal-1.jsonl", "snapshot-1.json"] {
                let target = directory.appending(path: "One/\(name)")
                try? files.removeItem(at: target)
                try files.copyItem(at: directory.appending(path: "Other/\(name)"), to: target)
            }
            try await reader.refresh()
            // It goes on as that, for its commits are later; what was the first's is not there.
            #expect(reader.store.commitNumber == 9)
            #expect(try reader.viewContext.count(Album.self) == 9)
            try reader.viewContext.checkIntegrity()
        }
    }

    @Test func `an identifier of a reader's own is never that of one of the writer's`()
        async throws
    {
        let writer = try await open()
        try await writer.save()
        let reader = try await read()
        let own = Album(context: reader.viewContext)
        let id = own.objectID
        let albums = (0..<3).map { _ in Album(context: writer.viewContext) }
        try await writer.save()
        try await reader.refresh()
        #expect(own.objectID == id && !albums.map(\.objectID).contains(id))
        #expect(reader.viewContext.object(with: id) === own)
        #expect(try reader.viewContext.count(Album.self) == 4)
        // A copy of what was read goes on with the numbers of the writer.
        let url = URL(filePath: "/Copy")
        try await reader.duplicate(to: url)
        let copy = try await ManagedDocument.open(
            at: url, model: JournalModel.types, files: files)
        #expect(Album(context: copy.viewContext).objectID == ObjectID(entity: "Album", number: 3))
        copy.viewContext.rollback()
        try await copy.close()
        try await writer.close()
    }

    @MainActor
    @Test func `a list follows by itself`() async throws {
        try await withTemporaryDirectory { directory in
            let url = directory.appending(path: "Photos")
            var options = ManagedDocument.Options()
            options.autosave = nil
            let writer = try await ManagedDocument.open(
                at: url, model: JournalModel.types, options: options)
            try await writer.save()
            options.isReadOnly = true
            options.followsWriter = true
            let reader = try await ManagedDocument.open(
                at: url, model: JournalModel.types, options: options)
            let list = try FetchedResultsController(
                FetchRequest<Album>(sortBy: [SortDescriptor(\.title)]), in: reader.viewContext)
            var changes = list.changes.makeAsyncIterator()
            for round in 0..<6 {
                Album(context: writer.viewContext).title = "\(round)"
                try await writer.save()
                // The journal that follows is watched, too.
                if round.isMultiple(of: 2) { try await writer.compact() }
                while list.objects.count <= round { _ = await changes.next() }
                #expect(list.objects.map(\.title) == (0...round).map(String.init))
            }
            try await reader.close()
            try await writer.close()
        }
    }
}

extension ManagedObjectContext {
    fileprivate var ids: [ObjectID] { store.snapshot().records.map(\.id) }
}
