import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What waits for a log, as who has no log sees it.
@Suite(.serialized) struct WaitingCommitsTests {
    private typealias Trip = SharingModel.Trip

    private nonisolated(nonsending) func reading(
        _ url: URL, follows: Bool = false, _ files: any FileSystem = DiskFileSystem()
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: url, model: SharingModel.classes,
            options: .init { ($0.isReadOnly, $0.followsWriter) = (true, follows) }, files: files)
    }

    private func titles(_ document: ManagedDocument) throws -> [String] {
        try ManagedObjectContext(document.store).fetch(FetchRequest<Trip>()).map(\.title).sorted()
    }

    /// Saves a trip, which the log gets, and some that it does not get.
    private nonisolated(nonsending) func save(
        _ member: SharingMember, waiting titles: [String]
    ) async throws {
        Trip(context: try member.context).title = "shared"
        try await member.opened.save(durability: .shared)
        try await member.opened.flush()
        member.connection.cut()
        for title in titles {
            Trip(context: try member.context).title = title
            try await member.opened.save()
        }
    }

    @Test(arguments: [false, true])
    func `who only reads a shared document sees what waits for the log`(
        isClosed: Bool
    ) async throws {
        try await withTwoMembers { first, _, _ in
            try await save(first, waiting: ["one", "two"])
            let content = try first.content()
            if isClosed { try await first.close() }
            let document = try await reading(first.url)
            #expect(try document.store.content() == content)
            #expect(document.recovery.isEmpty)
            let reader = try await DocumentReader.open(at: first.url)
            #expect(try reader.records(RecordQuery("Trip")).count == 3)
            // They have no numbers yet.
            #expect((reader.commit.number, reader.waitingCount) == (1, 2))
            let former = try await DocumentReader.open(at: first.url, commit: 1)
            #expect(try former.records(RecordQuery("Trip")).count == 1)
            #expect(former.waitingCount == 0)
            try await checkDocumentFormat(at: first.url)
            try await document.close()
        }
    }

    @Test(arguments: [false, true])
    func `what is saved after the file of waiting commits was replaced or removed is there`(
        isRemoved: Bool
    ) async throws {
        try await withTwoMembers { first, _, _ in
            try await save(first, waiting: ["one"])
            let outbox = try outbox(of: first)
            let bytes = try Data(contentsOf: outbox)
            // As a program does that keeps folders in step.
            try FileManager.default.removeItem(at: outbox)
            if !isRemoved { try bytes.write(to: outbox) }
            Trip(context: try first.context).title = "two"
            try await first.opened.save()
            let document = try await reading(first.url)
            #expect(try titles(document) == ["one", "shared", "two"])
            try await document.close()
        }
    }

    @Test func `a refresh brings what waits, and then what became of it`() async throws {
        try await withTwoMembers { first, second, _ in
            try await save(first, waiting: [])
            let document = try await reading(first.url)
            #expect(document.store.commitNumber == 1)
            var commits = document.store.commits.makeAsyncIterator()
            let waiting = Trip(context: try first.context)
            waiting.title = "waiting"
            try await first.opened.save()
            try await document.refresh()
            #expect(await commits.next()?.objects.inserted == [waiting.objectID])
            #expect(try document.store.content() == first.content())
            // Nothing differs, so there is no commit.
            try await document.refresh()
            let other = Trip(context: try second.context)
            other.title = "other"
            try await second.opened.save(durability: .shared)
            first.connection.heal()
            try await first.synchronize()
            try await first.opened.flush()
            try await document.refresh()
            #expect(await commits.next()?.objects.inserted == [other.objectID])
            // The log has all, and from here on each commit comes by itself.
            for number in 4...5 {
                Trip(context: try first.context).title = "\(number)"
                try await first.opened.save(durability: .shared)
            }
            try await first.opened.flush()
            try await document.refresh()
            #expect(await commits.next()?.number == 4)
            #expect(await commits.next()?.number == 5)
            #expect(try document.store.content() == first.content())
            try await checkDocumentFormat(at: first.url)
            try await document.close()
        }
    }

    @Test func `a refresh reads what waits and is new, and not the whole document`() async throws {
        try await withTwoMembers { first, _, _ in
            let context = try first.context
            for number in 0..<50 {
                Trip(context: context).title = "\(number)" + String(repeating: "x", count: 4_000)
            }
            try await first.opened.save(durability: .shared)
            try await first.opened.compact()
            // The writer keeps its file of commits, which the log has all.
            try await save(first, waiting: [])
            _ = try outbox(of: first)
            let files = CountedFiles()
            let document = try await reading(first.url, files)
            func refresh() async throws -> Int {
                let start = files.readCount
                try await document.refresh()
                return files.readCount - start
            }
            #expect(try await refresh() < 30_000)
            #expect(try await refresh() < 1_000)
            let trip = Trip(context: context)
            for title in ["waiting", "still waiting"] {
                trip.title = title
                try await first.opened.save()
                Trip(context: context).title = "another"
                try await first.opened.save()
                #expect(try await refresh() < 30_000)
                #expect(try document.store.content() == first.content())
                #expect(try await refresh() < 1_000)
            }
            // Those are one commit of the reader.
            #expect(document.store.commitNumber == 6)
            first.connection.heal()
            try await first.synchronize()
            try await first.opened.flush()
            // The log has it as it was, so the next commits follow in the journal.
            _ = try await refresh()
            Trip(context: context).title = "next"
            try await first.opened.save(durability: .shared)
            try await first.opened.flush()
            #expect(try await refresh() < 30_000)
            #expect(try document.store.content() == first.content())
            #expect(document.store.commitNumber == 7)
            try await document.close()
        }
    }

    @Test func `the first refresh reads nothing where nothing was written since opening`()
        async throws
    {
        try await withTwoMembers { first, _, _ in
            Trip(context: try first.context).title = String(repeating: "x", count: 100_000)
            try await save(first, waiting: ["waiting"])
            let files = CountedFiles()
            let document = try await reading(first.url, files)
            let start = files.readCount
            try await document.refresh()
            #expect(files.readCount - start < 1_000)
            Trip(context: try first.context).title = "still waiting"
            try await first.opened.save()
            try await document.refresh()
            #expect(try document.store.content() == first.content())
            try await document.close()
        }
    }

    @Test func `the feed of a reader has what waited once the log has it as it was`() async throws {
        try await withTwoMembers { first, _, _ in
            try await save(first, waiting: ["waiting"])
            let document = try await reading(first.url)
            first.connection.heal()
            try await first.synchronize()
            try await first.opened.flush()
            try await document.refresh()
            try await document.close()
            var numbers: [Int] = []
            for try await record in document.changes(since: 0) { numbers.append(record.commit) }
            #expect(numbers == [1, 2])
        }
    }

    @Test(arguments: [false, true])
    func `a refresh takes back what waited and was refused`(isClosed: Bool) async throws {
        try await withTwoMembers(.error) { first, second, _ in
            try await save(first, waiting: [])
            try await second.synchronize()
            try second.context.refreshAllObjects()
            let trip = try #require(try second.context.fetch(FetchRequest<Trip>()).first)
            trip.title = "of the second"
            try await second.opened.save(durability: .shared)
            let own = try #require(try first.context.fetch(FetchRequest<Trip>()).first)
            own.title = "of the first"
            try await first.opened.save()
            let document = try await reading(first.url)
            #expect(try titles(document) == ["of the first"])
            first.connection.heal()
            try await first.synchronize()
            // Either brings to disk what others committed, and what waited on top of something else goes.
            if isClosed { try await first.close() } else { try await first.opened.flush() }
            try await document.refresh()
            #expect(try titles(document) == ["of the second"])
            try await document.close()
        }
    }

    @Test func `who follows the writer gets each commit when the log has it`() async throws {
        try await withTwoMembers { first, _, _ in
            try await save(first, waiting: ["waiting"])
            let document = try await reading(first.url, follows: true)
            #expect(try titles(document) == ["shared"])
            first.connection.heal()
            try await first.synchronize()
            try await first.opened.flush()
            try await document.refresh()
            #expect(try titles(document) == ["shared", "waiting"])
            #expect(document.store.commitNumber == 2)
            try await document.close()
        }
    }

    @Test(arguments: [false, true])
    func `a salvaged document has what waits for the log`(isClosed: Bool) async throws {
        try await withTwoMembers { first, _, _ in
            try await save(first, waiting: ["one", "two"])
            if isClosed { try await first.close() }
            let copy = first.url.appendingPathExtension("copy")
            let report = try await ManagedDocument.salvage(from: first.url, to: copy)
            #expect(report.problems.isEmpty)
            #expect((report.lastCommit, report.waitingCount) == (3, 2))
            let document = try await ManagedDocument.open(at: copy, model: SharingModel.classes)
            #expect(try titles(document) == ["one", "shared", "two"])
            try await document.close()
        }
    }

    @Test func `a salvaged document has what waits up to damage, and the report counts the rest`()
        async throws
    {
        try await withTwoMembers { first, _, _ in
            try await save(first, waiting: ["1", "2", "3", "4"])
            try await first.close()
            let outbox = try outbox(of: first)
            var bytes = try Data(contentsOf: outbox)
            let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
            let damaged = try #require(ends.dropLast(2).last) - 30
            bytes[damaged] ^= 1
            try bytes.write(to: outbox)
            let copy = first.url.appendingPathExtension("copy")
            let report = try await ManagedDocument.salvage(from: first.url, to: copy)
            #expect(report.waitingCount == 1)
            #expect(report.problems.map(\.file) == [outbox.path(percentEncoded: false)])
            #expect(report.problems.first?.description.contains("Left out 3 of") == true)
            let document = try await ManagedDocument.open(at: copy, model: SharingModel.classes)
            #expect(try titles(document) == ["1", "shared"])
            try await document.close()
        }
    }

    private func outbox(of member: SharingMember) throws -> URL {
        let files = try FileManager.default.contentsOfDirectory(
            at: member.url, includingPropertiesForKeys: nil)
        return try #require(files.first { $0.lastPathComponent.hasPrefix("outbox-") })
    }

    private final class Picture: ManagedObject {
        @Attribute var title = ""
        @Attribute(.externalStorage) var bytes = Data()
    }

    @Test(arguments: [false, true])
    func `a commit with few bytes, or without a date, does not wait once the journal has it`(
        isUndated: Bool
    ) async throws {
        try await withTemporaryDirectory { directory in
            let url = directory.appending(path: "document")
            var options = ManagedDocument.Options.exchangedByHand()
            if isUndated { options.now = { Date(timeIntervalSinceReferenceDate: .nan) } }
            let document = try await ManagedDocument.open(
                at: url, model: [Picture.self], options: options,
                sharing: MemorySharedLog().connection())
            let picture = Picture(context: document.viewContext)
            picture.title = "few"
            if !isUndated { picture.bytes = Data(1...100) }
            try await document.save(durability: .shared)
            try await document.flush()
            // The writer keeps its file of commits.
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: url.path).contains {
                    $0.hasPrefix("outbox-")
                })
            let reader = try await DocumentReader.open(at: url)
            #expect((reader.commit.number, reader.waitingCount) == (1, 0))
            try await document.close()
        }
    }

    @Test func `commits without a date of two members are told apart by what they changed`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let (log, url) = (MemorySharedLog(), directory.appending(path: "first"))
            var options = ManagedDocument.Options.exchangedByHand()
            options.now = { Date(timeIntervalSinceReferenceDate: .nan) }
            let link = log.connection()
            let first = try await ManagedDocument.open(
                at: url, model: [Picture.self], options: options, sharing: link)
            let picture = Picture(context: first.viewContext)
            try await first.save(durability: .shared)
            try await first.flush()
            let second = try await ManagedDocument.open(
                at: directory.appending(path: "second"), model: [Picture.self], options: options,
                sharing: log.connection())
            try await second.sharing?.synchronize()
            link.cut()
            picture.title = "own"
            try await first.save()
            let outbox = try #require(
                try FileManager.default.contentsOfDirectory(
                    at: url, includingPropertiesForKeys: nil
                ).first { $0.lastPathComponent.hasPrefix("outbox-") })
            let waiting = try Data(contentsOf: outbox)
            second.viewContext.refreshAllObjects()
            let others = try #require(try second.viewContext.fetch(FetchRequest<Picture>()).first)
            others.title = "other"
            try await second.save(durability: .shared)
            link.heal()
            try await first.sharing?.synchronize()
            try await first.close()
            try await second.close()
            // As if it had been killed before the file went.
            try waiting.write(to: outbox)
            let reader = try await DocumentReader.open(at: url)
            // As when they were made: both wait.
            #expect((reader.commit.number, reader.waitingCount) == (0, 2))
        }
    }

    @Test func `the bytes of what waits are there for who reads`() async throws {
        try await withTemporaryDirectory { directory in
            let link = MemorySharedLog().connection()
            let url = directory.appending(path: "document")
            let document = try await ManagedDocument.open(
                at: url, model: [Picture.self], options: .exchangedByHand(), sharing: link)
            link.cut()
            let bytes = Data(repeating: 7, count: 4_000)
            Picture(context: document.viewContext).bytes = bytes
            try await document.save()
            try await checkDocumentFormat(at: url)
            try await document.close()
            let copy = directory.appending(path: "copy")
            _ = try await ManagedDocument.salvage(from: url, to: copy)
            for url in [url, copy] {
                let reader = try await ManagedDocument.open(
                    at: url, model: [Picture.self], options: .init { $0.isReadOnly = true })
                let found = try reader.viewContext.fetch(FetchRequest<Picture>())
                #expect(found.map(\.bytes) == [bytes])
                try await reader.refresh()
                #expect(found.map(\.bytes) == [bytes])
                try await reader.close()
            }
        }
    }
}
