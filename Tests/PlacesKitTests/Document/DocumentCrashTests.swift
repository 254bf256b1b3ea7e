import Foundation
import PlacesKitTesting
import Testing

@testable import PlacesKit

/// What is left when a save does not come to its end.
@Suite struct DocumentCrashTests {
    private typealias Tag = DocumentModel.Tag

    /// The steps of a save that replaces an older one.
    private static let steps = [
        "open temporary", "write temporary", "synchronize temporary", "close temporary",
        "rename snapshot-2.json", "synchronize folder",
        "open temporary", "write temporary", "synchronize temporary", "close temporary",
        "rename manifest.json", "synchronize folder",
        "remove snapshot-1.json",
    ]

    @Test func `a save brings the snapshot to the disk, then the manifest, then cleans up`()
        async throws
    {
        try await withTemporaryDirectory { url in
            try await save("old", at: url)
            let files = RecordedFiles()
            try await save("new", at: url, files: files)
            #expect(files.steps == Self.steps)
        }
    }

    @Test(arguments: 0..<12, [true, false])
    func `a crash or an error at any step of a save leaves the old or the new content`(
        step: Int, isCrash: Bool
    ) async throws {
        try await withTemporaryDirectory { url in
            try await save("old", at: url)
            let files = RecordedFiles(failingAt: step, isCrash: isCrash)
            let error = await #expect(throws: DocumentError.self) {
                try await save("new", at: url, files: files)
            }
            guard case .fileSystem? = error else {
                Issue.record("\(error as Any)")
                return
            }
            // The manifest's new name decides.
            let expected = step <= 10 ? ["old"] : ["old", "new"]
            let found = try await names(at: url)
            #expect(found == expected)
            try await save("next", at: url)
            let after = try await names(at: url)
            #expect(after == expected + ["next"])
            #expect(try DocumentFolder(url: url).names.count == 2)
        }
    }

    @Test(arguments: 0..<12)
    func `a crash at any step of the first save leaves nothing or all of it`(
        step: Int
    ) async throws {
        try await withTemporaryDirectory { url in
            let files = RecordedFiles(failingAt: step, isCrash: true)
            await #expect(throws: DocumentError.self) {
                try await save("new", at: url, files: files)
            }
            // The snapshot's name decides: where there is no manifest the newest one counts.
            let expected = step <= 4 ? [] : ["new"]
            let found = try await names(at: url)
            #expect(found == expected)
        }
    }

    @Test func `an old snapshot that cannot be removed does not fail the save`() async throws {
        try await withTemporaryDirectory { url in
            try await save("old", at: url)
            try await save("new", at: url, files: RecordedFiles(failingAt: 12))
            let folder = DocumentFolder(url: url)
            #expect(try folder.names == ["manifest.json", "snapshot-1.json", "snapshot-2.json"])
            try await save("next", at: url)
            #expect(try folder.names == ["manifest.json", "snapshot-3.json"])
        }
    }

    @Test func `after a save that failed the same document can be saved`() async throws {
        try await withTemporaryDirectory { url in
            for step in 0..<12 {
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
            let first = try Data(contentsOf: folder["snapshot-1.json"])
            for name in ["b", "c"] { try await save(name, at: url) }
            try first.write(to: folder["snapshot-1.json"])
            try FileManager.default.removeItem(at: folder["manifest.json"])
            #expect(try await names(at: url) == ["a", "b", "c"])
            try await save("d", at: url)
            #expect(try folder.names == ["manifest.json", "snapshot-4.json"])
            #expect(try await names(at: url) == ["a", "b", "c", "d"])
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
