import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// A member that is killed when its journal has the first of the commits that its file of waiting ones still has.
@Suite(.serialized) struct KilledMemberTests {
    private typealias Trip = SharingModel.Trip

    private nonisolated(nonsending) func open(
        _ url: URL, _ log: any SharedLog, keepingHistory: Bool = false,
        files: any FileSystem = DiskFileSystem()
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: url, model: SharingModel.classes,
            options: .exchangedByHand { $0.keepsHistory = keepingHistory }, sharing: log,
            files: files)
    }

    private nonisolated(nonsending) func reading(
        _ url: URL, follows: Bool = false
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: url, model: SharingModel.classes,
            options: .init { ($0.isReadOnly, $0.followsWriter) = (true, follows) })
    }

    private nonisolated(nonsending) func share(
        _ numbers: ClosedRange<Int>, by document: ManagedDocument
    ) async throws {
        for number in numbers {
            Trip(context: document.viewContext).title = "\(number)"
            try await document.save(durability: .shared)
            try await document.flush()
        }
    }

    /// The folder of a member with five commits, which the log has, as it is while the document is open.
    private nonisolated(nonsending) func killed(
        in directory: URL, _ log: MemorySharedLog, keepingHistory: Bool
    ) async throws -> URL {
        let (url, copy) = (directory.appending(path: "open"), directory.appending(path: "killed"))
        let document = try await open(url, log.connection(), keepingHistory: keepingHistory)
        try await share(1...5, by: document)
        try FileManager.default.copyItem(at: url, to: copy)
        try await document.close()
        return copy
    }

    private func titles(of document: ManagedDocument) throws -> [String] {
        try ManagedObjectContext(document.store).fetch(FetchRequest<Trip>()).map(\.title).sorted()
    }

    @Test(arguments: [false, true])
    func `who follows a member that was killed gets on when it is opened again`(
        keepingHistory: Bool
    ) async throws {
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog()
            let url = try await killed(in: directory, log, keepingHistory: keepingHistory)
            let follower = try await reading(url, follows: true)
            #expect(follower.store.commitNumber == 5)
            let link = log.connection()
            let writer = try await open(url, link, keepingHistory: keepingHistory)
            link.cut()
            // The log has the others.
            #expect(writer.sharing?.state == .upToDate)
            Trip(context: writer.viewContext).title = "6"
            try await writer.save()
            try await writer.compact()
            try await follower.refresh()
            #expect(follower.store.commitNumber == 5)
            link.heal()
            try await writer.sharing?.synchronize()
            try await share(7...7, by: writer)
            try await follower.refresh()
            #expect(follower.store.commitNumber == 7)
            #expect(try titles(of: follower) == (1...7).map(String.init))
            try await writer.close()
            try await follower.close()
        }
    }

    @Test(arguments: [false, true])
    func `a damaged snapshot of a member that was killed has another one behind it`(
        keepingHistory: Bool
    ) async throws {
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog()
            let url = try await killed(in: directory, log, keepingHistory: keepingHistory)
            let writer = try await open(url, log.connection(), keepingHistory: keepingHistory)
            try await writer.compact()
            try await share(6...9, by: writer)
            try await writer.close()
            try checkJournals(at: FilePath(url), DiskFileSystem())
            try emptyLatestSnapshot(of: url)
            let reader = try await reading(url)
            #expect(reader.store.commitNumber == 9)
            #expect(try titles(of: reader).count == 9)
            #expect(reader.recovery.findings.count == 1)
            try await reader.close()
            let copy = directory.appending(path: "salvaged")
            let report = try await ManagedDocument.salvage(from: url, to: copy)
            #expect((report.lastCommit, report.objectCount) == (9, 9))
        }
    }

    @Test(arguments: [false, true])
    func `the feed of a member that was killed goes on with the next commit`(
        keepingHistory: Bool
    ) async throws {
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog()
            let url = try await killed(in: directory, log, keepingHistory: keepingHistory)
            let document = try await open(url, log.connection(), keepingHistory: keepingHistory)
            var feed = document.changes(since: 5).makeAsyncIterator()
            try await share(6...7, by: document)
            #expect(try await feed.next()?.commit == 6)
            #expect(try await feed.next()?.commit == 7)
            var whole = document.changes(since: 0).makeAsyncIterator()
            for number in 1...7 { #expect(try await whole.next()?.commit == number) }
            try await document.close()
        }
    }

    @Test func `a log that lost what a killed member has of it is another one`() async throws {
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog()
            let url = try await killed(in: directory, log, keepingHistory: false)
            // The file of waiting commits begins on none, and the log has them no more.
            let empty = MemorySharedLog()
            let document = try await open(url, empty.connection())
            Trip(context: document.viewContext).title = "own"
            try await document.save()
            let error = await #expect(throws: DocumentError.self) {
                try await document.sharing?.synchronize()
            }
            guard case .differentLog? = error else { throw Unexpected(error) }
            #expect(empty.commits.isEmpty)
        }
    }

    // MARK: - Others were first

    private static let url = URL(filePath: "/Trips", directoryHint: .notDirectory)

    /// The steps of a member that gets a commit of another one, and makes again what waited.
    private nonisolated(nonsending) func late(
        _ log: MemorySharedLog, keepingHistory: Bool
    ) async throws -> (files: CrashingFiles, steps: ClosedRange<Int>) {
        let (files, link) = (CrashingFiles(), log.connection())
        let document = try await open(
            Self.url, link, keepingHistory: keepingHistory, files: files)
        let other = try await open(Self.url, log.connection(), files: CrashingFiles())
        link.cut()
        for title in ["own 1", "own 2"] {
            Trip(context: document.viewContext).title = title
            try await document.save()
        }
        Trip(context: other.viewContext).title = "other"
        try await other.save(durability: .shared)
        let before = files.stepCount
        link.heal()
        try await document.sharing?.synchronize()
        try await document.flush()
        return (files, before...files.stepCount)
    }

    @Test(arguments: [false, true], 0..<UInt64(2))
    func `a member whose power goes when others were first loses nothing, nor has it twice`(
        keepingHistory: Bool, seed: UInt64
    ) async throws {
        var (step, isDone) = (0, false)
        while !isDone {
            let log = MemorySharedLog()
            let (files, steps) = try await late(log, keepingHistory: keepingHistory)
            isDone = steps.lowerBound + step >= steps.upperBound
            var found = files.afterPowerCut(after: steps.lowerBound + step, seed: seed)
            let link = log.connection()
            var late: [String] = []
            // A snapshot that is begun meanwhile takes nothing from what waits.
            for title in ["late 1", "late 2", "late 3"] {
                let document = try await open(
                    Self.url, link, keepingHistory: keepingHistory, files: found)
                link.cut()
                Trip(context: document.viewContext).title = title
                late.append(title)
                try await document.save()
                try await document.compact()
                #expect(Set(try titles(of: document)).isSuperset(of: ["own 1", "own 2"] + late))
                found = found.afterProcessDeath()
                try checkJournals(at: FilePath(Self.url), found)
            }
            link.heal()
            for _ in 0..<2 {
                let document = try await open(
                    Self.url, link, keepingHistory: keepingHistory, files: found)
                try await document.sharing?.synchronize()
                try await document.flush()
                #expect(
                    try titles(of: document) == late + ["other", "own 1", "own 2"],
                    "after \(step) steps")
                #expect(document.sharing?.conflicts.isEmpty == true)
                found = found.afterProcessDeath()
                try checkJournals(at: FilePath(Self.url), found)
            }
            #expect(log.commits.count == 6)
            step += 1
        }
    }
}

/// Checks that each journal of a document goes on from the one before it, or from a later commit.
func checkJournals(
    at folder: FilePath, _ files: any FileSystem,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    if let gap = try journalThatGoesBack(at: folder, files) {
        Issue.record("\(gap)", sourceLocation: sourceLocation)
    }
}

/// What there is to say of a journal that begins before the end of the one before it; `nil` where none does.
func journalThatGoesBack(at folder: FilePath, _ files: any FileSystem) throws -> String? {
    let generations = try files.list(folder).compactMap { name in
        name.hasPrefix("journal-") && name.hasSuffix(".jsonl")
            ? Int(name.dropFirst(8).dropLast(6)) : nil
    }
    var last = 0
    for generation in generations.sorted() {
        let bytes = try files.read(folder.appending("journal-\(generation).jsonl"))
        let numbers = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            String(decoding: line, as: UTF8.self).firstMatch(of: /"commit":(\d+)/)
                .flatMap { Int($0.1) }
        }
        guard let first = numbers.first else { continue }
        guard first >= last else {
            return "journal \(generation) begins at \(first), the one before ends at \(last)"
        }
        last = numbers.last ?? first
    }
    return nil
}
