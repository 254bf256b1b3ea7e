import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct DocumentSaveTests {
    private typealias Item = DocumentModel.Item
    private typealias Tag = DocumentModel.Tag

    @Test func `the second save adds a line to the journal`() async throws {
        try await withTemporaryDirectory { url in
            let folder = DocumentFolder(url: url)
            let names = ["journal-1.jsonl", "manifest.json", "snapshot-1.json"]
            let document = try await DocumentModel.open(url)
            try await document.save()
            #expect(try folder.names == names)
            let contents = try folder.contents
            Tag(context: document.viewContext).name = "a"
            try await document.save()
            #expect(try folder.names == names)
            let changed = try folder.contents.filter { contents[$0] != $1 }
            let journal = try #require(contents["journal-1.jsonl"])
            #expect(changed.keys.sorted() == ["journal-1.jsonl"])
            #expect(changed["journal-1.jsonl"]?.starts(with: journal) == true)
            let added = changed["journal-1.jsonl"]?.dropFirst(journal.count) ?? Data()
            #expect(added.count { $0 == 0x0A } == 1 && added.last == 0x0A)
        }
    }

    @Test func `a save writes nothing when nothing changed`() async throws {
        try await withTemporaryDirectory { url in
            let files = RecordedFiles()
            let document = try await DocumentModel.open(url, files: files)
            let tag = Tag(context: document.viewContext)
            try await document.save()
            let steps = files.steps
            tag.name = "a"
            tag.name = ""
            try await document.save()
            try await document.close()
            let reopened = try await DocumentModel.open(url, files: files)
            try await reopened.close()
            #expect(
                files.steps
                    == steps + [
                        "synchronize folder", "open journal-1.jsonl", "synchronize journal-1.jsonl",
                    ])
        }
    }

    @Test func `of many saves at once the last content is on disk`() async throws {
        try await DocumentModel.with { document, url in
            let store = document.store
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let context = ManagedObjectContext(store)
                        Tag(context: context).name = "\(number)"
                        try? context.save()
                    }
                }
            }
            try await document.save()
            try await document.close()
            let reopened = try await DocumentModel.open(url)
            #expect(reopened.store.account == store.account)
            #expect(try reopened.viewContext.count(Tag.self) == 20)
        }
    }

    @Test func `a save that breaks a rule leaves the disk as it was`() async throws {
        try await withTemporaryDirectory { url in
            let folder = DocumentFolder(url: url)
            let document = try await DocumentModel.open(url)
            let item = Item(context: document.viewContext)
            item.code = "a"
            try await document.save()
            let contents = try folder.contents
            let other = Item(context: document.viewContext)
            await #expect(throws: ContextError.self) { try await document.save() }
            other.code = "a"
            await #expect(throws: ContextError.self) { try await document.save() }
            await #expect(throws: ContextError.self) { try await document.close() }
            #expect(try folder.contents == contents)
            other.code = "b"
            try await document.close()
            #expect(try await DocumentModel.open(url).viewContext.count(Item.self) == 2)
        }
    }

    @Test func `a closed document is not saved, and may be closed again`() async throws {
        try await DocumentModel.with { document, url in
            try await document.close()
            try await document.close()
            let error = await #expect(throws: DocumentError.self) { try await document.save() }
            guard case .closed(url.path(percentEncoded: false))? = error
            else { throw Unexpected(error) }
            let reopened = try await DocumentModel.open(url)
            try await reopened.close()
        }
    }

    @Test func `other files in the directory are left alone`() async throws {
        try await withTemporaryDirectory { url in
            let folder = DocumentFolder(url: url)
            let document = try await DocumentModel.open(url)
            let names = [
                "snapshot-of-paris.json", "snapshot-1.png", "snapshot-01.json", "snapshot-x",
                "notes.txt", "snapshot--1.json", "snapshot-+1.json",
            ]
            for name in names { try Data("mine".utf8).write(to: folder[name]) }
            for name in ["a", "b"] {
                Tag(context: document.viewContext).name = name
                try await document.save()
            }
            #expect(
                try folder.names
                    == (names + ["journal-1.jsonl", "manifest.json", "snapshot-1.json"]).sorted())
        }
    }

    // MARK: - The caller's actor

    @Test(.endsWaiting) @MainActor
    func `the caller's actor goes on while the disk is slow`() async throws {
        try await withTemporaryDirectory { url in
            let files = SlowFiles()
            let document = try await DocumentModel.open(url, files: files)
            Tag(context: document.viewContext).name = "saved"
            let save = Task { @MainActor in try await document.save() }
            try await wait { files.isWaiting }

            // The save waits for the disk; this actor changes and saves in memory meanwhile.
            Tag(context: document.viewContext).name = "meanwhile"
            try document.viewContext.save()
            #expect(try DocumentFolder(url: url).names.allSatisfy { !$0.hasSuffix(".json") })
            files.goOn()
            try await save.value
            #expect(try DocumentFolder(url: url).text.contains("saved"))
            try await document.close()
            let reopened = try await DocumentModel.open(url).viewContext
            #expect(try reopened.fetch(Tag.self).map(\.name).sorted() == ["meanwhile", "saved"])
        }
    }

    @Test(.endsWaiting) @MainActor
    func `no save outlives the lock when the document closes`() async throws {
        try await withTemporaryDirectory { url in
            let files = SlowFiles()
            let document = try await DocumentModel.open(url, files: files)
            let close = Task { @MainActor in try await document.close() }
            try await wait { files.isWaiting }
            Tag(context: document.viewContext).name = "late"
            await #expect(throws: DocumentError.self) { try await document.save() }
            await #expect(throws: DocumentError.self) { try await DocumentModel.open(url) }
            files.goOn()
            try await close.value
            let reopened = try await DocumentModel.open(url)
            #expect(try reopened.viewContext.count(Tag.self) == 0)
        }
    }

    @Test(.endsWaiting) @MainActor
    func `a close waits for the one that is under way`() async throws {
        try await withTemporaryDirectory { url in
            let files = SlowFiles()
            let document = try await DocumentModel.open(url, files: files)
            Tag(context: document.viewContext).name = "saved"
            let first = Task { @MainActor in try await document.close() }
            try await wait { files.isWaiting }
            // It runs when this test waits.
            Task { @MainActor in files.goOn() }
            try await document.close()
            #expect(try DocumentFolder(url: url).text.contains("saved"))
            let reopened = try await DocumentModel.open(url)
            try await reopened.close()
            try await first.value
        }
    }

    @Test @MainActor
    func `a close fails with the one that is under way`() async throws {
        let files = CrashingFiles()
        let document = try await DocumentModel.open(
            URL(filePath: "/Photos", directoryHint: .notDirectory), files: files)
        Tag(context: document.viewContext).name = "saved"
        files.fail { _ in 28 }
        let first = Task { @MainActor in try await document.close() }
        await Task.yield()
        await #expect(throws: DocumentError.self) { try await document.close() }
        await #expect(throws: DocumentError.self) { try await first.value }
        files.mend()
        try await document.close()
    }
}
