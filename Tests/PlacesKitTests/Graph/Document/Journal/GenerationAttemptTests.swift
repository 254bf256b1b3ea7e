import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// Generations that could not be begun, and what is left of them.
@Suite struct GenerationAttemptTests {
    private typealias Reader = JournalModel.Reader

    private let files = CrashingFiles()

    private func open(_ files: CrashingFiles? = nil) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: URL(filePath: "/Photos", directoryHint: .notDirectory), model: JournalModel.types,
            options: .savedByHand(), files: files ?? self.files)
    }

    @Test(arguments: ["snapshot-", "manifest"])
    func `a document that was never saved closes on a full disk once all is reverted`(
        name: String
    ) async throws {
        let document = try await open()
        _ = Reader(context: document.viewContext)
        files.fail { step in
            if case .create(_, let path) = step, path.name.contains(name) { ENOSPC } else { nil }
        }
        await #expect(throws: DocumentError.self) { try await document.save() }
        document.revert()
        try await document.close()
        files.mend()
        let reopened = try await open()
        #expect(reopened.store.commitNumber == 0 && reopened.recovery.isEmpty)
        #expect(try reopened.viewContext.count(Reader.self) == 0)
        try await reopened.close()
    }

    @Test(arguments: [false, true])
    func `what a first save has left that failed never counts for another commit than it was`(
        hasManifest: Bool
    ) async throws {
        let document = try await open()
        _ = Reader(context: document.viewContext)
        let isNamed = Mutex(false)
        files.fail { step in
            switch step {
            case .create(_, let path) where path.name.contains("manifest") && !hasManifest:
                return ENOSPC
            case .remove where !hasManifest: return EIO
            case .rename(_, let path) where path.name == "manifest.json":
                isNamed.withLock { $0 = true }
                return nil
            case .synchronizeDirectory where isNamed.withLock(\.self): return EIO
            default: return nil
            }
        }
        await #expect(throws: DocumentError.self) { try await document.save() }
        files.mend()
        let first = files.stepCount
        try await document.save()
        for step in first...files.stepCount {
            for seed in UInt64(0)..<8 {
                let found = try await open(files.afterPowerCut(after: step, seed: seed))
                #expect(
                    try found.viewContext.count(Reader.self) == found.store.commitNumber,
                    "step \(step), seed \(seed)")
                try await found.close()
            }
        }
        try await document.close()
    }

    @Test
    func `after a compaction whose journal may come back a save begins a generation`()
        async throws
    {
        try await withTemporaryDirectory { url in
            let document = try await ManagedDocument.open(
                at: url, model: JournalModel.types, options: .savedByHand(),
                files: CrowdedFiles(opening: "journal-2.jsonl"))
            _ = Reader(context: document.viewContext)
            try await document.save()
            await #expect(throws: DocumentError.self) { try await document.compact() }
            _ = Reader(context: document.viewContext)
            try await document.save()
            // In the journal before nobody would find it who finds the one that a power cut brought back.
            #expect(try DiskFileSystem().list(FilePath(url)).contains("snapshot-3.json"))
            try await document.close()
            let reopened = try await ManagedDocument.open(
                at: url, model: JournalModel.types, options: .savedByHand())
            #expect(try reopened.viewContext.count(Reader.self) == 2)
            try await reopened.close()
        }
    }
}

/// The machine's file system, in which too many files are open when a file of one name is opened to write it, and when a
/// folder is brought to disk the next time.
private final class CrowdedFiles: DiskFiles {
    let disk = DiskFileSystem()
    private let name: String
    private let isCrowded = Mutex(false)

    init(opening name: String) { self.name = name }

    func open(_ path: FilePath, mode: FileMode) throws(FileSystemError) -> any WritableFile {
        if path.name == name {
            isCrowded.withLock { $0 = true }
            throw .failed(.open, path: path.description, code: EMFILE)
        }
        return try disk.open(path, mode: mode)
    }

    func synchronizeDirectory(_ path: FilePath) throws(FileSystemError) {
        let fails = isCrowded.withLock { isCrowded in
            defer { isCrowded = false }
            return isCrowded
        }
        if fails { throw .failed(.open, path: path.description, code: EMFILE) }
        try disk.synchronizeDirectory(path)
    }
}
