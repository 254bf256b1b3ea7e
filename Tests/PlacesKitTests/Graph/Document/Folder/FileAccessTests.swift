import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Who may read and write a document's files.
@Suite struct FileAccessTests {
    private let files = DiskFileSystem()

    nonisolated(nonsending) private func open(
        _ url: URL, _ access: ManagedDocument.Access = .standard
    ) async throws -> ManagedDocument {
        try await ImageModel.open(DiskFileSystem(), at: url) { $0.access = access }
    }

    /// The permissions of everything in a folder, and of the folder, by name.
    private func modes(_ url: URL) throws -> [String: UInt32] {
        var modes: [String: UInt32] = ["": try mode(url)]
        for name in try files.list(FilePath(url)) {
            let file = url.appending(path: name)
            if try files.status(of: FilePath(file))?.isDirectory == true {
                for (inner, mode) in try self.modes(file) { modes["\(name)/\(inner)"] = mode }
            } else {
                modes[name] = try mode(file)
            }
        }
        return modes
    }

    private func mode(_ url: URL) throws -> UInt32 {
        try #require(files.attributes(of: FilePath(url))).mode
    }

    private func setMode(_ url: URL, _ mode: mode_t) throws {
        try #require(chmod(FilePath(url).description, mode) == 0)
    }

    /// Gives a document new files of every kind.
    nonisolated(nonsending) private func write(_ document: ManagedDocument) async throws {
        for name in ["x", "y"] {
            _ = document.viewContext.addImage(name, thumbnail: ImageModel.bytes(9))
            try await document.save()
            try await document.compact()
        }
    }

    @Test func `a document that is private to its owner is so with all its files and copies`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let url = directory.appending(path: "Document", directoryHint: .notDirectory)
            let document = try await open(url, .privateToOwner)
            try await write(document)
            let copy = directory.appending(path: "Copy", directoryHint: .notDirectory)
            let moved = directory.appending(path: "Moved", directoryHint: .notDirectory)
            let salvaged = directory.appending(path: "Salvaged", directoryHint: .notDirectory)
            let read = directory.appending(path: "Read", directoryHint: .notDirectory)
            try await document.duplicate(to: copy)
            try await DocumentReader.open(at: url).duplicate(to: read, as: .json)
            _ = try await ManagedDocument.salvage(from: url, to: salvaged)
            try await document.save(as: moved, format: .binaryPropertyList)
            _ = document.viewContext.addImage("z", thumbnail: ImageModel.bytes(9))
            try await document.save()
            try await document.close()
            for folder in [url, copy, moved, salvaged, read] {
                let open = try modes(folder).filter { $0.value & 0o077 != 0 }
                #expect(open.isEmpty, "\(folder.lastPathComponent): \(open)")
                #expect(try modes(folder).count > 5)
            }
        }
    }

    @Test(arguments: [0o600, 0o640, 0o660, 0o666] as [UInt32])
    func `new files have the permissions that the document's had`(mode: UInt32) async throws {
        try await TrappedFolder.with { folder, _ in
            for name in TrappedFolder.files { try setMode(folder[name], mode_t(mode)) }
            let document = try await open(folder.url)
            try await write(document)
            try await document.close()
            let found = try modes(folder.url).filter {
                !["", "lock", "blobs/", "blobs/1", "blobs/2", "blobs/3"].contains($0.key)
            }
            #expect(found.count >= 7 && found.values.allSatisfy { $0 == mode }, "\(found)")
        }
    }

    @Test func `what holds the content of a private file is private`() async throws {
        for name in ["journal-1.jsonl", "snapshot-1.json"] {
            try await TrappedFolder.with { folder, directory in
                try setMode(folder[name], 0o600)
                try setMode(folder["blobs"], 0o700)
                try setMode(folder["manifest.json"], 0o644)
                let document = try await open(folder.url)
                try await write(document)
                try await document.close()
                let copy = directory.appending(path: "Copy", directoryHint: .notDirectory)
                try await DocumentReader.open(at: folder.url).duplicate(to: copy, as: .json)
                let found = try modes(folder.url)
                #expect(found["manifest.json"] == 0o644)
                let new = found.filter {
                    $0.key.contains("-2.") || $0.key.contains("-3.") || $0.key.hasSuffix("/5")
                }
                #expect(new.count >= 5 && new.values.allSatisfy { $0 == 0o600 }, "\(found)")
                #expect(try mode(copy.appending(path: "blobs")) & 0o077 == 0)
                #expect(try mode(copy.appending(path: "snapshot-1.json")) == 0o600)
            }
        }
    }

    @Test func `the owner can write copies of a document that is read-only in every file`()
        async throws
    {
        try await TrappedFolder.with { folder, directory in
            for name in TrappedFolder.files + ["lock"] { try setMode(folder[name], 0o444) }
            try setMode(folder["blobs"], 0o555)
            try setMode(folder.url, 0o555)
            let copy = directory.appending(path: "Copy", directoryHint: .notDirectory)
            let salvaged = directory.appending(path: "Salvaged", directoryHint: .notDirectory)
            try await DocumentReader.open(at: folder.url).duplicate(to: copy, as: .json)
            _ = try await ManagedDocument.salvage(from: folder.url, to: salvaged)
            for url in [copy, salvaged] {
                for (name, mode) in try modes(url) {
                    let owner: UInt32 = name.isEmpty || name == "blobs/" ? 0o700 : 0o600
                    #expect(mode & owner == owner && mode & 0o022 == 0, "\(name)")
                }
                let document = try await open(url)
                try await write(document)
                try await document.close()
            }
            try setMode(folder["blobs"], 0o755)
            try setMode(folder.url, 0o755)
        }
    }

    final class Page: ManagedObject {
        @Attribute(.externalStorage) var scan: Data?
    }

    @Test func `permissions that are taken away for a moment do not stay in what is made later`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let url = directory.appending(path: "Document", directoryHint: .notDirectory)
            let document = try await ImageModel.open(files, at: url, types: [Page.self])
            _ = Page(context: document.viewContext)
            try await document.save()
            let names = ["journal-1.jsonl", "snapshot-1.json"]
            let (usual, folder) = (try mode(url.appending(path: names[0])), try mode(url))
            for name in names { try setMode(url.appending(path: name), 0o400) }
            // A folder of its name keeps the snapshot from being made.
            let trap = url.appending(path: "snapshot-2.json")
            try FileManager.default.createDirectory(at: trap, withIntermediateDirectories: false)
            try setMode(url, 0o500)
            await #expect(throws: (any Error).self) { try await document.compact() }
            try setMode(url, mode_t(folder))
            for name in names { try setMode(url.appending(path: name), mode_t(usual)) }
            try FileManager.default.removeItem(at: trap)

            Page(context: document.viewContext).scan = ImageModel.bytes(9)
            try await document.save()
            #expect(try mode(url.appending(path: "blobs")) == folder)
            #expect(try mode(url.appending(path: "blobs/1")) == usual)
            try await document.compact()
            try await document.close()
        }
    }

    @Test func `a private file is private before it has any content`() throws {
        let folder = try TemporaryFolder()
        try files.replaceFile(at: folder["file"], with: [1])
        try #require(chmod(folder["file"].description, 0o600) == 0)
        try files.replaceFile(at: folder["file"]) { file in
            let temporary = try #require(try files.list(folder.path).first { $0 != "file" })
            #expect(try #require(files.attributes(of: folder[temporary])).mode == 0o600)
            try file.write([2])
        }
        #expect(files.attributes(of: folder["file"])?.mode == 0o600)
        #expect(try files.read(folder["file"]) == [2])
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func `new files belong to whom the document's belong`() async throws {
        try await TrappedFolder.with { folder, _ in
            for name in TrappedFolder.files {
                try #require(chown(FilePath(folder[name]).description, 12_345, 12_346) == 0)
                try setMode(folder[name], 0o660)
            }
            let document = try await open(folder.url)
            try await write(document)
            try await document.close()
            for name in try files.list(FilePath(folder.url)) where name.contains("-") {
                let found = try #require(files.attributes(of: FilePath(folder[name])))
                #expect(found.owner?.user == 12_345 && found.owner?.group == 12_346)
                #expect(found.mode == 0o660)
            }
        }
    }

    @Test func `new files have the extended attributes that the document's had`() async throws {
        try await TrappedFolder.with { folder, _ in
            for name in TrappedFolder.files {
                let file = try DiskFile(reading: FilePath(folder[name]))
                var attributes = try #require(FileAttributes(of: file.descriptor))
                attributes.extended["user.note"] = Array("of \(name)".utf8)
                attributes.apply(to: file.descriptor)
                guard FileAttributes(of: file.descriptor) == attributes else {
                    print("Skipped: this volume keeps no extended attributes.")
                    return
                }
            }
            let document = try await open(folder.url)
            try await write(document)
            try await document.close()
            func note(_ name: String) -> String? {
                files.attributes(of: FilePath(folder[name]))?.extended["user.note"]
                    .map { String(decoding: $0, as: UTF8.self) }
            }
            #expect(note("manifest.json") == "of manifest.json")
            #expect(note("snapshot-3.json") == "of snapshot-1.json")
            #expect(note("journal-3.jsonl") == "of journal-1.jsonl")
        }
    }
}
