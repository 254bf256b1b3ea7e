import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What is left when a save does not come to its end.
@Suite struct DocumentCrashTests {
    private typealias Tag = DocumentModel.Tag

    @Test func `a save adds to the journal and brings it to the disk`() async throws {
        try await withTemporaryDirectory { url in
            try await save("old", at: url)
            let files = RecordedFiles()
            try await save("new", at: url, files: files)
            #expect(
                files.steps == [
                    "synchronize folder", "open journal-1.jsonl", "synchronize journal-1.jsonl",
                    "write to journal-1.jsonl", "synchronize journal-1.jsonl",
                ])
        }
    }

    @Test
    func `the first generation is a journal, then a snapshot, then the manifest that names them`()
        async throws
    {
        try await withTemporaryDirectory { url in
            let files = RecordedFiles()
            try await save("new", at: url, files: files)
            let replacement = [
                "open temporary", "write to temporary", "synchronize temporary", "close temporary",
            ]
            let names = ["journal-1.jsonl", "snapshot-1.json", "manifest.json"]
            let steps = names.flatMap { name in
                // A journal that cannot be opened is no reason to write what follows it.
                replacement + ["replace \(name)", "synchronize folder"]
                    + (name.hasPrefix("journal") ? ["open \(name)"] : [])
            }
            #expect(files.steps == ["synchronize folder"] + steps)
        }
    }

    @Test(arguments: 0..<5, [true, false])
    func `a crash or an error at any step of a save leaves the old or the new content`(
        step: Int, isCrash: Bool
    ) async throws {
        try await withTemporaryDirectory { url in
            try await save("old", at: url)
            let files = RecordedFiles(failingAt: step, isCrash: isCrash)
            let error = await #expect(throws: DocumentError.self) {
                try await save("new", at: url, files: files)
            }
            guard case .fileSystem? = error else { throw Unexpected(error) }
            // What was handed to the system is there, though nobody was told so.
            let expected = step <= 3 ? ["old"] : ["old", "new"]
            let found = try await names(at: url)
            #expect(found == expected)
            try await save("next", at: url)
            let after = try await names(at: url)
            #expect(after == expected + ["next"])
        }
    }

    @Test(arguments: 1..<20)
    func `a crash at any step of the first save leaves nothing or all of it`(
        step: Int
    ) async throws {
        try await withTemporaryDirectory { url in
            let files = RecordedFiles(failingAt: step, isCrash: true)
            await #expect(throws: DocumentError.self) {
                try await save("new", at: url, files: files)
            }
            // The snapshot's name decides: where there is no manifest the newest one counts.
            let expected = step <= 12 ? [] : ["new"]
            let found = try await names(at: url)
            #expect(found == expected)
            try await save("next", at: url)
            #expect(try await names(at: url) == expected + ["next"])
        }
    }

    @Test func `after a save that failed the same document can be saved`() async throws {
        try await withTemporaryDirectory { url in
            for step in 1..<20 {
                let files = RecordedFiles(failingAt: step)
                let folder = url.appending(path: "\(step)")
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: false)
                let document = try await DocumentModel.open(folder, files: files)
                Tag(context: document.viewContext).name = "a"
                await #expect(throws: DocumentError.self) { try await document.save() }
                try await document.save()
                try await document.close()
                #expect(try await names(at: folder) == ["a"])
            }
        }
    }

    @Test func `without its manifest a document has the content of its newest snapshot`()
        async throws
    {
        try await withTemporaryDirectory { url in
            let folder = DocumentFolder(url: url)
            try await save("a", at: url)
            let document = try await DocumentModel.open(url)
            for name in ["b", "c"] {
                Tag(context: document.viewContext).name = name
                try await document.save()
                try await document.compact()
            }
            Tag(context: document.viewContext).name = "d"
            try await document.close()
            #expect(
                try folder.names == [
                    "journal-2.jsonl", "journal-3.jsonl", "manifest.json", "snapshot-2.json",
                    "snapshot-3.json",
                ])
            try FileManager.default.removeItem(at: folder["manifest.json"])
            #expect(try await names(at: url) == ["a", "b", "c", "d"])
            try await save("e", at: url)
            #expect(try await names(at: url) == ["a", "b", "c", "d", "e"])
        }
    }

    // MARK: - Documents

    private func save(
        _ name: String, at url: URL, files: any FileSystem = DiskFileSystem()
    ) async throws {
        let document = try await DocumentModel.open(url, files: files)
        Tag(context: document.viewContext).name = name
        try await document.save()
        try await document.close()
    }

    private func names(at url: URL) async throws -> [String] {
        let document = try await DocumentModel.open(url)
        return try document.viewContext.fetch(Tag.self).map(\.name)
    }
}
