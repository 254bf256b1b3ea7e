import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// How a document's generations begin, whatever happens to their files.
@Suite struct GenerationTests {
    private typealias Reader = JournalModel.Reader
    private static let url = URL(filePath: "/Photos", directoryHint: .notDirectory)

    private let files = CrashingFiles()

    private func open(
        _ change: (inout ManagedDocument.Options) -> Void = { _ in }
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: Self.url, model: JournalModel.types, options: .savedByHand(change), files: files)
    }

    private func path(_ name: String) -> FilePath { FilePath("/Photos/" + name) }

    @Test func `a first save that failed twice in the middle leaves a document that opens`()
        async throws
    {
        let document = try await open()
        _ = Reader(context: document.viewContext)
        files.fail { step in
            if case .rename(_, let new) = step, new.name == "manifest.json" { ENOSPC } else { nil }
        }
        await #expect(throws: DocumentError.self) { try await document.save() }
        _ = Reader(context: document.viewContext)
        files.fail { step in
            if case .rename(_, let new) = step, new.name == "snapshot-2.json" {
                ENOSPC
            } else {
                nil
            }
        }
        await #expect(throws: DocumentError.self) { try await document.save() }
        files.mend()
        let found = try await ManagedDocument.open(
            at: Self.url, model: JournalModel.types, files: files.afterProcessDeath())
        #expect(try found.viewContext.count(Reader.self) == 0)
        try await document.save()
        try await document.close()
        #expect(try await open().viewContext.count(Reader.self) == 2)
    }

    @Test func `a document whose manifest is lost is a document nevertheless`() async throws {
        let document = try await open()
        _ = Reader(context: document.viewContext)
        try await document.close()
        try files.remove(path("manifest.json"))
        let report = try await ManagedDocument.verify(at: Self.url, files: files)
        #expect(report.canBeOpened)
        let reader = try await open { $0.isReadOnly = true }
        #expect(try reader.viewContext.count(Reader.self) == 1)
        #expect(try await open { $0.createsDocument = false }.viewContext.count(Reader.self) == 1)
    }

    @Test func `a document whose manifest is lost gets one before another snapshot may count`()
        async throws
    {
        var document = try await open()
        _ = Reader(context: document.viewContext)
        try await document.close()
        try files.remove(path("manifest.json"))
        document = try await open()
        _ = Reader(context: document.viewContext)
        try await document.save()
        files.fail { step in
            if case .create(_, let path) = step, path.name.contains("journal-2") {
                ENOSPC
            } else {
                nil
            }
        }
        await #expect(throws: DocumentError.self) { try await document.compact() }
        let found = try await ManagedDocument.open(
            at: Self.url, model: JournalModel.types, files: files.afterProcessDeath())
        #expect(try found.viewContext.count(Reader.self) == 2)
        #expect(found.store.commitNumber == document.store.commitNumber)
    }

    @Test func `a snapshot without a manifest and a journal is told to lack both`() async throws {
        let document = try await open()
        _ = Reader(context: document.viewContext)
        try await document.save()
        try await document.compact()
        try await document.close()
        for name in try files.list(FilePath("/Photos")) where !name.hasPrefix("snapshot-") {
            try files.remove(path(name))
        }
        let found = try await open()
        #expect(try found.viewContext.count(Reader.self) == 1)
        #expect(found.recovery.findings.count == 1)
        #expect(found.recovery.findings.first?.description.contains("counted from 0") == true)
        try await found.close()
        #expect(try await open().recovery.isEmpty)
    }

    @Test func `of two snapshots of one generation that counts which the manifest names`()
        async throws
    {
        let document = try await open()
        _ = Reader(context: document.viewContext)
        try await document.save()
        try await document.compact()
        try await document.close()
        let other = try await ManagedDocument.open(
            at: URL(filePath: "/Other", directoryHint: .notDirectory), model: JournalModel.types,
            files: files)
        try await other.convert(to: .binaryPropertyList)
        try await other.close()
        // As if somebody had converted an earlier one.
        let folder = FilePath("/Other")
        let list = try #require(try files.list(folder).first { $0.hasSuffix(".plist") })
        let snapshot = try #require(
            try files.list(FilePath("/Photos")).filter { $0.hasPrefix("snapshot-") }.max())
        try files.replaceFile(
            at: path(snapshot.replacing(".json", with: ".plist")),
            with: files.read(folder.appending(list)))
        #expect(try await open { $0.isReadOnly = true }.viewContext.count(Reader.self) == 1)
        try files.remove(path("manifest.json"))
        let error = await #expect(throws: DocumentError.self) { try await open() }
        guard case .incomplete("/Photos/manifest.json")? = error else { throw Unexpected(error) }
        try files.remove(path(snapshot))
        #expect(try await open().viewContext.count(Reader.self) == 0)
    }

    @Test func `a folder with a manifest of something else is left alone`() async throws {
        try files.makeDirectory(at: FilePath("/Photos"))
        try files.replaceFile(at: path("manifest.json"), with: Array(#"{"name":"An app"}"#.utf8))
        let steps = files.stepCount
        await #expect(throws: DocumentError.self) { try await open() }
        #expect(files.stepCount == steps)
        let other = try await ManagedDocument.open(
            at: URL(filePath: "/Other", directoryHint: .notDirectory), model: JournalModel.types,
            files: files)
        try await other.save()
        await #expect(throws: DocumentError.self) { try await other.duplicate(to: Self.url) }
        #expect(files.stepCount > steps)
        #expect(try files.read(path("manifest.json")) == Array(#"{"name":"An app"}"#.utf8))
    }

    @Test func `a conversion that fails is told, and the format stays`() async throws {
        let document = try await open()
        _ = Reader(context: document.viewContext)
        try await document.save()
        files.fail { step in
            if case .create(_, let path) = step, path.name.contains("plist") { ENOSPC } else { nil }
        }
        await #expect(throws: DocumentError.self) {
            try await document.convert(to: .binaryPropertyList)
        }
        #expect(document.format == .json)
        files.mend()
        try await document.convert(to: .binaryPropertyList)
        #expect(document.format == .binaryPropertyList)
        _ = Reader(context: document.viewContext)
        try await document.close()
        let reopened = try await open()
        #expect(reopened.format == .binaryPropertyList)
        #expect(try reopened.viewContext.count(Reader.self) == 2)
        try await reopened.close()
        let reader = try await open { $0.isReadOnly = true }
        await #expect(throws: DocumentError.self) { try await reader.convert(to: .json) }
    }

    @Test(
        arguments: [nil, .binaryPropertyList] as [ManagedDocument.Format?],
        ["snapshot-", "journal-"])
    func `after a compaction or conversion that failed, saves add to the journal as before`(
        format: ManagedDocument.Format?, name: String
    ) async throws {
        let document = try await open()
        _ = Reader(context: document.viewContext)
        try await document.save()
        files.fail { step in
            if case .create(_, let path) = step, path.name.contains(name) { ENOSPC } else { nil }
        }
        await #expect(throws: DocumentError.self) {
            if let format {
                try await document.convert(to: format)
            } else {
                try await document.compact()
            }
        }
        for _ in 0..<3 {
            _ = Reader(context: document.viewContext)
            try await document.save()
        }
        #expect(
            try files.list(FilePath("/Photos"))
                == ["journal-1.jsonl", "manifest.json", "snapshot-1.json"])
        try await expectReaders(4)
        files.mend()
        try await document.compact()
        _ = Reader(context: document.viewContext)
        try await document.save()
        try await expectReaders(5)
    }

    @Test func `after a compaction whose journal could not be opened, saves add to the one before`()
        async throws
    {
        try await withTemporaryDirectory { url in
            var options = ManagedDocument.Options()
            options.autosave = nil
            let document = try await ManagedDocument.open(
                at: url, model: JournalModel.types, options: options,
                files: UnopenedFiles(name: "journal-2.jsonl"))
            _ = Reader(context: document.viewContext)
            try await document.save()
            await #expect(throws: DocumentError.self) { try await document.compact() }
            _ = Reader(context: document.viewContext)
            try await document.save()
            let names = try DiskFileSystem().list(FilePath(url))
            #expect(names == ["journal-1.jsonl", "lock", "manifest.json", "snapshot-1.json"])
            try await document.compact()
            _ = Reader(context: document.viewContext)
            try await document.close()
            let reopened = try await ManagedDocument.open(
                at: url, model: JournalModel.types, options: options)
            #expect(try reopened.viewContext.count(Reader.self) == 3)
            try await reopened.close()
        }
    }

    @Test
    func `after a compaction whose manifest could not be written, saves add to the journal before`()
        async throws
    {
        let document = try await open()
        _ = Reader(context: document.viewContext)
        try await document.save()
        files.fail { step in
            if case .create(_, let path) = step, path.name.contains("manifest") {
                ENOSPC
            } else {
                nil
            }
        }
        await #expect(throws: DocumentError.self) { try await document.compact() }
        #expect(
            try files.list(FilePath("/Photos"))
                == ["journal-1.jsonl", "manifest.json", "snapshot-1.json"])
        _ = Reader(context: document.viewContext)
        try await document.save()
        files.mend()
        try await expectReaders(2)
    }

    @Test
    func `a compaction that fails leaves a next journal in which somebody else has committed`()
        async throws
    {
        let document = try await open()
        for _ in 0..<2 {
            _ = Reader(context: document.viewContext)
            try await document.save()
        }
        // As a program brings it that keeps folders in step.
        let other = try files.read(path("journal-1.jsonl"))
        try files.replaceFile(at: path("journal-2.jsonl"), with: other)
        files.fail { step in
            if case .create(_, let path) = step, path.name.contains("snapshot") {
                ENOSPC
            } else {
                nil
            }
        }
        await #expect(throws: DocumentError.self) { try await document.compact() }
        files.mend()
        #expect(try files.read(path("journal-2.jsonl")) == other)
        _ = Reader(context: document.viewContext)
        try await document.save()
        #expect(try files.exists(path("snapshot-3.json")))
        try await expectReaders(3)
    }

    @Test func `after a compaction that may have left its journal, a save begins a generation`()
        async throws
    {
        let document = try await open()
        _ = Reader(context: document.viewContext)
        try await document.save()
        let isRenamed = Flag()
        files.fail { step in
            switch step {
            case .rename(_, let new) where new.name == "journal-2.jsonl":
                isRenamed.set()
                return nil
            case .synchronizeDirectory: return isRenamed.isSet ? EIO : nil
            default: return nil
            }
        }
        await #expect(throws: DocumentError.self) { try await document.compact() }
        files.mend()
        _ = Reader(context: document.viewContext)
        try await document.save()
        #expect(try files.exists(path("snapshot-3.json")))
        try await expectReaders(2)
    }

    @Test func `while the next journal cannot be begun, saves add to the one that there is`()
        async throws
    {
        let document = try await open { $0.journalLimit = .init(ratio: 1, minimum: 4_000) }
        files.fail { step in
            if case .create(_, let path) = step, path.name.contains("journal-"),
                !path.name.contains("journal-1.")
            {
                ENOSPC
            } else {
                nil
            }
        }
        for _ in 0..<60 {
            _ = Reader(context: document.viewContext)
            try await document.save()
        }
        #expect(
            try files.list(FilePath("/Photos"))
                == ["journal-1.jsonl", "manifest.json", "snapshot-1.json"])
        files.mend()
        _ = Reader(context: document.viewContext)
        try await document.close()
        let names = try files.list(FilePath("/Photos"))
        #expect(names.contains { $0.hasPrefix("snapshot") && $0 != "snapshot-1.json" }, "\(names)")
        try await expectReaders(61)
    }

    /// Expects the document to have all objects after a power cut.
    private func expectReaders(_ count: Int) async throws {
        for seed in 0..<12 as Range<UInt64> {
            let found = try await ManagedDocument.open(
                at: Self.url, model: JournalModel.types,
                files: files.afterPowerCut(after: files.stepCount, seed: seed))
            #expect(try found.viewContext.count(Reader.self) == count)
        }
    }

    @Test func `a closed document ends its feed and writes nothing when it is asked`() async throws
    {
        let document = try await open { $0.keepsHistory = true }
        for _ in 0..<3 {
            _ = Reader(context: document.viewContext)
            try await document.save()
        }
        try await document.close()
        let steps = files.stepCount
        #expect(try await document.history().map(\.id).last == 3)
        var commits: [Int] = []
        for try await change in document.changes(since: 1) { commits.append(change.commit) }
        #expect(commits == [2, 3])
        #expect(files.stepCount == steps)
    }

    @Test func `after a snapshot of the highest number there is none, and no commit is lost`()
        async throws
    {
        var document = try await open()
        _ = Reader(context: document.viewContext)
        try await document.close()
        let stray = path("snapshot-\(Int64.max / 2).json")
        try files.replaceFile(at: stray, with: files.read(path("snapshot-1.json")))
        document = try await open()
        let error = await #expect(throws: DocumentError.self) { try await document.compact() }
        guard case .fileSystem(.unexpected(path: stray.description, found: .foreign))? = error
        else { throw Unexpected(error) }
        for _ in 0..<3 {
            _ = Reader(context: document.viewContext)
            try await document.save()
        }
        try await document.close()
        try files.remove(stray)
        document = try await open()
        #expect(try document.viewContext.count(Reader.self) == 4)
        try await document.compact()
        try await document.close()
        #expect(try await open().viewContext.count(Reader.self) == 4)
    }

    @Test func `an object of the highest number there is opens with its journal`() async throws {
        let document = try await open()
        _ = Reader(context: document.viewContext)
        try await document.close()
        let snapshot = path("snapshot-1.json")
        let text = String(decoding: try files.read(snapshot), as: UTF8.self)
        try files.replaceFile(
            at: snapshot,
            with: Array(text.replacing(#"{"id":0"#, with: #"{"id":9223372036854775807"#).utf8))
        let reopened = try await open()
        let reader = try #require(try reopened.viewContext.fetch(Reader.self).first)
        #expect(reader.objectID.number == .max)
    }
}
