import Dispatch
import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// What writes a document, and when it is asked to.
@Suite struct DocumentWriterTests {
    private typealias Reader = JournalModel.Reader

    private let files = CrashingFiles()

    private func open(
        _ files: CrashingFiles, _ change: (inout ManagedDocument.Options) -> Void = { _ in }
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: URL(filePath: "/Photos"), model: JournalModel.types, options: .savedByHand(change),
            files: files)
    }

    @Test func `saves that wait for the disk share one trip to it`() async throws {
        let document = try await open(files)
        try await document.save()
        let (writer, steps) = (document.writer, files.stepCount)
        let store = document.store
        let gate = DispatchSemaphore(value: 0)
        writer.queue.submit { gate.wait() }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<5 {
                let context = ManagedObjectContext(store, isolation: nil)
                _ = Reader(context: context)
                try? context.save()
                group.addTask { try? await writer.queue.run { try writer.write(.disk) } }
            }
            gate.signal()
        }
        #expect(files.stepCount == steps + 2, "\(files.steps.suffix(4))")
        let found = try await open(files.afterPowerCut(after: files.stepCount, seed: 0))
        #expect(try found.viewContext.count(Reader.self) == 5)
    }

    @Test func `however many commits wait for a save, only the last ones hold graphs`() async throws
    {
        let document = try await open(files)
        var reader: Reader?
        for number in 0..<20 {
            if let former = reader { document.viewContext.delete(former) }
            reader = Reader(context: document.viewContext)
            reader?.name = "reader \(number)"
            try document.viewContext.save()
        }
        document.writer.log.seal()
        #expect(
            document.writer.log.entries.map { $0.made != nil }
                == Array(repeating: false, count: 16) + Array(repeating: true, count: 4))
        let account = document.store.account
        try await document.close()
        #expect(try await open(files).store.account == account)
    }

    @Test func `commits that bring bytes for a file of their own wait as they were made`()
        async throws
    {
        let document = try await ImageModel.open(files)
        let context = document.viewContext
        let image = context.addImage("first")
        try context.save()
        for number in 1..<8 {
            image.name = "name \(number)"
            if number == 2 { image.thumbnail = ImageModel.bytes(100) }
            try context.save()
        }
        document.writer.log.seal()
        let isKept = document.writer.log.entries.map { $0.made != nil }
        #expect(isKept == [true, false, true, false, true, true, true, true])
        try await document.save()
        let blobs = document.writer.directory.blobs
        #expect(try blobs.files.list(blobs.path).count == 2)
        try await document.close()
        let found = try await ImageModel.open(files)
        let images = try found.viewContext.fetch(FetchRequest<ImageModel.Image>())
        #expect(images.map(\.thumbnail) == [ImageModel.bytes(100)])
    }

    @Test func `bytes that objects lost count until there is a snapshot without them`() async throws
    {
        let document = try await ImageModel.open(files) {
            $0.journalLimit = .init(ratio: 0, minimum: 10_000)
        }
        let image = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(50_000))
        try await document.save()
        files.fail { step in
            guard case .create(_, let path) = step, path.name.contains("snapshot-2") else {
                return nil
            }
            return POSIXError.Code.ENOSPC.rawValue
        }
        image.thumbnail = nil
        try await document.save()
        try await document.writer.finishSnapshot()
        files.mend()
        let snapshot = FilePath("/Photos/snapshot-3.json")
        #expect(try !files.exists(snapshot))
        image.name = "b"
        try await document.save()
        try await document.writer.finishSnapshot()
        #expect(try files.exists(snapshot))
        try await document.close()
    }

    @Test(.timeLimit(.minutes(20)))
    func `who commits without a pause does not fill the memory with what waits for it`()
        async throws
    {
        let clock = ManualClock()
        let document = try await open(files) { $0.autosave = .init(clock: clock) }
        for _ in 0..<600 {
            _ = Reader(context: document.viewContext)
            try document.viewContext.save()
        }
        // Time stands still: nobody waited for it.
        while document.writer.log.entries.count >= CommitLog.crowdSize { await Task.yield() }
        #expect(document.writer.log.latest == 600)
        #expect(document.writer.log.written.number > 600 - CommitLog.crowdSize)
    }

    @Test(.timeLimit(.minutes(20)), arguments: [true, false])
    func `where nothing can be written, or is by itself, lines take the place of graphs`(
        isBroken: Bool
    ) async throws {
        let document = try await open(files) {
            if isBroken { $0.autosave = .init(clock: ManualClock()) }
        }
        if isBroken {
            try await document.save()
            files.fail { _ in POSIXError.Code.ENOSPC.rawValue }
        }
        for _ in 0..<300 {
            _ = Reader(context: document.viewContext)
            try document.viewContext.save()
            #expect(document.writer.log.entries.count { $0.made != nil } <= CommitLog.limit + 1)
        }
        while document.writer.log.entries.count(where: { $0.made != nil }) >= CommitLog.crowdSize {
            await Task.yield()
        }
        files.mend()
        try await document.close()
        #expect(try await open(files).viewContext.count(Reader.self) == 300)
    }

    @Test func `without an actor nobody touches the context`() async throws {
        let document = try await open(files) { $0.autosave = .init() }
        #expect(document.viewContext.listeners.turns == nil)
        try await document.close()
    }
}
