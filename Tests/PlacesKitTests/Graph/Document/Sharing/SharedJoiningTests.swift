import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Documents that were saved without a log, and then join one.
@Suite struct SharedJoiningTests {
    private typealias Trip = SharingModel.Trip
    private typealias Stop = SharingModel.Stop
    private static let url = URL(filePath: "/Trips", directoryHint: .notDirectory)

    /// A document that has been saved several times without a log, and what it holds.
    private nonisolated(nonsending) func makeDocument(
        _ files: CrashingFiles, keepingHistory: Bool = false
    ) async throws -> [String] {
        let document = try await ManagedDocument.open(
            at: Self.url, model: SharingModel.classes,
            options: .exchangedByHand { $0.keepsHistory = keepingHistory }, files: files)
        let trip = Trip(context: document.viewContext)
        trip.title = "Alps"
        for code in ["ZRH", "GVA", "LUG", "BRN"] {
            let stop = Stop(context: document.viewContext)
            stop.code = code
            trip.stops.insert(stop, at: 0)
            try await document.save()
        }
        document.viewContext.delete(trip.stops[1])
        try await document.save(durability: .disk)
        let content = try document.store.content()
        try await document.close()
        return content
    }

    private nonisolated(nonsending) func open(
        _ files: CrashingFiles, _ log: MemorySharedLog, keepingHistory: Bool = false
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: Self.url, model: SharingModel.classes,
            options: .exchangedByHand { $0.keepsHistory = keepingHistory },
            sharing: log.connection(),
            files: files)
    }

    @Test(arguments: [false, true])
    func `a document that was saved without a log joins one, and its objects stay the same`(
        keepingHistory: Bool
    ) async throws {
        let (log, files) = (MemorySharedLog(), CrashingFiles())
        let content = try await makeDocument(files, keepingHistory: keepingHistory)
        var document = try await open(files, log, keepingHistory: keepingHistory)
        #expect(try document.store.content() == content)
        #expect(log.commits.map(\.number) == [1])
        let other = try await open(CrashingFiles(), log)
        try await other.sharing?.synchronize()
        #expect(try other.store.content() == content)
        let context = ManagedObjectContext(other.store)
        let trip = try #require(try context.fetch(FetchRequest<Trip>()).first)
        trip.title = "Alps by train"
        trip.stops.append(Stop(context: context))
        try context.save()
        try await other.save(durability: .shared)
        try await document.sharing?.synchronize()
        let found = ManagedObjectContext(document.store).object(with: trip.objectID) as? Trip
        #expect(found?.title == "Alps by train")
        try await document.close()
        // It has joined once and for all.
        document = try await open(files, log, keepingHistory: keepingHistory)
        #expect(try document.store.content() == other.store.content())
        Stop(context: document.viewContext).code = "BSL"
        try await document.save(durability: .shared)
        try await other.sharing?.synchronize()
        #expect(try document.store.content() == other.store.content())
        #expect(log.commits.map(\.number) == [1, 2, 3])
    }

    @Test(arguments: [false, true])
    func `a document does not join a log that others had first, and stays what it was for good`(
        areFasterMeanwhile: Bool
    ) async throws {
        let files = CrashingFiles()
        let content = try await makeDocument(files)
        // The log is asked for a range, a base and commits before it gets one.
        let log = MemorySharedLog(script: areFasterMeanwhile ? [[.late(4)]] : [])
        let theirs = SharedCommit(opening: 1 << 44, sequence: 1, number: 1, change: "Andes")
        let connection = log.connection()
        if areFasterMeanwhile {
            await #expect(throws: MemorySharedLog.Failure.self) {
                _ = try await connection.append([theirs], after: 0)
            }
        } else {
            #expect(try await connection.append([theirs], after: 0))
        }
        let error = await #expect(throws: DocumentError.self) { _ = try await open(files, log) }
        guard case .notShared? = error else { throw Unexpected(error) }
        for seed in UInt64(0)..<8 {
            let cut = files.afterPowerCut(after: files.stepCount, seed: seed)
            #expect(try await contentUnshared(cut) == content, "seed \(seed)")
        }
        #expect(try await contentUnshared(files) == content)
    }

    /// A document that is a snapshot alone, as an earlier version wrote it, and what it holds.
    private nonisolated(nonsending) func makeSnapshot(
        _ files: CrashingFiles
    ) async throws -> [String] {
        _ = try await makeDocument(files)
        let folder = FilePath(Self.url)
        try files.remove(folder.appending("journal-1.jsonl"))
        let manifest = #"{"placeskit":1,"generation":1,"snapshot":"snapshot-1.json"}"# + "\n"
        try files.replaceFile(at: folder.appending("manifest.json"), with: Array(manifest.utf8))
        return try await contentUnshared(files)
    }

    private nonisolated(nonsending) func contentUnshared(
        _ files: CrashingFiles
    ) async throws -> [String] {
        let document = try await ManagedDocument.open(
            at: Self.url, model: SharingModel.classes, options: .exchangedByHand(),
            files: files)
        let content = try document.store.content()
        try await document.close()
        return content
    }

    @Test func `a document that is a snapshot alone joins a log with its objects`() async throws {
        let (log, files) = (MemorySharedLog(), CrashingFiles())
        let content = try await makeSnapshot(files)
        #expect(content.count == 2)
        let document = try await open(files, log)
        #expect(try document.store.content() == content)
        #expect(log.commits.map(\.number) == [1])
        let other = try await open(CrashingFiles(), log)
        try await other.sharing?.synchronize()
        #expect(try other.store.content() == content)
        let trip = try #require(try document.viewContext.fetch(FetchRequest<Trip>()).first)
        trip.title = "Alps by train"
        try await document.save(durability: .shared)
        try await other.sharing?.synchronize()
        #expect(try document.store.content() == other.store.content())
        let again = try await open(files.afterProcessDeath(), log)
        try await again.sharing?.synchronize()
        #expect(try again.store.content() == other.store.content())
        #expect(log.commits.map(\.number) == [1, 2])
    }

    @Test(arguments: 0..<UInt64(4))
    func `a document that is a snapshot alone joins once, also after a power cut`(
        seed: UInt64
    ) async throws {
        let files = CrashingFiles()
        let content = try await makeSnapshot(files)
        let before = files.stepCount
        let log = MemorySharedLog(script: [[], [], [], [.answerLost]])
        await #expect(throws: MemorySharedLog.Failure.self) { _ = try await open(files, log) }
        let other = try await open(CrashingFiles(), log)
        for steps in before...files.stepCount {
            let (log, cut) = (MemorySharedLog(), files.afterPowerCut(after: steps, seed: seed))
            #expect(try await open(cut, log).store.content() == content, "after \(steps) steps")
            #expect(log.commits.count == 1, "after \(steps) steps")
        }
        let document = try await open(files, log)
        try await other.sharing?.synchronize()
        #expect(try document.store.content() == content)
        #expect(try other.store.content() == content)
        #expect(log.commits.count == 1)
    }

    @Test(arguments: [false, true])
    func `a document that is a snapshot alone does not take over what others have`(
        haveBase: Bool
    ) async throws {
        let (log, files) = (MemorySharedLog(), CrashingFiles())
        let content = try await makeSnapshot(files)
        let other = try await open(CrashingFiles(), log)
        Trip(context: other.viewContext).title = "Baltic"
        try await other.save(durability: .shared)
        if haveBase {
            try await other.compact()
            try await other.sharing?.synchronize()
            #expect(try await log.connection().base(after: 0) != nil)
        }
        let error = await #expect(throws: DocumentError.self) { _ = try await open(files, log) }
        guard case .notShared? = error else { throw Unexpected(error) }
        #expect(try await contentUnshared(files) == content)
    }

    @Test func `an empty document that was saved begins on a base for good`() async throws {
        let (log, files) = (MemorySharedLog(), CrashingFiles())
        let empty = try await ManagedDocument.open(
            at: Self.url, model: SharingModel.classes, options: .exchangedByHand(),
            files: files)
        try await empty.save()
        try await empty.close()
        let other = try await open(CrashingFiles(), log)
        Trip(context: other.viewContext).title = "Baltic"
        try await other.save(durability: .shared)
        try await other.compact()
        try await other.sharing?.synchronize()
        let document = try await open(files, log)
        #expect(try document.store.content() == other.store.content())
        Trip(context: document.viewContext).title = "own"
        try await document.save()
        let again = try await open(files.afterProcessDeath(), log)
        #expect(try again.store.content().count == 2)
        try await again.sharing?.synchronize()
        try await again.flush()
        try await other.sharing?.synchronize()
        #expect(try again.store.content() == other.store.content())
    }

    @Test
    func `a document that joins goes on with what it has, also if others keep a base meanwhile`()
        async throws
    {
        let (log, files) = (MemorySharedLog(), CrashingFiles())
        let content = try await makeDocument(files)
        let theirs = CrashingFiles()
        let watched = WatchedLog(log.connection()) {
            let other = try await ManagedDocument.open(
                at: Self.url, model: SharingModel.classes, options: .exchangedByHand(),
                sharing: log.connection(), files: theirs)
            try await other.sharing?.synchronize()
            let context = ManagedObjectContext(other.store)
            Trip(context: context).title = "Baltic"
            try context.save()
            try await other.save(durability: .shared)
            try await other.compact()
            try await other.sharing?.synchronize()
            #expect(try await log.connection().base(after: 0) != nil)
            try await other.close()
        }
        let document = try await ManagedDocument.open(
            at: Self.url, model: SharingModel.classes, options: .exchangedByHand(),
            sharing: watched, files: files)
        #expect(try document.store.content() == content)
        try await document.sharing?.synchronize()
        let other = try await open(theirs, log)
        #expect(try document.store.content() == other.store.content())
        try await document.close()
        let again = try await open(files, log)
        #expect(try again.store.content() == other.store.content())
    }

    @Test func `a document that joined is known to have, also if the log has forgotten how`()
        async throws
    {
        let files = CrashingFiles()
        _ = try await makeDocument(files)
        // It is asked for a range, a base and commits before it gets the first one.
        let log = MemorySharedLog(script: [[], [], [], [.answerLost]])
        await #expect(throws: MemorySharedLog.Failure.self) { _ = try await open(files, log) }
        let other = try await open(CrashingFiles(), log)
        try await other.sharing?.synchronize()
        Trip(context: other.viewContext).title = "Baltic"
        try await other.save(durability: .shared)
        log.advance(by: .seconds(8 * 24 * 60 * 60))
        try await other.compact()
        try await other.sharing?.synchronize()
        #expect(log.commits.map(\.number) == [2])
        let document = try await open(files, log)
        try await document.sharing?.synchronize()
        #expect(try document.store.content() == other.store.content())
        Trip(context: document.viewContext).title = "own"
        try await document.save(durability: .shared)
        try await other.sharing?.synchronize()
        #expect(try document.store.content() == other.store.content())
    }

    @MainActor @Test(arguments: 0..<4)
    func `one that does not get through to the log comes back to the caller's actor`(
        after requests: Int
    ) async throws {
        let files = CrashingFiles()
        _ = try await makeDocument(files)
        // It asks for a range, a base and commits, and adds its own.
        let log = MemorySharedLog(script: Array(repeating: [], count: requests) + [[.refused]])
        do {
            _ = try await open(files, log)
            Issue.record("The log was reached.")
        } catch {
            #expect(isOnMainQueue)
        }
    }

    @MainActor @Test(arguments: 0..<2)
    func `a new one that does not get through to the log comes back, too`(
        after requests: Int
    ) async throws {
        let log = MemorySharedLog(script: Array(repeating: [], count: requests) + [[.refused]])
        do {
            _ = try await open(CrashingFiles(), log)
            Issue.record("The log was reached.")
        } catch {
            #expect(isOnMainQueue)
        }
    }

    @Test(arguments: 0..<UInt64(4))
    func `a document that a power cut keeps from joining joins later, once`(
        seed: UInt64
    ) async throws {
        let files = CrashingFiles()
        let content = try await makeDocument(files)
        let before = files.stepCount
        // Asked for a range, a base and commits, the log is out of reach for the first commit.
        let unreachable = MemorySharedLog(script: [[], [], [], [.refused]])
        await #expect(throws: MemorySharedLog.Failure.self) {
            _ = try await open(files, unreachable)
        }
        let joining = files.stepCount
        for steps in before...joining {
            let (log, cut) = (MemorySharedLog(), files.afterPowerCut(after: steps, seed: seed))
            #expect(try await open(cut, log).store.content() == content, "after \(steps) steps")
            #expect(log.commits.count == 1, "after \(steps) steps")
        }
        let log = MemorySharedLog(script: [[], [.answerLost]])
        // The range that the folder has, which it was given by the log that was out of reach.
        _ = try await log.connection().claimRange()
        await #expect(throws: MemorySharedLog.Failure.self) { _ = try await open(files, log) }
        #expect(log.commits.count == 1)
        try await open(files, log).close()
        let other = try await open(CrashingFiles(), log)
        for steps in joining...files.stepCount {
            let cut = files.afterPowerCut(after: steps, seed: seed)
            // The log has what the folder of the turn before shared, which was the same one: who joins looks there when
            // the document is opened, and whoever has joined when it saves.
            var document: ManagedDocument
            do {
                document = try await open(cut, log)
            } catch DocumentError.copied {
                document = try await open(cut, log)
            }
            let trip = try #require(try document.viewContext.fetch(FetchRequest<Trip>()).first)
            #expect(trip.stops.map(\.code) == ["BRN", "GVA", "ZRH"], "after \(steps) steps")
            trip.title = "after \(steps) steps"
            do {
                try await document.save(durability: .shared)
            } catch DocumentError.copied {
                try await document.close()
                document = try await open(cut, log)
                try await document.save(durability: .shared)
            }
            try await other.sharing?.synchronize()
            #expect(try document.store.content() == other.store.content(), "after \(steps) steps")
        }
    }
}
