import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What is read while somebody else writes.
@Suite struct BesideWriterTests {
    private let files = CrashingFiles()

    private func commits(of document: ManagedDocument, _ names: [String]) async throws {
        for name in names {
            let image = try document.viewContext.image("a") ?? document.viewContext.addImage("a")
            image.thumbnail = Data(name.utf8)
            try await document.save()
        }
    }

    /// A document before and after a writer has begun two generations, and removed all files of before.
    private func replaced() async throws -> (former: CrashingFiles, later: CrashingFiles) {
        let document = try await ImageModel.open(files)
        try await commits(of: document, ["1", "2"])
        try await document.compact()
        try await commits(of: document, ["3"])
        let former = files.afterProcessDeath()
        for name in ["4", "5"] {
            try await commits(of: document, [name])
            try await document.compact()
        }
        try await commits(of: document, ["6"])
        try await document.close()
        let later = files.afterProcessDeath()
        let kept = Set(try former.list(FilePath("/Photos"))).intersection(
            try later.list(FilePath("/Photos")))
        #expect(kept == ["manifest.json", "blobs"])
        return (former, later)
    }

    /// A document while a record is being written, and when it is written.
    private func begun() async throws -> (former: CrashingFiles, later: CrashingFiles) {
        let document = try await ImageModel.open(files)
        try await commits(of: document, ["1", "2"])
        let later = files.afterProcessDeath()
        let former = files.afterProcessDeath()
        let journal = FilePath("/Photos/journal-1.jsonl")
        try former.open(journal, mode: .append).truncate(to: try former.read(journal).count - 9)
        return (former, later)
    }

    @Test func `a document is sound at whatever look its writer has replaced the files`()
        async throws
    {
        let (former, later) = try await replaced()
        for moment in 0... {
            let files = ReplacedFiles(former, by: later, at: moment)
            let report = try await ManagedDocument.verify(at: ImageModel.url, files: files)
            #expect(report.isSound, "look \(moment): \(report)")
            #expect([3, 6].contains(report.lastCommit))
            if files.looks.count <= moment { break }
        }
    }

    /// The files of a document in one generation after another, each with all images changed, and for how many looks each is
    /// to last: twice as long as opening takes.
    private func generations(
        ofImages count: Int
    ) async throws -> (states: [CrashingFiles], duration: Int) {
        let document = try await ImageModel.open(files)
        let images = (0..<count).map { document.viewContext.addImage("\($0)") }
        var states: [CrashingFiles] = []
        for round in 0..<40 {
            for image in images { image.thumbnail = Data("\(image.name) \(round)".utf8) }
            try await document.save()
            try await document.compact()
            states.append(files.afterProcessDeath())
        }
        try await document.close()
        let still = ReplacedFiles(states[0], by: states[0], at: .max)
        _ = try await ImageModel.open(still) { $0.isReadOnly = true }
        return (states, 2 * still.looks.count)
    }

    @Test func `a document is sound whose writer replaces files faster than all of them are read`()
        async throws
    {
        let (states, duration) = try await generations(ofImages: 20)
        for duration in duration..<duration + 6 {
            let busy = BusyFiles(states, changingAfter: duration)
            let report = try await ManagedDocument.verify(at: ImageModel.url, files: busy)
            #expect(report.isSound, "\(duration) looks: \(report)")
        }
    }

    private static let copy = URL(filePath: "/Copy", directoryHint: .notDirectory)

    /// Salvages a document that somebody writes; gives the images of the new one.
    private func salvage(
        _ source: any UnchangedFiles, _ comment: Comment
    ) async throws -> (report: DocumentReport, thumbnails: [String: Data?]) {
        let files = CopiedFiles(source, to: FilePath(Self.copy))
        let report = try await ManagedDocument.salvage(
            from: ImageModel.url, to: Self.copy, files: files)
        #expect(report.isSound, "\(comment): \(report)")
        #expect(try await ManagedDocument.verify(at: Self.copy, files: files).isSound, comment)
        let document = try await ImageModel.open(files, at: Self.copy) { $0.isReadOnly = true }
        #expect(document.store.commitNumber == report.lastCommit, comment)
        let images = try document.viewContext.fetch(ImageModel.Image.self)
        return (
            report, Dictionary(uniqueKeysWithValues: images.map { ($0.name, $0.thumbnail) })
        )
    }

    @Test func `a document is salvaged whole at whatever look its writer has replaced the files`()
        async throws
    {
        let (former, later) = try await replaced()
        for moment in 0... {
            let files = ReplacedFiles(former, by: later, at: moment)
            let (report, thumbnails) = try await salvage(files, "look \(moment)")
            #expect([3, 6].contains(report.lastCommit), "look \(moment)")
            #expect(thumbnails == ["a": Data("\(report.lastCommit)".utf8)], "look \(moment)")
            if files.looks.count <= moment { break }
        }
    }

    @Test func `a document is salvaged whole whose writer begins generations all the time`()
        async throws
    {
        let (states, duration) = try await generations(ofImages: 3)
        for duration in duration..<duration + 6 {
            let busy = BusyFiles(states, changingAfter: duration)
            let (report, thumbnails) = try await salvage(busy, "\(duration) looks")
            // Each round is a commit.
            for name in ["0", "1", "2"] {
                #expect(
                    thumbnails[name] == Data("\(name) \(report.lastCommit - 1)".utf8),
                    "\(duration) looks")
            }
        }
    }

    @Test func `a document is read at whatever look its writer has replaced the files`()
        async throws
    {
        let (former, later) = try await replaced()
        for moment in 0... {
            let files = ReplacedFiles(former, by: later, at: moment)
            let document = try await ImageModel.open(files) { $0.isReadOnly = true }
            #expect([3, 6].contains(document.store.commitNumber), "look \(moment)")
            #expect(document.recovery.isEmpty, "look \(moment)")
            if files.looks.count <= moment { break }
        }
    }

    @Test func `without its classes a document is read at whatever look, too`() async throws {
        let (former, later) = try await replaced()
        for moment in 0... {
            let files = ReplacedFiles(former, by: later, at: moment)
            let reader = try await DocumentReader.open(at: ImageModel.url, files: files)
            #expect([3, 6].contains(reader.commit.number), "look \(moment)")
            #expect([3, 6].contains(try await reader.history().last?.id), "look \(moment)")
            if files.looks.count <= moment { break }
        }
    }

    @Test func `a record that is just being written is no damage`() async throws {
        let (former, later) = try await begun()
        let crashed = ReplacedFiles(former, by: later, at: .max)
        let torn = try await ManagedDocument.verify(at: ImageModel.url, files: crashed)
        #expect(torn.recovery.findings.count == 1 && torn.lastCommit == 1)
        let last = try #require(crashed.looks.lastIndex(of: FilePath(ImageModel.url)))
        for moment in 0...last {
            let files = ReplacedFiles(former, by: later, at: moment)
            let report = try await ManagedDocument.verify(at: ImageModel.url, files: files)
            #expect(report.isSound && report.lastCommit == 2, "look \(moment): \(report)")
        }
    }

    @Test func `a commit that is just being written is read when it is there`()
        async throws
    {
        let (former, later) = try await begun()
        let crashed = ReplacedFiles(former, by: later, at: .max)
        let torn = try await ImageModel.open(crashed) { $0.isReadOnly = true }
        #expect(torn.recovery.findings.count == 1 && torn.store.commitNumber == 1)
        let last = try #require(crashed.looks.lastIndex(of: FilePath(ImageModel.url)))
        for moment in 0...last {
            let files = ReplacedFiles(former, by: later, at: moment)
            let document = try await ImageModel.open(files) { $0.isReadOnly = true }
            #expect(document.recovery.isEmpty, "look \(moment)")
            #expect(document.store.commitNumber == 2, "look \(moment)")
        }
    }

    @Test func `what was committed is listed at whatever look the files are replaced`()
        async throws
    {
        let (former, later) = try await replaced()
        let opened = ReplacedFiles(former, by: later, at: .max)
        _ = try await ImageModel.open(opened) { $0.isReadOnly = true }
        for moment in opened.looks.count... {
            let files = ReplacedFiles(former, by: later, at: moment)
            let document = try await ImageModel.open(files) { $0.isReadOnly = true }
            #expect([3, 6].contains(try await document.history().last?.id), "look \(moment)")
            do {
                let objects = try await document.snapshot(at: document.store.commitNumber)
                #expect([3, 6].contains(objects.commitNumber), "look \(moment)")
            } catch HistoryError.notKept {
                // The writer keeps no history.
            }
            if files.looks.count <= moment { break }
        }
    }

    @Test func `who follows a history that is trimmed all the time is told what it keeps`()
        async throws
    {
        let document = try await ImageModel.open(files) { $0.keepsHistory = true }
        for number in 1...12 {
            try await commits(of: document, ["\(number)"])
            try await document.compact()
        }
        try await document.close()
        var states = [files.afterProcessDeath()]
        for generation in 1...11 {
            let state = states[generation - 1].afterProcessDeath()
            for name in ["snapshot-\(generation).json", "journal-\(generation).jsonl"] {
                try state.remove(FilePath("/Photos/" + name))
            }
            states.append(state)
        }
        var refusals = 0
        for duration in 1...30 {
            let files = BusyFiles(states, changingAfter: duration)
            let reader = try await ImageModel.open(files) { $0.isReadOnly = true }
            var last = 1
            do {
                for try await change in reader.changes(since: 1, waiting: 1) {
                    #expect(change.commit == last + 1, "changing after \(duration) looks")
                    last = change.commit
                }
                #expect(last == 12, "changing after \(duration) looks")
            } catch HistoryError.notKept(let number, let kept) {
                refusals += 1
                #expect(number == last, "changing after \(duration) looks")
                #expect(kept.upperBound == 12, "changing after \(duration) looks")
                // Whoever begins there gets the rest: the last journal that stays follows commit 11.
                #expect((last + 1...11).contains(kept.lowerBound), "\(duration): \(kept)")
            } catch {
                Issue.record("changing after \(duration) looks: \(error)")
            }
        }
        // With a change at each look the first commits are gone before they are read.
        #expect(refusals > 0)
    }

    @Test func `at whatever look a document is made, there is the whole of it or none`()
        async throws
    {
        let document = try await ImageModel.open(files)
        try await commits(of: document, ["1", "2"])
        let later = files.afterProcessDeath()
        // The first save has made the journal, and nothing else yet.
        let former = files.afterProcessDeath()
        for name in ["manifest.json", "snapshot-1.json"] {
            try former.remove(FilePath("/Photos/\(name)"))
        }
        let journal = FilePath("/Photos/journal-1.jsonl")
        let end = try #require(try former.read(journal).firstIndex(of: UInt8(ascii: "\n")))
        try former.open(journal, mode: .append).truncate(to: end + 1)
        for moment in 0... {
            let files = ReplacedFiles(former, by: later, at: moment)
            do {
                let document = try await ImageModel.open(files) { $0.isReadOnly = true }
                #expect(document.store.commitNumber == 2, "look \(moment)")
            } catch DocumentError.missing {
                // There was none when it was looked for.
            }
            if files.looks.count <= moment { break }
        }
        try await document.close()
    }

    @Test func `where a writer has saved nothing yet, there is no document`() async throws {
        let document = try await ImageModel.open(files)
        for missing in ["/Photos", "/Missing"] {
            let error = await #expect(throws: DocumentError.self) {
                try await ImageModel.open(
                    files, at: URL(filePath: missing, directoryHint: .notDirectory)
                ) { $0.isReadOnly = true }
            }
            guard case .missing(missing)? = error else { throw Unexpected(error) }
        }
        try await document.close()
    }
}
