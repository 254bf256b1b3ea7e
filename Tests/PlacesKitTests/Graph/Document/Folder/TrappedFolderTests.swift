import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// Documents in whose folder somebody has put something instead of a file.
@Suite struct TrappedFolderTests {
    /// The ways in which a document is looked at.
    private enum Door: CaseIterable {
        case open, readOnly, reader, history, verify, salvage

        /// Goes through it; gives the problems that are told without an error.
        nonisolated(nonsending) func enter(_ folder: TrappedFolder, _ copy: URL) async throws
            -> [String]
        {
            let lost = Mutex<[String]>([])
            switch self {
            case .open, .readOnly:
                let document = try await ImageModel.open(DiskFileSystem(), at: folder.url) {
                    $0.isReadOnly = self == .readOnly
                    $0.onUnreadableData = { error in lost.withLock { $0.append("\(error)") } }
                }
                _ = try document.viewContext.image("a")?.thumbnail
                try await document.close()
            case .reader:
                let reader = try await DocumentReader.open(at: folder.url)
                do {
                    try reader.write(RecordQuery("Image"), as: .json) { _ in }
                } catch { lost.withLock { $0.append("\(error)") } }
            case .history:
                _ = try await DocumentReader.open(at: folder.url, commit: 0).history()
            case .verify:
                let report = try await ManagedDocument.verify(at: folder.url)
                lost.withLock { $0 += report.problems.map { "\($0.file) \($0.description)" } }
            case .salvage:
                let report = try await ManagedDocument.salvage(from: folder.url, to: copy)
                lost.withLock { $0 += report.problems.map { "\($0.file) \($0.description)" } }
            }
            return lost.withLock(\.self)
        }

        /// Goes through it; gives what was told, by an error or otherwise.
        nonisolated(nonsending) func told(_ folder: TrappedFolder, _ copy: URL) async -> [String] {
            do { return try await enter(folder, copy) } catch { return ["\(error)"] }
        }
    }

    @Test(arguments: TrappedFolder.files, FolderTrap.forFiles)
    func `what is there instead of a file is told by its name at every door, and nothing changes`(
        name: String, trap: FolderTrap
    ) async throws {
        try await TrappedFolder.with { folder, directory in
            try trap.spring(folder[name], outside: folder.outside)
            let before = try folder.account
            for door in Door.allCases {
                let copy = directory.appending(path: "Copy-\(door)")
                let told = await door.told(folder, copy)
                #expect(told.contains { $0.contains(name) }, "\(door): \(told)")
                #expect(try folder.account == before, "\(door)")
            }
        }
    }

    @Test(arguments: FolderTrap.forFiles)
    func `without a manifest of its own everything else of a document is salvaged`(
        trap: FolderTrap
    ) async throws {
        try await TrappedFolder.with { folder, directory in
            try trap.spring(folder["manifest.json"], outside: folder.outside)
            let report = try await ManagedDocument.salvage(
                from: folder.url, to: directory.appending(path: "Copy"))
            #expect(report.objectCount == 1 && report.problems.count == 1)
            #expect(report.problems.first?.file.hasSuffix("/manifest.json") == true)
        }
    }

    @Test(arguments: FolderTrap.forFiles)
    func `a lock that is no file of its own keeps writers out, and stays as it is`(
        trap: FolderTrap
    ) async throws {
        try await TrappedFolder.with { folder, directory in
            try Data("somebody's".utf8).write(to: folder["lock"])
            try trap.spring(folder["lock"], outside: folder.outside)
            let before = try folder.account
            for door in Door.allCases {
                let told = await door.told(folder, directory.appending(path: "Copy-\(door)"))
                #expect(told.contains { $0.contains("/lock") } == (door == .open), "\(told)")
                #expect(try folder.account == before, "\(door)")
            }
        }
    }

    @Test(arguments: FolderTrap.forFolders)
    func `what is there instead of the folder of blobs keeps writers out, and readers learn of it`(
        trap: FolderTrap
    ) async throws {
        try await TrappedFolder.with { folder, directory in
            try trap.spring(folder["blobs"], outside: folder.outside)
            let before = try folder.account
            for door in Door.allCases where door != .history {
                let told = await door.told(folder, directory.appending(path: "Copy-\(door)"))
                #expect(told.contains { $0.contains("/blobs") }, "\(door): \(told)")
                #expect(try folder.account == before, "\(door)")
            }
        }
    }

    @Test(arguments: FolderTrap.forFiles)
    func `a blob that is no file of its own reads as none, and is told`(
        trap: FolderTrap
    ) async throws {
        try await TrappedFolder.with { folder, directory in
            try trap.spring(folder["blobs/1"], outside: folder.outside)
            let before = try folder.account
            for door in Door.allCases where door != .history {
                let told = await door.told(folder, directory.appending(path: "Copy-\(door)"))
                #expect(told.contains { $0.contains("/blobs") }, "\(door): \(told)")
                #expect(try folder.account == before, "\(door)")
            }
        }
    }

    @Test(arguments: TrappedFolder.files + ["lock", "blobs/1"])
    func `a file of 20 GB instead of a small one is told, and ends nothing`(
        name: String
    ) async throws {
        try await TrappedFolder.with { folder, directory in
            let path = folder[name].path(percentEncoded: false)
            try #require(truncate(path, 0) == 0 && truncate(path, 20 << 30) == 0)
            for door in Door.allCases {
                let told = await door.told(folder, directory.appending(path: "Copy-\(door)"))
                let isMet =
                    switch name {
                    case "lock": door == .open
                    case "blobs/1": door != .history
                    // What is saved is found without it.
                    case "manifest.json": door != .salvage
                    default: true
                    }
                #expect(
                    told.contains { $0.contains(name == "blobs/1" ? "/blobs" : name) } == isMet,
                    "\(door): \(told)")
                #expect(try DiskFileSystem().status(of: FilePath(folder[name]))?.size == 20 << 30)
            }
        }
    }

    @Test(arguments: ["sharing.json", "conflicts.jsonl", "outbox-0.jsonl"])
    func `a file of 20 GB of somebody else's is not read, whatever name it has`(
        name: String
    ) async throws {
        try await TrappedFolder.with { folder, directory in
            try Data().write(to: folder[name])
            try #require(truncate(folder[name].path(percentEncoded: false), 20 << 30) == 0)
            for door in Door.allCases {
                let told = await door.told(folder, directory.appending(path: "Copy-\(door)"))
                #expect(told == [], "\(door)")
            }
        }
    }

    @Test func `the folder's own path may be a link`() async throws {
        try await TrappedFolder.with { folder, directory in
            let link = directory.appending(path: "Link", directoryHint: .notDirectory)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
            let document = try await ImageModel.open(DiskFileSystem(), at: link)
            #expect(try document.viewContext.image("a")?.thumbnail == ImageModel.bytes(8))
            _ = document.viewContext.addImage("b", thumbnail: ImageModel.bytes(9))
            try await document.save()
            try await document.compact()
            try await document.close()
            #expect(try await ManagedDocument.verify(at: folder.url).isSound)
        }
    }

    // MARK: - While it is open

    @Test func `a folder that is moved away while it is open stays the document`() async throws {
        try await TrappedFolder.with { folder, directory in
            let document = try await ImageModel.open(DiskFileSystem(), at: folder.url)
            let moved = directory.appending(path: "Moved", directoryHint: .notDirectory)
            try FileManager.default.moveItem(at: folder.url, to: moved)
            try FileManager.default.createSymbolicLink(
                at: folder.url, withDestinationURL: folder.outside)
            _ = document.viewContext.addImage("b", thumbnail: ImageModel.bytes(9))
            try await document.save()
            try await document.compact()
            try await document.close()
            #expect(try TrappedFolder.account(of: folder.outside) == [])
            let reopened = try await ImageModel.open(DiskFileSystem(), at: moved)
            #expect(try reopened.viewContext.image("a")?.thumbnail == ImageModel.bytes(8))
            #expect(try reopened.viewContext.image("b")?.thumbnail == ImageModel.bytes(9))
            try await reopened.close()
        }
    }

    @Test func `bytes that objects lost go from a folder that has moved since it was open`()
        async throws
    {
        try await TrappedFolder.with { folder, directory in
            let former = try await ImageModel.open(DiskFileSystem(), at: folder.url)
            let image = try former.viewContext.image("a")
            try await former.close()
            let moved = directory.appending(path: "Moved", directoryHint: .notDirectory)
            try FileManager.default.moveItem(at: folder.url, to: moved)
            let path = moved.path(percentEncoded: false)
            let before = try DiskFileSystem().blobNames(of: path)
            // Each time anew, for a store remembers what it had.
            func edit(_ change: (ManagedObjectContext) throws -> Void) async throws {
                let document = try await ImageModel.open(DiskFileSystem(), at: moved)
                try change(document.viewContext)
                try await document.save()
                try await document.close()
            }
            try await edit { _ = $0.addImage("b", thumbnail: ImageModel.bytes(9)) }
            let added = Set(try DiskFileSystem().blobNames(of: path)).subtracting(before)
            #expect(added.count == 2)
            try await edit { try $0.image("b")?.thumbnail = nil }
            let document = try await ImageModel.open(DiskFileSystem(), at: moved)
            for _ in 0..<2 { try await document.compact() }
            try await document.close()
            #expect(added.intersection(try DiskFileSystem().blobNames(of: path)).count == 1)
            // Who still has the document as it was finds its bytes where they are by now.
            #expect(image?.thumbnail == ImageModel.bytes(8))
        }
    }

    @Test(arguments: [FolderTrap.link, .danglingLink, .hardLink, .pipe, .folder])
    func `what comes into the folder while it is open is neither replaced nor removed`(
        trap: FolderTrap
    ) async throws {
        try await TrappedFolder.with { folder, _ in
            let document = try await ImageModel.open(DiskFileSystem(), at: folder.url)
            for (number, name) in ["snapshot-1.json", "journal-1.jsonl", "blobs/77"].enumerated() {
                let outside = folder.outside.appending(path: "\(number)")
                try FileManager.default.createDirectory(
                    at: outside, withIntermediateDirectories: true)
                try trap.spring(folder[name], outside: outside)
            }
            try Data("left".utf8).write(to: folder["blobs/78"])
            let before = try folder.account
            for _ in 0..<3 { try await document.compact() }
            let after = Set(try folder.account)
            let missing = before.filter { !after.contains($0) }
            #expect(
                missing.allSatisfy { $0.hasPrefix("manifest.json") || $0.hasPrefix("blobs/78") },
                "\(missing)")
            #expect(
                !FileManager.default.fileExists(atPath: FilePath(folder["blobs/78"]).description))
            try await document.close()
        }
    }

    @Test func `a file that has taken the name of the next blob meanwhile is not removed`()
        async throws
    {
        try await TrappedFolder.with { folder, _ in
            let document = try await ImageModel.open(DiskFileSystem(), at: folder.url)
            _ = document.viewContext.addImage("b", thumbnail: ImageModel.bytes(9))
            try await document.save()
            let names = try DiskFileSystem().blobNames(of: FilePath(folder.url).description)
            let next = try #require(names.compactMap(Int.init).max()) + 1
            let file = folder["blobs/\(next)"]
            try Data("somebody's".utf8).write(to: file)
            _ = document.viewContext.addImage("c", thumbnail: ImageModel.bytes(10))
            await #expect(throws: DocumentError.self) { try await document.save() }
            #expect(try Data(contentsOf: file) == Data("somebody's".utf8))
            try await document.close()
            let reopened = try await ImageModel.open(DiskFileSystem(), at: folder.url)
            #expect(try reopened.viewContext.image("c")?.thumbnail == ImageModel.bytes(10))
            try await reopened.close()
        }
    }

    @Test(arguments: [FolderTrap.link, .danglingLink, .hardLink, .pipe])
    func `a manifest that somebody has put away while the document is open is not written over`(
        trap: FolderTrap
    ) async throws {
        try await TrappedFolder.with { folder, _ in
            let document = try await ImageModel.open(DiskFileSystem(), at: folder.url)
            try trap.spring(folder["manifest.json"], outside: folder.outside)
            let before = try TrappedFolder.account(of: folder.outside)
            let error = await #expect(throws: DocumentError.self) { try await document.compact() }
            #expect(error?.description.contains("manifest.json") == true)
            #expect(try TrappedFolder.account(of: folder.outside) == before)
            let names = try DiskFileSystem().list(FilePath(folder.url))
            #expect(!names.contains { $0.hasSuffix(".tmp") })
        }
    }

    @Test func `an export replaces a link in the folder itself, and not what it leads to`()
        async throws
    {
        try await TrappedFolder.with { folder, _ in
            let document = try await ImageModel.open(DiskFileSystem(), at: folder.url)
            try FolderTrap.link.spring(folder["photos.csv"], outside: folder.outside)
            let before = try TrappedFolder.account(of: folder.outside)
            try await document.store.export(
                FetchRequest<ImageModel.Image>(), to: folder["photos.csv"], as: .csv,
                keyPaths: ["name"])
            #expect(try TrappedFolder.account(of: folder.outside) == before)
            try await document.close()
            try await ImageModel.open(DiskFileSystem(), at: folder.url).close()
        }
    }
}
