import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Journals and snapshots that are damaged, and what is made of them.
@Suite struct JournalDamageTests {
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

    private func add(_ name: String, to document: ManagedDocument) async throws {
        Reader(context: document.viewContext).name = name
        try await document.save()
    }

    private func names(_ document: ManagedDocument) throws -> [String] {
        try document.viewContext.fetch(Reader.self).map(\.name)
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        try files.read(FilePath("/Photos/\(name)"))
    }

    /// A document of the commits a, b, c and d, in one journal.
    private func makeDocument() async throws {
        let document = try await open()
        for name in ["a", "b", "c", "d"] { try await add(name, to: document) }
        try await document.close()
    }

    @Test func `a journal cut off anywhere is dropped from there on, and said so`() async throws {
        try await makeDocument()
        let journal = try bytes("journal-1.jsonl")
        let lines = journal.split(separator: 0x0A).map(\.count)
        for count in stride(from: lines[0] + 1, to: journal.count, by: 7) {
            let copy = files.afterProcessDeath()
            let file = try copy.open(FilePath("/Photos/journal-1.jsonl"), mode: .append)
            try file.truncate(to: count)
            var (whole, end) = (0, lines[0] + 1)
            while whole + 1 < lines.count, end + lines[whole + 1] < count {
                whole += 1
                end += lines[whole] + 1
            }
            let document = try await open(copy)
            #expect(try names(document) == Array(["a", "b", "c", "d"].prefix(whole + 1)))
            #expect(document.store.commitNumber == whole + 1)
            #expect(document.recovery.isEmpty == (count == end), "\(count)")
            if count > end {
                #expect(
                    document.recovery.findings == [
                        .tornJournal(
                            file: "/Photos/journal-1.jsonl", line: whole + 2, byteOffset: end,
                            byteCount: count - end, lastCommit: whole + 1)
                    ])
                #expect(document.recovery.findings.first?.description.contains("cut short") == true)
            }
            try await add("e", to: document)
            try await document.close()
            let reopened = try await open(copy)
            #expect(reopened.recovery.isEmpty)
            #expect(try names(reopened).last == "e" && reopened.store.commitNumber == whole + 2)
        }
    }

    @Test
    func `a byte that changed in what was on disk is told with its line, and nothing is changed`()
        async throws
    {
        try await makeDocument()
        let journal = try bytes("journal-1.jsonl")
        let newLines = journal.indices.filter { journal[$0] == 0x0A }
        // The last line may be one that was cut short: nothing later says that it was on disk.
        for offset in stride(from: 0, to: newLines[newLines.count - 2], by: 7) {
            let copy = files.afterProcessDeath()
            copy.damage("/Photos/journal-1.jsonl", at: offset, with: journal[offset] ^ 4)
            let error = await #expect(throws: DocumentError.self, "byte \(offset)") {
                try await open(copy)
            }
            guard case .damaged("/Photos/journal-1.jsonl", let reason)? = error
            else { throw Unexpected(error) }
            let line = newLines.firstIndex { $0 >= offset } ?? 0
            #expect(reason.line == line + 1 || journal[offset] == 0x0A)
            #expect(copy.steps.isEmpty)
        }
    }

    @Test func `a copy of a journal under the next name is told, and not the journal before it`()
        async throws
    {
        try await makeDocument()
        let copy = try files.open(FilePath("/Photos/journal-2.jsonl"), mode: .createNew)
        try copy.write(bytes("journal-1.jsonl"))
        try copy.close()
        let error = await #expect(throws: DocumentError.self) { try await open() }
        guard case .damaged("/Photos/journal-2.jsonl", let reason)? = error
        else { throw Unexpected(error) }
        #expect("\(reason)".contains("what follows commit 4"))
    }

    @Test func `commits without a snapshot are no new document`() async throws {
        let document = try await open()
        for name in ["a", "b"] { try await add(name, to: document) }
        try await document.close()
        for name in ["manifest.json", "snapshot-1.json"] {
            try files.remove(FilePath("/Photos/\(name)"))
        }
        let journal = try bytes("journal-1.jsonl")
        await #expect(throws: DocumentError.self) { try await open() }
        #expect(try bytes("journal-1.jsonl") == journal)
    }

    @Test func `a line that was cut short goes also where another journal follows`() async throws {
        let document = try await open()
        try await add("a", to: document)
        try await document.compact()
        for name in ["b", "c"] { try await add(name, to: document) }
        try await document.close()
        let journal = try files.open(FilePath("/Photos/journal-2.jsonl"), mode: .append)
        try journal.truncate(to: bytes("journal-2.jsonl").count - 1)
        try journal.close()
        files.damage("/Photos/snapshot-2.json", at: 30, with: 0)
        let mended = try await open()
        #expect(try names(mended) == ["a", "b"])
        try await mended.compact()
        try await add("d", to: mended)
        try await mended.close()
        try checkJournals(at: FilePath("/Photos"), files)
        files.damage("/Photos/snapshot-3.json", at: 30, with: 0)
        #expect(try names(await open()) == ["a", "b", "d"])
    }

    @Test(arguments: [false, true])
    func `a damaged snapshot has another behind it also where its journal begins early`(
        keepingHistory: Bool
    ) async throws {
        let document = try await open { $0.keepsHistory = keepingHistory }
        for name in ["a", "b"] { try await add(name, to: document) }
        try await document.compact()
        for name in ["c", "d"] { try await add(name, to: document) }
        try await document.close()
        // As it was with members that were killed, by earlier versions.
        let third = try bytes("journal-2.jsonl").split(separator: 0x0A)[1] + [0x0A]
        let journal = try files.open(FilePath("/Photos/journal-1.jsonl"), mode: .append)
        try journal.write(Array(third))
        try journal.close()
        files.damage("/Photos/snapshot-2.json", at: 30, with: 0)
        let report = try await ManagedDocument.salvage(
            from: Self.url, to: URL(filePath: "/Copy", directoryHint: .notDirectory), files: files)
        #expect((report.lastCommit, report.objectCount) == (4, 4))
        let reader = try await open { $0.isReadOnly = true }
        #expect(try names(reader) == ["a", "b", "c", "d"])
        var numbers: [Int] = []
        for try await change in reader.changes(since: 1) { numbers.append(change.commit) }
        #expect(numbers == [2, 3, 4])
    }

    @Test func `a damaged snapshot stays for whoever looks into it, until its generation goes`()
        async throws
    {
        let document = try await open()
        try await add("a", to: document)
        try await document.compact()
        try await document.close()
        files.damage("/Photos/snapshot-2.json", at: 30, with: 0)
        let mended = try await open()
        let snapshot = FilePath("/Photos/snapshot-2.json")
        try await mended.compact()
        #expect(try files.exists(snapshot))
        for _ in 0..<2 { try await mended.compact() }
        #expect(try !files.exists(snapshot))
        try await mended.close()
    }

    @Test func `a damaged snapshot falls back to the one before and its journal`() async throws {
        let document = try await open()
        for name in ["a", "b"] { try await add(name, to: document) }
        try await document.compact()
        for name in ["c", "d"] { try await add(name, to: document) }
        try await document.close()
        #expect(
            try files.list(FilePath("/Photos")) == [
                "journal-1.jsonl", "journal-2.jsonl", "manifest.json", "snapshot-1.json",
                "snapshot-2.json",
            ])
        files.damage("/Photos/snapshot-2.json", at: 30, with: 0)
        let reopened = try await open()
        #expect(try names(reopened) == ["a", "b", "c", "d"])
        let finding = reopened.recovery.findings.first?.description
        #expect(
            finding?.contains(
                /^\/Photos\/snapshot-2\.json cannot be used: .*lost: snapshot-1\.json and the journals/
            )
                == true)
        try await add("e", to: reopened)
        try await reopened.close()
        let mended = try await open()
        #expect(mended.recovery.isEmpty)
        #expect(try names(mended) == ["a", "b", "c", "d", "e"])
        try await mended.close()
        // The sound one, and not the damaged one, is kept behind the new one.
        #expect(try files.list(FilePath("/Photos")).contains("snapshot-1.json"))
        // Both snapshots gone: nothing leads to the last commit.
        for snapshot in try files.list(FilePath("/Photos")) where snapshot.hasPrefix("snapshot") {
            files.damage("/Photos/\(snapshot)", at: 30, with: 0)
        }
        await #expect(throws: DocumentError.self) { try await open() }
    }

    @Test(arguments: [false, true])
    func `a manifest that came before its journal is told, and nothing earlier is shown instead`(
        isSnapshotThere: Bool
    ) async throws {
        let document = try await open()
        for name in ["a", "b"] { try await add(name, to: document) }
        try await document.compact()
        for name in ["c", "d"] { try await add(name, to: document) }
        try await document.close()
        let later = try ["snapshot-2.json", "journal-2.jsonl"].map { ($0, try bytes($0)) }
        try files.remove(FilePath("/Photos/journal-2.jsonl"))
        if isSnapshotThere {
            files.damage("/Photos/snapshot-2.json", at: 30, with: 0)
        } else {
            try files.remove(FilePath("/Photos/snapshot-2.json"))
        }
        let count = files.stepCount
        for isReadOnly in [false, true] {
            let error = await #expect(throws: DocumentError.self) {
                try await open { $0.isReadOnly = isReadOnly }
            }
            #expect(error?.description.contains("snapshot-2.json") == true)
        }
        let report = try await ManagedDocument.verify(at: Self.url, files: files)
        #expect(!report.canBeOpened && report.problems.count == 1, "\(report)")
        #expect(files.stepCount == count)
        // What was before can be had by its number.
        let earlier = try await DocumentReader.open(at: Self.url, commit: 2, files: files)
        #expect(earlier.count(of: "Reader") == 2)
        for (name, bytes) in later {
            try files.replaceFile(at: FilePath("/Photos/\(name)"), with: bytes)
        }
        #expect(try names(await open()) == ["a", "b", "c", "d"])
    }

    @Test func `checking tells what is wrong and changes nothing`() async throws {
        try await makeDocument()
        let sound = try await ManagedDocument.verify(at: Self.url, files: files)
        #expect(sound.isSound && sound.lastCommit == 4 && sound.objectCount == 4)
        let length = try bytes("journal-1.jsonl").count
        let torn = files.afterProcessDeath()
        try torn.open(FilePath("/Photos/journal-1.jsonl"), mode: .append).truncate(to: length - 9)
        let report = try await ManagedDocument.verify(at: Self.url, files: torn)
        #expect(report.canBeOpened && !report.isSound && report.lastCommit == 3)
        #expect(report.recovery.findings.count == 1 && torn.stepCount == 1)
        files.damage("/Photos/journal-1.jsonl", at: length / 2, with: 0)
        let damaged = try await ManagedDocument.verify(at: Self.url, files: files)
        #expect(!damaged.canBeOpened)
        #expect(damaged.problems.map(\.file) == ["/Photos/journal-1.jsonl"])
        await #expect(throws: DocumentError.self) {
            try await ManagedDocument.verify(at: URL(filePath: "/nowhere"), files: files)
        }
    }

    @Test func `what can be read of a damaged document becomes a new one`() async throws {
        try await makeDocument()
        let journal = try bytes("journal-1.jsonl")
        let newLines = journal.indices.filter { journal[$0] == 0x0A }
        files.damage("/Photos/journal-1.jsonl", at: newLines[1] + 20, with: 0)
        let copy = URL(filePath: "/Copy", directoryHint: .notDirectory)
        let report = try await ManagedDocument.salvage(from: Self.url, to: copy, files: files)
        #expect(report.lastCommit == 2 && report.objectCount == 2 && report.problems.count == 1)
        let options = ManagedDocument.Options()
        let saved = try await ManagedDocument.open(
            at: copy, model: JournalModel.types, options: options, files: files)
        #expect(try names(saved) == ["a", "b"] && saved.store.commitNumber == 2)
        await #expect(throws: DocumentError.self) {
            try await ManagedDocument.salvage(from: Self.url, to: copy, files: files)
        }
    }

    @Test func `lines of a snapshot that cannot be read are left out of the new document`()
        async throws
    {
        let document = try await open()
        let context = document.viewContext
        for number in 0..<9 {
            let work = JournalModel.Work(context: context)
            work.code = "code \(number)"
            if number > 0 { work.source = try context.fetch(JournalModel.Work.self)[number - 1] }
        }
        try await document.close()
        let text = String(decoding: try bytes("snapshot-1.json"), as: UTF8.self)
        for number in [8, 3] {
            let range = try #require(text.range(of: "code \(number)"))
            files.damage(
                "/Photos/snapshot-1.json",
                at: text.utf8.distance(from: text.startIndex, to: range.lowerBound),
                with: 0)
        }
        let copy = URL(filePath: "/Copy", directoryHint: .notDirectory)
        let report = try await ManagedDocument.salvage(from: Self.url, to: copy, files: files)
        #expect(report.objectCount == 7 && report.problems.count == 4, "\(report)")
        let saved = try await ManagedDocument.open(
            at: copy, model: JournalModel.types, options: ManagedDocument.Options(), files: files)
        let works = try saved.viewContext.fetch(JournalModel.Work.self)
        #expect(works.map(\.code) == [0, 1, 2, 4, 5, 6, 7].map { "code \($0)" })
        // The fifth led to the fourth, which is lost.
        #expect(works.filter { $0.source == nil }.map(\.code) == ["code 0", "code 4"])
        try saved.viewContext.checkIntegrity()
    }
}
