import Foundation
import Observation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// What saves promise, what happens by itself, and what a document does when the disk fails.
@Suite struct DurabilityTests {
    private typealias Reader = JournalModel.Reader
    private static let url = URL(filePath: "/Photos", directoryHint: .notDirectory)

    private let files = CrashingFiles()

    private func open(
        _ files: CrashingFiles? = nil, _ change: (inout ManagedDocument.Options) -> Void = { _ in }
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: Self.url, model: JournalModel.types, options: .savedByHand(change),
            files: files ?? self.files)
    }

    private func count(_ files: CrashingFiles) async throws -> Int {
        let document = try await open(files)
        return try document.viewContext.count(Reader.self)
    }

    @Test func `a save is as safe as it was asked to be`() async throws {
        let document = try await open()
        try await document.save()
        for (durability, afterDeath, afterCut) in [
            (.memory, 0, 0), (.system, 2, 0), (.disk, 3, 3), (.memory, 3, 3),
        ] as [(ManagedDocument.Durability, Int, Int)] {
            _ = Reader(context: document.viewContext)
            try await document.save(durability: durability)
            #expect(try await count(files.afterProcessDeath()) == afterDeath)
            // Of the ways in which the power may go this is one that keeps nothing unsynchronised.
            let counts = try await withCuts { try await count($0) }
            #expect(counts.min() == afterCut && (counts.max() ?? 0) <= afterDeath)
        }
        try await document.flush()
        #expect(try await withCuts { try await count($0) } == Array(repeating: 4, count: 12))
    }

    private func withCuts<Value>(
        _ body: (CrashingFiles) async throws -> Value
    ) async throws -> [Value] {
        var values: [Value] = []
        for seed in 0..<12 as Range<UInt64> {
            values.append(try await body(files.afterPowerCut(after: files.stepCount, seed: seed)))
        }
        return values
    }

    // MARK: - Failing disks

    @Test(arguments: [28, 5, 13] as [Int32], [ManagedDocument.Durability.system, .disk])
    func `a failing disk is an error, loses nothing, and saving works again when it does`(
        code: Int32, durability: ManagedDocument.Durability
    ) async throws {
        let document = try await open()
        _ = Reader(context: document.viewContext)
        try await document.save()
        let (before, steps) = (try await count(files.afterProcessDeath()), files.stepCount)
        files.fail { _ in code }
        _ = Reader(context: document.viewContext)
        let error = await #expect(throws: DocumentError.self) {
            try await document.save(durability: durability)
        }
        guard case .fileSystem(.failed(_, _, code))? = error, case .savingError = document.state
        else { throw Unexpected("\(error as Any), \(document.state)") }
        #expect(try await count(files.afterProcessDeath()) == before)
        #expect(try document.viewContext.count(Reader.self) == 2)
        #expect(files.stepCount <= steps + 2)
        files.mend()
        try await document.save(durability: durability)
        guard case .normal = document.state else { throw Unexpected(document.state) }
        #expect(try await count(files.afterProcessDeath()) == 2)
        try await document.close()
        #expect(try await withCuts { try await count($0) } == Array(repeating: 2, count: 12))
    }

    @Test func `after a synchronisation that failed the journal is not trusted any more`()
        async throws
    {
        let document = try await open()
        try await document.save()
        files.fail { step in if case .synchronize = step { 5 } else { nil } }
        _ = Reader(context: document.viewContext)
        await #expect(throws: DocumentError.self) { try await document.save() }
        files.mend()
        try await document.flush()
        #expect(try files.list(FilePath("/Photos")).contains("snapshot-2.json"))
        #expect(try await withCuts { try await count($0) } == Array(repeating: 1, count: 12))
    }

    @Test func `observers hear of a save that failed, and of one that did not`() async throws {
        let document = try await open()
        try await document.save()
        let changes = Flag()
        withObservationTracking {
            _ = document.state
        } onChange: {
            changes.set()
        }
        files.fail { _ in 28 }
        _ = Reader(context: document.viewContext)
        await #expect(throws: DocumentError.self) { try await document.save() }
        #expect(changes.isSet)
        files.mend()
        try await document.close()
        guard case .editingDisabled = document.state else { throw Unexpected(document.state) }
    }

    // MARK: - By itself

    @Test(.endsWaiting)
    func `what is committed reaches the disk by itself, when nothing comes or the time is up`()
        async throws
    {
        let clock = ManualClock()
        let document = try await open {
            $0.autosave = .init(interval: .seconds(10), idle: .seconds(2), clock: clock)
        }
        try await document.save()
        for _ in 0..<3 {
            let steps = files.stepCount
            _ = Reader(context: document.viewContext)
            try document.viewContext.save()
            await clock.waitForSleepers()
            #expect(!files.hasSynchronized(since: steps))
            clock.advance(by: .seconds(2))
            try await wait { files.hasSynchronized(since: steps) }
        }
        // Somebody who never pauses does not keep it from being written.
        let steps = files.stepCount
        var turns = 0
        while !files.hasSynchronized(since: steps) {
            _ = Reader(context: document.viewContext)
            try document.viewContext.save()
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            turns += 1
            try await wait { files.hasSynchronized(since: steps) || turns < 12 }
        }
        #expect(turns >= 2)
    }

    @Test(.endsWaiting)
    func `a write at once that failed is tried again a second later, not at once`() async throws {
        let clock = ManualClock()
        let document = try await open {
            $0.autosave = .init(interval: .zero, idle: .zero, clock: clock)
        }
        try await document.save()
        files.fail { _ in 28 }
        _ = Reader(context: document.viewContext)
        try document.viewContext.save()
        await clock.waitForSleepers()
        #expect(clock.sleeps == [.seconds(1)])
        guard case .savingError = document.state else { throw Unexpected(document.state) }
        files.mend()
        clock.advance(by: .seconds(1))
        try await wait { if case .normal = document.state { true } else { false } }
        #expect(try await count(files.afterProcessDeath()) == 1)
        try await document.close()
    }

    @Test(.endsWaiting)
    func `an autosave that is never due sleeps for no longer than clocks count`() async throws {
        let (clock, never) = (ManualClock(), Duration.seconds(Int64.max))
        let document = try await open {
            $0.autosave = .init(interval: never, idle: never, clock: clock)
        }
        _ = Reader(context: document.viewContext)
        try document.viewContext.save()
        await clock.waitForSleepers()
        #expect(clock.sleeps == [.seconds(366 * 24 * 60 * 60)])
        try await document.close()
    }

    @Test(.endsWaiting)
    func `what is committed when a document is forgotten reaches the disk before the lock is free`()
        async throws
    {
        let clock = ManualClock()
        var document: ManagedDocument? = try await open { $0.autosave = .init(clock: clock) }
        try await document?.save()
        if let context = document?.viewContext { _ = Reader(context: context) }
        try document?.viewContext.save()
        document = nil
        var found: ManagedDocument?
        while found == nil {
            found = try? await open()
            await Task.yield()
        }
        #expect(try found?.viewContext.count(Reader.self) == 1)
    }

    @Test func `a journal that outgrows its limit gives way to a snapshot`() async throws {
        let document = try await open { $0.journalLimit = .init(ratio: 1, minimum: 4_000) }
        for number in 0..<60 {
            Reader(context: document.viewContext).name = "\(number)"
            try await document.save(durability: .system)
        }
        try await document.close()
        let names = try files.list(FilePath("/Photos"))
        #expect(names.contains { $0.hasPrefix("snapshot") && $0 > "snapshot-1.json" }, "\(names)")
        #expect(names.count { $0.hasPrefix("snapshot") } <= 2, "\(names)")
        let reopened = try await open()
        #expect(try reopened.viewContext.fetch(Reader.self).map(\.name) == (0..<60).map { "\($0)" })
        #expect(reopened.store.commitNumber == 60)
    }

    // MARK: - Reverting, reading, copying

    @Test func `reverting brings back what is in the files`() async throws {
        let document = try await open()
        let reader = Reader(context: document.viewContext)
        reader.name = "written"
        try await document.save()
        reader.name = "in memory"
        try await document.save(durability: .memory)
        reader.name = "pending"
        document.revert()
        #expect(reader.name == "written" && !document.viewContext.hasChanges)
        try await document.close()
        let reopened = try await open()
        #expect(try reopened.viewContext.fetch(Reader.self).map(\.name) == ["written"])
    }

    @Test
    func `what is reverted keeps no document open whose disk is full, and comes into no file`()
        async throws
    {
        let document = try await open()
        let reader = Reader(context: document.viewContext)
        reader.name = "written"
        try await document.save()
        let journal = FilePath("/Photos/journal-1.jsonl")
        let bytes = try files.read(journal)
        // A full disk lets files be cut and removed.
        files.fail { step in
            switch step {
            case .truncate, .remove: nil
            default: 28
            }
        }
        reader.name = "dropped"
        await #expect(throws: DocumentError.self) { try await document.save() }
        await #expect(throws: DocumentError.self) { try await document.close() }
        document.revert()
        try await document.close()
        files.mend()
        #expect(try files.read(journal) == bytes)
        let reopened = try await open()
        #expect(try reopened.viewContext.fetch(Reader.self).map(\.name) == ["written"])
        try await reopened.close()
    }

    @Test
    func `a document closes on a full disk when it was reverted to what the system was handed`()
        async throws
    {
        let document = try await open()
        let reader = Reader(context: document.viewContext)
        reader.name = "on disk"
        try await document.save()
        reader.name = "handed over"
        try await document.save(durability: .system)
        files.fail { step in
            switch step {
            case .truncate, .remove, .synchronize: nil
            default: 28
            }
        }
        reader.name = "dropped"
        await #expect(throws: DocumentError.self) { try await document.close() }
        document.revert()
        #expect(reader.name == "handed over")
        try await document.close()
        files.mend()
        let reopened = try await open()
        #expect(try reopened.viewContext.fetch(Reader.self).map(\.name) == ["handed over"])
        try await reopened.close()
    }

    @Test func `what may be in the files keeps a document open though it was reverted`()
        async throws
    {
        let document = try await open()
        let reader = Reader(context: document.viewContext)
        reader.name = "written"
        try await document.save()
        files.fail { _ in 28 }
        reader.name = "dropped"
        await #expect(throws: DocumentError.self) { try await document.save() }
        document.revert()
        await #expect(throws: DocumentError.self) { try await document.close() }
        files.mend()
        try await document.close()
        let reopened = try await open()
        #expect(try reopened.viewContext.fetch(Reader.self).map(\.name) == ["written"])
        try await reopened.close()
    }

    @Test func `a document that is being written can be read elsewhere, and is not touched`()
        async throws
    {
        let document = try await open()
        for name in ["a", "b"] {
            Reader(context: document.viewContext).name = name
            try await document.save()
        }
        let steps = files.stepCount
        let copy = try await open { $0.isReadOnly = true }
        #expect(try copy.viewContext.fetch(Reader.self).map(\.name) == ["a", "b"])
        guard case .editingDisabled = copy.state else { throw Unexpected(copy.state) }
        _ = Reader(context: copy.viewContext)
        await #expect(throws: ContextError.self) { try await copy.save() }
        copy.viewContext.rollback()
        try await copy.close()
        #expect(files.stepCount == steps)
        try await document.save()
        let missing = URL(filePath: "/Missing")
        await #expect(throws: DocumentError.self) {
            try await ManagedDocument.open(
                at: missing, model: JournalModel.types, options: .init { $0.isReadOnly = true },
                files: files)
        }
    }

    @Test func `opening tells how many bytes of how many were read`() async throws {
        let document = try await open()
        for number in 0..<200 {
            Reader(context: document.viewContext).name = "\(number)"
            if number == 150 { try await document.save() }
        }
        try await document.close()
        let progress = Progress(totalUnitCount: 0)
        _ = try await open { $0.progress = progress }
        let sizes = try ["snapshot-1.json", "journal-1.jsonl"].map {
            try files.read(FilePath("/Photos/\($0)")).count
        }
        #expect(progress.totalUnitCount == Int64(sizes[0] + sizes[1]))
        #expect(progress.completedUnitCount == progress.totalUnitCount && progress.isFinished)
    }

    @Test func `a copy is a document of its own`() async throws {
        let document = try await open()
        Reader(context: document.viewContext).name = "a"
        try await document.save(durability: .memory)
        let url = URL(filePath: "/Copy", directoryHint: .notDirectory)
        try await document.duplicate(to: url)
        await #expect(throws: DocumentError.self) { try await document.duplicate(to: url) }
        let copy = try await ManagedDocument.open(
            at: url, model: JournalModel.types, files: files)
        #expect(try copy.viewContext.fetch(Reader.self).map(\.name) == ["a"])
        #expect(copy.store.commitNumber == 1)
    }
}

/// Something that happened once.
final class Flag: Sendable {
    private let state = Mutex(false)

    var isSet: Bool { state.withLock(\.self) }

    func set() { state.withLock { $0 = true } }
}

extension CrashingFiles {
    /// Whether anything was brought to the disk after some steps.
    func hasSynchronized(since steps: Int) -> Bool {
        self.steps[steps...].contains { $0.hasPrefix("synchronize ") }
    }
}
