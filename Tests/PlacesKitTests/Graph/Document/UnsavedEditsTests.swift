import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// What becomes of changes of the view context that no save took.
@Suite struct UnsavedEditsTests {
    final class Note: ManagedObject {
        @Attribute(.length(0...5)) var text = ""
    }

    private let files = CrashingFiles()

    private nonisolated(nonsending) func open(
        _ change: (inout ManagedDocument.Options) -> Void = { _ in }
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: URL(filePath: "/Notes"), model: [Note.self], options: .savedByHand(change),
            files: files)
    }

    @MainActor @Test(.endsWaiting)
    func `edits on an actor are saved by themselves, when nothing comes or the time is up`()
        async throws
    {
        let clock = ManualClock()
        let document = try await open {
            $0.autosave = .init(interval: .seconds(10), idle: .seconds(2), clock: clock)
        }
        let note = Note(context: document.viewContext)
        note.text = "one"
        await clock.waitForSleepers()
        #expect(document.viewContext.hasChanges)
        clock.advance(by: .seconds(2))
        try await wait { !document.viewContext.hasChanges }
        #expect(try ManagedObjectContext(document.store).fetch(Note.self).map(\.text) == ["one"])
        // Then it goes to the disk like any commit.
        let steps = files.stepCount
        await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
        try await wait { files.hasSynchronized(since: steps) }
        try await document.close()
    }

    @MainActor @Test(.endsWaiting)
    func `edits that break a rule stay, and the document's state says so until they are mended`()
        async throws
    {
        let clock = ManualClock()
        let document = try await open {
            $0.autosave = .init(interval: .seconds(10), idle: .seconds(2), clock: clock)
        }
        let note = Note(context: document.viewContext)
        note.text = "far too long"
        await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
        try await wait { if case .savingError = document.state { true } else { false } }
        guard case .savingError(let error) = document.state else {
            throw Unexpected(document.state)
        }
        #expect(error.description.contains("Note/0"), "\(error)")
        #expect(error.description.contains("/Notes"))
        #expect(note.text == "far too long" && document.viewContext.hasChanges)
        note.text = "short"
        await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
        try await wait { if case .normal = document.state { true } else { false } }
        #expect(!document.viewContext.hasChanges)
        try await document.close()
    }

    @MainActor @Test(.endsWaiting)
    func `edits that are mended and saved, or given up, are no error of the document at once`()
        async throws
    {
        let clock = ManualClock()
        let document = try await open {
            $0.autosave = .init(interval: .seconds(10), idle: .seconds(2), clock: clock)
        }
        let note = Note(context: document.viewContext)
        let ends: [@MainActor () async throws -> Void] = [
            {
                note.text = "one"
                try await document.save()
            },
            {
                note.text = "two"
                try document.viewContext.save()
            },
            { document.revert() }, { document.viewContext.rollback() },
        ]
        for end in ends {
            note.text = "far too long"
            try await wait {
                clock.advance(by: .seconds(2))
                return if case .savingError = document.state { true } else { false }
            }
            try await end()
            guard case .normal = document.state else { throw Unexpected(document.state) }
        }
        try await document.close()
    }

    @MainActor @Test(.endsWaiting)
    func `edits that break a rule are told of by the path where the document is by then`()
        async throws
    {
        let clock = ManualClock()
        let document = try await open {
            $0.autosave = .init(interval: .seconds(10), idle: .seconds(2), clock: clock)
        }
        try await document.save(as: URL(filePath: "/Moved"))
        let note = Note(context: document.viewContext)
        note.text = "far too long"
        try await wait {
            clock.advance(by: .seconds(2))
            return if case .savingError = document.state { true } else { false }
        }
        guard case .savingError(.unsaved(let path, _)) = document.state else {
            throw Unexpected(document.state)
        }
        #expect(path == "/Moved")
        document.viewContext.rollback()
        try await document.close()
    }

    @MainActor @Test(.endsWaiting)
    func `edits that break a rule and are rolled back are no error of the document any more`()
        async throws
    {
        let clock = ManualClock()
        let document = try await open {
            $0.autosave = .init(interval: .seconds(10), idle: .seconds(2), clock: clock)
        }
        Note(context: document.viewContext).text = "far too long"
        await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
        try await wait { if case .savingError = document.state { true } else { false } }
        document.viewContext.rollback()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
        try await wait { if case .normal = document.state { true } else { false } }
        try await document.close()
    }

    @MainActor @Test(.endsWaiting)
    func `edits that break a rule are tried again when others save what mends it`() async throws {
        let clock = ManualClock()
        let document = try await open {
            $0.autosave = .init(interval: .seconds(10), idle: .seconds(2), clock: clock)
        }
        document.viewContext.mergePolicy = .mergeByPropertyStoreTrump
        let note = Note(context: document.viewContext)
        try await document.save()
        note.text = "far too long"
        // Others wait on the clock, too, and each for a pause that may begin anew.
        try await wait {
            clock.advance(by: .seconds(2))
            return if case .savingError = document.state { true } else { false }
        }
        let other = ManagedObjectContext(document.store)
        other.delete(try #require(try other.fetch(Note.self).first))
        try other.save()
        try await wait {
            clock.advance(by: .seconds(2))
            return if case .normal = document.state { true } else { false }
        }
        #expect(!document.viewContext.hasChanges && note.isDeleted)
        try await document.close()
    }

    /// Lets a document close, with a note that is edited while the disk keeps it waiting.
    @MainActor private func closing(
        _ body:
            @MainActor (ManagedDocument, Task<Void, any Error>, SlowFiles, ManualClock) async throws
            -> Void
    ) async throws {
        try await withTemporaryDirectory { url in
            let (clock, files) = (ManualClock(), SlowFiles())
            let document = try await ManagedDocument.open(
                at: url, model: [Note.self],
                options: .init {
                    $0.autosave = .init(interval: .seconds(2), idle: .seconds(2), clock: clock)
                }, files: files)
            let note = Note(context: document.viewContext)
            let close = Task { @MainActor in try await document.close() }
            try await wait { files.isWaiting }
            note.text = "late"
            await Self.others(clock)
            try await body(document, close, files, clock)
        }
    }

    /// Lets time go on, and what is to be saved by itself have its turn.
    private nonisolated(nonsending) static func others(_ clock: ManualClock) async {
        for _ in 0..<100 {
            clock.advance(by: .seconds(2))
            await Task.yield()
        }
    }

    @MainActor @Test(.endsWaiting)
    func `a document that was edited while it closed is closed, and nothing else`() async throws {
        try await closing { document, close, files, clock in
            guard case .normal = document.state else {
                Issue.record("\(document.state)")
                return files.goOn()
            }
            files.goOn()
            try await close.value
            await Self.others(clock)
            guard case .editingDisabled = document.state else { throw Unexpected(document.state) }
            #expect(document.viewContext.hasChanges)
        }
    }

    @MainActor @Test(.endsWaiting)
    func `what was edited during a close that failed is saved by itself`() async throws {
        try await closing { document, close, files, clock in
            files.fail()
            await #expect(throws: DocumentError.self) { try await close.value }
            try await wait {
                clock.advance(by: .seconds(2))
                return !document.viewContext.hasChanges
            }
            let saved = try ManagedObjectContext(document.store).fetch(Note.self)
            #expect(saved.map(\.text) == ["late"])
            try await document.close()
        }
    }

    @Test func `a document that is dropped with unsaved changes tells, and refuses later saves`()
        async throws
    {
        let told = Mutex<[String]>([])
        var document: ManagedDocument? = try await open {
            $0.onUnsavedChanges = { path in told.withLock { $0.append(path) } }
        }
        try await document?.save()
        let context = try #require(document?.viewContext)
        let note = Note(context: context)
        document = nil
        #expect(told.withLock(\.self) == ["/Notes"])
        #expect(note.text == "")
        #expect(throws: ContextError.readOnly) { try context.save() }
    }

    @Test func `a document that is dropped with nothing unsaved, or was closed, tells nothing`()
        async throws
    {
        let told = Mutex<[String]>([])
        for closes in [true, false] {
            var document: ManagedDocument? = try await open {
                $0.onUnsavedChanges = { path in told.withLock { $0.append(path) } }
            }
            if let context = document?.viewContext { _ = Note(context: context) }
            if closes { try await document?.close() } else { try await document?.save() }
            document = nil
        }
        #expect(told.withLock(\.self) == [])
    }
}
