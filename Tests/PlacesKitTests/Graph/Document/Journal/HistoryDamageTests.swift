import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Files of earlier generations that are damaged, and what a check tells of them.
@Suite struct HistoryDamageTests {
    private let files = CrashingFiles()

    /// A document of the commits 1 to 5 in its first journal, and 6 in its second; each but the first gives an image other
    /// bytes, whose file only its line names.
    private func makeDocument() async throws {
        let document = try await ImageModel.open(files) { $0.keepsHistory = true }
        let image = document.viewContext.addImage("a")
        try await document.save()
        for number in 2...5 {
            image.thumbnail = ImageModel.bytes(40, UInt64(number))
            try await document.save()
        }
        try await document.compact()
        image.thumbnail = ImageModel.bytes(40, 6)
        try await document.save()
        try await document.close()
    }

    private func path(_ name: String) -> FilePath { FilePath("/Photos/\(name)") }

    /// Changes the lines of a journal.
    private func change(_ name: String, _ body: (inout [ArraySlice<UInt8>]) -> Void) throws {
        var lines = try files.read(path(name)).split(separator: UInt8(ascii: "\n"))
        body(&lines)
        try files.replaceFile(
            at: path(name), with: lines.flatMap { $0 + [UInt8(ascii: "\n")] })
    }

    private func verify() async throws -> DocumentReport {
        try await ManagedDocument.verify(at: ImageModel.url, files: files)
    }

    /// Ways in which whole lines of a journal are not those that were written.
    enum Change: CaseIterable {
        case swapped, twice, gone

        func apply(to lines: inout [ArraySlice<UInt8>]) {
            switch self {
            case .swapped: lines.swapAt(2, 3)
            case .twice: lines.insert(lines[2], at: 2)
            case .gone: lines.remove(at: 2)
            }
        }
    }

    @Test(arguments: Change.allCases)
    func `lines of an earlier journal that do not follow each other are told at every door`(
        change: Change
    ) async throws {
        try await makeDocument()
        #expect(try await verify().isSound)
        try self.change("journal-1.jsonl") { change.apply(to: &$0) }
        let report = try await verify()
        #expect(report.canBeOpened && report.lastCommit == 6)
        #expect(report.problems.map(\.file) == ["/Photos/journal-1.jsonl"], "\(report)")
        #expect(report.problems.first?.description.contains("expected the commit") == true)
        let document = try await ImageModel.open(files) {
            ($0.keepsHistory, $0.isReadOnly) = (true, true)
        }
        await #expect(throws: DocumentError.self) { try await document.history() }
        await #expect(throws: DocumentError.self) {
            for try await _ in document.changes(since: 1) {}
        }
        let latest = try await document.snapshot(at: 6).context().image("a")
        #expect(latest?.thumbnail == ImageModel.bytes(40, 6))
    }

    @Test func `the file of bytes that only a line of an earlier journal names is checked, too`()
        async throws
    {
        try await makeDocument()
        // The original is the first, and the thumbnails follow.
        try files.remove(path("blobs/3"))
        let report = try await verify()
        #expect(report.canBeOpened)
        #expect(report.problems.map(\.file) == ["/Photos/blobs/3"], "\(report)")
    }

    @Test func `another generation's journal under the name of an earlier one is told`()
        async throws
    {
        try await makeDocument()
        try files.replaceFile(
            at: path("journal-1.jsonl"), with: files.read(path("journal-2.jsonl")))
        let report = try await verify()
        #expect(report.canBeOpened)
        #expect(report.problems.map(\.file) == ["/Photos/journal-1.jsonl"], "\(report)")
    }

    @Test func `another generation's journal under the name of the latest is not made again`()
        async throws
    {
        try await makeDocument()
        try files.replaceFile(
            at: path("journal-2.jsonl"), with: files.read(path("journal-1.jsonl")))
        let report = try await verify()
        #expect(!report.canBeOpened)
        #expect(report.problems.map(\.file) == ["/Photos/journal-2.jsonl"], "\(report)")
        let error = await #expect(throws: DocumentError.self) { try await ImageModel.open(files) }
        guard case .damaged("/Photos/journal-2.jsonl", _)? = error else { throw Unexpected(error) }
    }

    @Test func `a journal that is missing between others is told`() async throws {
        // Journals follow each other without snapshots between.
        files.fail { step in
            if case .create(_, let path) = step, path.name.contains("snapshot-"),
                !path.name.contains("snapshot-1.")
            {
                ENOSPC
            } else {
                nil
            }
        }
        for number in 1...4 {
            let document = try await ImageModel.open(files) {
                $0.journalLimit = .init(ratio: 0, minimum: 0)
            }
            _ = document.viewContext.addImage("\(number)")
            try await document.save()
            try await document.close()
        }
        files.mend()
        #expect(try await verify().isSound)
        let journals = try files.list(FilePath("/Photos")).filter { $0.hasPrefix("journal-") }
        let third = try journals.first { name in
            let lines = try files.read(path(name)).split(separator: UInt8(ascii: "\n"))
            return lines.dropFirst().contains { $0.starts(with: #"{"commit":3,"#.utf8) }
        }
        try files.remove(path(#require(third)))
        let report = try await verify()
        #expect(!report.canBeOpened)
        #expect(report.problems.count == 1, "\(report)")
        #expect(report.problems.first?.description.contains("ends before the file") == true)
    }

    // MARK: - What a crash or a disk leaves

    /// Lets a save fail so that a part of its line stays, and the next one begins a generation.
    private func failToSave(_ document: ManagedDocument) async {
        files.fail { step in
            switch step {
            case .write, .truncate: EIO
            default: nil
            }
        }
        await #expect(throws: DocumentError.self) { try await document.save() }
        files.mend()
    }

    @Test func `a line that a disk cut short before a generation was begun is no damage`()
        async throws
    {
        let document = try await ImageModel.open(files)
        let image = document.viewContext.addImage("a")
        try await document.save()
        image.tag = Data("1".utf8)
        try await document.save()
        image.tag = Data("2".utf8)
        await failToSave(document)
        try await document.save()
        try await document.close()
        #expect(try files.exists(path("journal-1.jsonl")) && files.exists(path("journal-2.jsonl")))
        let report = try await verify()
        #expect(report.isSound && report.lastCommit == 3, "\(report)")
        #expect(try await ImageModel.open(files).recovery.isEmpty)
    }

    @Test func `what a crash left of a generation without its journal needs no bytes`()
        async throws
    {
        let document = try await ImageModel.open(files)
        _ = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(40, 1))
        try await document.save()
        try await document.compact()
        try await document.close()
        // As if it had begun with bytes that are nowhere else.
        let snapshot = String(decoding: try files.read(path("snapshot-2.json")), as: UTF8.self)
        try files.replaceFile(
            at: path("snapshot-3.json"),
            with: Array(snapshot.replacing(#"{"blob":1,"#, with: #"{"blob":9,"#).utf8))
        let report = try await verify()
        #expect(report.isSound, "\(report)")
    }

    @Test func `after a crash while a generation was begun as a whole, what is read counts`()
        async throws
    {
        var document = try await ImageModel.open(files)
        var image = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(40, 1))
        try await document.save()
        image.thumbnail = ImageModel.bytes(40, 2)
        try await document.save()
        let manifest = try files.read(path("manifest.json"))
        image.tag = Data("1".utf8)
        await failToSave(document)
        image.thumbnail = ImageModel.bytes(40, 3)
        try await document.save()
        try await document.close()
        #expect(try files.exists(path("snapshot-2.json")))
        // As if the process had been killed before it wrote the manifest.
        try files.replaceFile(at: path("manifest.json"), with: manifest)
        document = try await ImageModel.open(files)
        image = try #require(try document.viewContext.image("a"))
        #expect(image.thumbnail == ImageModel.bytes(40, 3))
        image.tag = Data("later".utf8)
        try await document.save()
        try await document.compact()
        try await document.close()
        // What came before it is needed no longer.
        let names = try files.list(FilePath("/Photos"))
        #expect(!names.contains("snapshot-1.json") && names.contains("snapshot-2.json"))
        let report = try await verify()
        #expect(report.isSound, "\(report)")
    }
}
