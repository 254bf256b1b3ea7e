import PlacesKit
import Testing

@Suite struct FileReplacementTests {
    private struct Interruption: Error {}

    private let files: any FileSystem = DiskFileSystem()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `a file is made, then replaced, and nothing else is left`() throws {
        try files.replaceFile(at: folder["file"], with: Array("old".utf8))
        try files.replaceFile(at: folder["file"]) { file in
            try file.write(Array("new ".utf8))
            try file.write(Array("content".utf8))
        }
        #expect(try files.read(folder["file"]) == Array("new content".utf8))
        #expect(try files.list(folder.path) == ["file"])
    }

    @Test func `a replacement that fails leaves the old content and nothing else`() throws {
        try files.replaceFile(at: folder["file"], with: Array("old".utf8))
        #expect(throws: Interruption.self) {
            try files.replaceFile(at: folder["file"]) { file in
                try file.write(Array("half".utf8))
                #expect(try files.read(folder["file"]) == Array("old".utf8))
                throw Interruption()
            }
        }
        #expect(try files.read(folder["file"]) == Array("old".utf8))
        #expect(try files.list(folder.path) == ["file"])
    }

    @Test(arguments: [String(repeating: "n", count: 255), "n" + String(repeating: "ä", count: 127)])
    func `a file with a name of the greatest length is replaced`(name: String) throws {
        for content in ["old", "new"] {
            try files.replaceFile(at: folder[name], with: Array(content.utf8))
            #expect(try files.read(folder[name]) == Array(content.utf8))
            #expect(try files.list(folder.path) == [name])
        }
    }

    @Test func `what a dead process left of a long name is cleared away`() throws {
        var temporary = ""
        try files.replaceFile(at: folder[String(repeating: "n", count: 255)]) { _ in
            temporary = try #require(try files.list(folder.path).first)
        }
        try files.replaceFile(at: folder[temporary], with: [1])
        try files.removeTemporaries(in: folder.path)
        #expect(try files.list(folder.path) == [String(repeating: "n", count: 255)])
    }

    @Test func `the content reaches the storage before its name does`() throws {
        let recorded = RecordedFiles()
        try recorded.replaceFile(at: folder["file"], with: [1])
        #expect(
            recorded.steps == [
                "open temporary", "write to temporary", "synchronize temporary", "close temporary",
                "replace file", "synchronize folder",
            ])
    }

    @Test(arguments: 0..<6)
    func `a step that fails leaves the old content or, after the last, the new one`(
        step: Int
    ) throws {
        try files.replaceFile(at: folder["file"], with: Array("old".utf8))
        #expect(throws: FileSystemError.self) {
            try RecordedFiles(failingAt: step).replaceFile(
                at: folder["file"], with: Array("new".utf8))
        }
        let content = step < 5 ? "old" : "new"
        #expect(try files.read(folder["file"]) == Array(content.utf8))
        #expect(try files.list(folder.path) == ["file"])
    }

    @Test func `a directory is not replaced by a file`() throws {
        try files.ensureDirectory(at: folder["file"])
        let path = folder["file"].description
        #expect(throws: FileSystemError.failed(.rename, path: path, code: 21)) {
            try files.replaceFile(at: folder["file"], with: [1])
        }
        #expect(try files.list(folder.path) == ["file"])
    }

    @Test func `a place that is no folder is told with its reason`() throws {
        try files.replaceFile(at: folder["file"], with: [1])
        let path = folder["file"].appending("inside")
        let error = #expect(throws: FileSystemError.self) {
            try files.replaceFile(at: path, with: [2])
        }
        guard case .failed(.create, _, code: 20)? = error else { throw Unexpected(error) }
        #expect(try files.read(folder["file"]) == [1])
    }

    @Test func `what a dead process left behind is cleared away, and nothing else`() throws {
        for name in [".manifest.2x.tmp", "notes.tmp", ".hidden", "manifest"] {
            try files.replaceFile(at: folder[name], with: [1])
        }
        try files.removeTemporaries(in: folder.path)
        #expect(try files.list(folder.path) == [".hidden", "manifest", "notes.tmp"])
    }
}
