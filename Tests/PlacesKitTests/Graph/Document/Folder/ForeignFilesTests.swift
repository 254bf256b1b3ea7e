import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Folders that hold what PlacesKit has not made.
@Suite struct ForeignFilesTests {
    nonisolated(nonsending) private func open(_ url: URL) async throws -> ManagedDocument {
        try await ImageModel.open(DiskFileSystem(), at: url)
    }

    @Test(arguments: [
        ["lock": "my diary"], ["lock": "12 34"], ["lock": "99999999999999999999999"],
        ["journal-1.jsonl": "my diary"], ["journal-1.jsonl": ""],
        ["journal-1.jsonl": "{\"day\":1}\n{\"day\":2}\n"],
        ["snapshot-1.json": "{\"tests\":[]}"], ["snapshot-1.plist": "<plist></plist>"],
        ["manifest.json": "{\"name\":\"An app\"}"],
        ["blobs/17": "mine", "lock": "my diary"], [".x.tmp": "mine"],
        [".notes.txt.2x.tmp": "mine"], [".manifest.json.02x.tmp": "mine"],
        [".lock.2x.tmp": "mine"],
    ])
    func `a folder of somebody else's files is refused and left as it is`(
        files: [String: String]
    ) async throws {
        try await withTemporaryDirectory { url in
            for (name, text) in files {
                let file = url.appending(path: name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            let before = try TrappedFolder.account(of: url)
            let error = await #expect(throws: DocumentError.self) { try await open(url) }
            guard case .notADocument? = error else { throw Unexpected(error) }
            #expect(try TrappedFolder.account(of: url) == before)
            let copy = url.deletingLastPathComponent()
                .appending(path: "\(url.lastPathComponent)-source")
            defer { try? FileManager.default.removeItem(at: copy) }
            let document = try await open(copy)
            await #expect(throws: DocumentError.self) { try await document.duplicate(to: url) }
            await #expect(throws: DocumentError.self) { try await document.save(as: url) }
            #expect(try TrappedFolder.account(of: url) == before)
            try await document.close()
        }
    }

    @Test(arguments: ["", "1234\n", "1234", "\0\0\0\0"])
    func `a lock that a dead process has left is ours`(content: String) async throws {
        try await withTemporaryDirectory { url in
            try Data(content.utf8).write(to: url.appending(path: "lock"))
            try FileManager.default.createDirectory(
                at: url.appending(path: "blobs"), withIntermediateDirectories: true)
            try Data("left".utf8).write(to: url.appending(path: "blobs/3"))
            let document = try await open(url)
            let lock = try Data(contentsOf: url.appending(path: "lock"))
            #expect(lock == Data("\(ProcessInfo.processInfo.processIdentifier)\n".utf8))
            try await document.close()
        }
    }

    @Test func `a journal without a byte beside a lock was begun by a process that died`()
        async throws
    {
        try await withTemporaryDirectory { url in
            try Data("1234".utf8).write(to: url.appending(path: "lock"))
            try Data().write(to: url.appending(path: "journal-1.jsonl"))
            let document = try await open(url)
            try await document.close()
        }
    }

    @Test func `somebody's lock in a document is told, and stays as it is`() async throws {
        try await TrappedFolder.with { folder, _ in
            try Data("my diary".utf8).write(to: folder["lock"])
            let error = await #expect(throws: DocumentError.self) { try await open(folder.url) }
            guard case .fileSystem(.unexpected(let path, found: .foreign))? = error
            else { throw Unexpected(error) }
            #expect(path.hasSuffix("/lock"))
            #expect(try Data(contentsOf: folder["lock"]) == Data("my diary".utf8))
        }
    }

    // MARK: - Leftovers

    @Test func `leftovers of ours go, and others are told and keep no document shut`()
        async throws
    {
        try await TrappedFolder.with { folder, _ in
            for name in [".x.tmp", ".manifest.json.2x.tmp"] {
                try FileManager.default.createDirectory(
                    at: folder[name], withIntermediateDirectories: false)
            }
            for name in [".mine.tmp", ".snapshot-2.json.17.tmp", ".journal-2.jsonl.zz.tmp"] {
                try Data("left".utf8).write(to: folder[name])
            }
            try FolderTrap.link.spring(
                folder[".manifest.json.3x.tmp"], outside: folder.outside)
            for bytes in [[0x2E, 0xFF, 0x2E, 0x74, 0x6D, 0x70], [0xC3, 0x28]] as [[UInt8]] {
                let path = Array(folder.url.path(percentEncoded: false).utf8) + [0x2F] + bytes + [0]
                let file = path.withUnsafeBytes {
                    creat($0.baseAddress!.assumingMemoryBound(to: CChar.self), 0o600)
                }
                // NB: some systems have no names but text.
                guard file >= 0 else { continue }
                close(file)
            }
            let outside = try TrappedFolder.account(of: folder.outside)
            let names = try DiskFileSystem().list(FilePath(folder.url))
            let document = try await open(folder.url)
            let left = try DiskFileSystem().list(FilePath(folder.url))
            #expect(
                Set(names).subtracting(left) == [
                    ".snapshot-2.json.17.tmp", ".journal-2.jsonl.zz.tmp",
                ])
            let told = document.recovery.findings.map(\.description).joined(separator: "\n")
            for name in [".x.tmp", ".manifest.json.2x.tmp", ".mine.tmp", ".manifest.json.3x.tmp"] {
                #expect(told.contains("/\(name)"))
            }
            let isSpelled = names.contains { $0 == #".\xFF.tmp"# }
            #expect(!isSpelled || told.contains(#"/.\xFF.tmp"#))
            #expect(try TrappedFolder.account(of: folder.outside) == outside)
            _ = document.viewContext.addImage("b", thumbnail: ImageModel.bytes(9))
            try await document.save()
            try await document.compact()
            try await document.close()
            #expect(try await ManagedDocument.verify(at: folder.url).isSound)
        }
    }
}
