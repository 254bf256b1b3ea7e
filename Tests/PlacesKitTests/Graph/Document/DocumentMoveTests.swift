import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// Documents that are saved elsewhere, and how far that is.
@Suite struct DocumentMoveTests {
    private static let destination = URL(filePath: "/Elsewhere", directoryHint: .notDirectory)

    private let files = CrashingFiles()

    private func open(at url: URL = ImageModel.url) async throws -> ManagedDocument {
        try await ImageModel.open(files, at: url)
    }

    private func names(at url: URL) async throws -> [String] {
        let document = try await open(at: url)
        let names = try document.viewContext.fetch(ImageModel.Image.self).map(\.name).sorted()
        try await document.close()
        return names
    }

    @Test(arguments: ManagedDocument.Format.allCases)
    func `a document that is saved elsewhere goes on there, and the old one stays whole`(
        format: ManagedDocument.Format
    ) async throws {
        let document = try await open()
        let context = document.viewContext
        let image = context.addImage("a", thumbnail: ImageModel.bytes(50, 1))
        try await document.save()
        _ = context.addImage("b", thumbnail: ImageModel.bytes(50, 2))
        try await document.save(as: Self.destination, format: format)
        #expect(document.url == Self.destination && document.format == format)
        // Nothing is read from the old document any more, whose lock is free.
        #expect(try await names(at: ImageModel.url) == ["a"])
        for name in try files.blobNames() { try files.remove(FilePath("/Photos/blobs/\(name)")) }
        #expect(image.thumbnail == ImageModel.bytes(50, 1))
        await #expect(throws: DocumentError.self) { try await open(at: Self.destination) }
        image.thumbnail = ImageModel.bytes(50, 3)
        _ = context.addImage("c")
        try await document.save()
        for _ in 0..<2 { try await document.compact() }
        try await document.close()
        let reopened = try await open(at: Self.destination)
        #expect(reopened.format == format && reopened.store.commitNumber == 3)
        #expect(try reopened.viewContext.image("a")?.thumbnail == ImageModel.bytes(50, 3))
        #expect(try reopened.viewContext.image("b")?.thumbnail == ImageModel.bytes(50, 2))
        #expect(try reopened.viewContext.image("c")?.original == Data("c".utf8))
        try await reopened.close()
        #expect(try await ManagedDocument.verify(at: Self.destination, files: files).isSound)
        #expect(try await names(at: ImageModel.url) == ["a"])
    }

    @Test(arguments: ["journal-9.jsonl", "snapshot-9.json", "blobs", "outbox-0.jsonl"])
    func `a document is not saved in its own folder as what would be a file of its own`(
        name: String
    ) async throws {
        let document = try await open()
        _ = document.viewContext.addImage("a")
        try await document.save()
        let own = ImageModel.url.appending(path: name, directoryHint: .notDirectory)
        await #expect(throws: DocumentError.self) { try await document.save(as: own) }
        await #expect(throws: DocumentError.self) { try await document.duplicate(to: own) }
        await #expect(throws: DocumentError.self) { try await open(at: own) }
        #expect(document.url == ImageModel.url)
        try await document.close()
        #expect(try await names(at: ImageModel.url) == ["a"])
    }

    @Test func `where saving elsewhere fails at any step the document stays where it is`()
        async throws
    {
        let document = try await open()
        let image = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(50, 1))
        try await document.save()
        var (failures, isMoved) = (0, false)
        while !isMoved, failures < 60 {
            image.thumbnail = ImageModel.bytes(50, UInt64(failures + 2))
            let rest = Mutex(failures)
            files.fail { step in
                // A full disk lets files be removed.
                if case .remove = step { return nil }
                return rest.withLock { rest in
                    rest -= 1
                    return rest < 0 ? 28 : nil
                }
            }
            do {
                try await document.save(as: Self.destination)
                isMoved = true
            } catch is DocumentError {
                failures += 1
            }
            files.mend()
            guard !isMoved else { break }
            #expect(document.url == ImageModel.url)
            #expect(try !files.exists(FilePath(Self.destination)))
            #expect(image.thumbnail == ImageModel.bytes(50, UInt64(failures + 1)))
            try await document.save()
            let found = try await ImageModel.open(files.afterProcessDeath())
            #expect(
                try found.viewContext.image("a")?.thumbnail
                    == ImageModel.bytes(50, UInt64(failures + 1)))
        }
        #expect(isMoved && failures > 10)
        try await document.close()
        #expect(try await names(at: Self.destination) == ["a"])
        #expect(try await ManagedDocument.verify(at: ImageModel.url, files: files).isSound)
    }

    @Test func `a copy that fails leaves no folder where there was none`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let url = directory.appending(path: "Photos", directoryHint: .notDirectory)
            let files = DiskFileSystem()
            let document = try await ImageModel.open(files, at: url)
            for name in ["a", "b"] {
                _ = document.viewContext.addImage(name, thumbnail: ImageModel.bytes(50, 1))
            }
            try await document.close()
            // Others are copied before this one.
            let blobs = FilePath(url).appending("blobs")
            let last = try #require(files.list(blobs).compactMap(Int.init).max())
            try files.remove(blobs.appending("\(last)"))
            let copy = directory.appending(path: "Copy", directoryHint: .notDirectory)
            let known = directory.appending(path: "Known", directoryHint: .notDirectory)
            try files.makeDirectory(at: FilePath(known))
            let reopened = try await ImageModel.open(files, at: url)
            for destination in [copy, known] {
                await #expect(throws: DocumentError.self) {
                    try await reopened.duplicate(to: destination)
                }
                await #expect(throws: DocumentError.self) {
                    try await reopened.save(as: destination)
                }
            }
            #expect(try !files.exists(FilePath(copy)) && files.exists(FilePath(known)))
            try await reopened.close()
        }
    }

    @Test(arguments: 0..<5)
    func `a copy leaves nothing where its folder cannot be listed any more`(count: Int) async throws
    {
        try await withTemporaryDirectory { directory in
            let files = UnlistedFiles(after: count)
            let document = try await ImageModel.open(
                files, at: directory.appending(path: "Photos", directoryHint: .notDirectory))
            let copy = directory.appending(path: "Copy", directoryHint: .notDirectory)
            await #expect(throws: DocumentError.self) { try await document.duplicate(to: copy) }
            #expect(try !files.exists(FilePath(copy)))
            try await document.close()
        }
    }

    /// The machine's file system, in which too many files are open to list a new document's folder more than some times.
    private final class UnlistedFiles: DiskFiles {
        let disk = DiskFileSystem()
        private let rest: Mutex<Int>

        init(after count: Int) { rest = Mutex(count) }

        func list(_ path: FilePath) throws(FileSystemError) -> [String] {
            if path.name == "Copy", try disk.exists(path.appending("lock")) {
                let isListed = rest.withLock { rest in
                    rest -= 1
                    return rest >= 0
                }
                guard isListed else { throw .failed(.list, path: path.description, code: 24) }
            }
            return try disk.list(path)
        }
    }

    @Test func `after a power cut the old document is whole, and the new one once it was reported`()
        async throws
    {
        let document = try await open()
        let image = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(50, 1))
        try await document.save()
        let first = files.stepCount
        image.thumbnail = ImageModel.bytes(50, 2)
        try await document.save(as: Self.destination)
        let moved = files.stepCount
        image.thumbnail = ImageModel.bytes(50, 3)
        try await document.save()
        let last = files.stepCount
        try await document.close()
        for step in first...last {
            for seed in UInt64(0)..<3 {
                let found = files.afterPowerCut(after: step, seed: seed)
                let old = try await ImageModel.open(found)
                #expect(try old.viewContext.image("a")?.thumbnail == ImageModel.bytes(50, 1))
                try await old.close()
                guard step >= moved else { continue }
                let new = try await ImageModel.open(found, at: Self.destination)
                let thumbnail = try new.viewContext.image("a")?.thumbnail
                #expect(
                    thumbnail == ImageModel.bytes(50, 3)
                        || step < last && thumbnail == ImageModel.bytes(50, 2),
                    "step \(step), seed \(seed)")
                try await new.close()
            }
        }
        #expect(last > moved && moved > first + 10)
    }

    @Test func `a document is not saved over another, over itself, or when it is closed`()
        async throws
    {
        let document = try await open()
        _ = document.viewContext.addImage("a")
        try await document.duplicate(to: Self.destination)
        await #expect(throws: DocumentError.self) { try await document.save(as: Self.destination) }
        await #expect(throws: DocumentError.self) { try await document.save(as: ImageModel.url) }
        #expect(document.url == ImageModel.url)
        try await document.close()
        let other = URL(filePath: "/Other", directoryHint: .notDirectory)
        await #expect(throws: DocumentError.self) { try await document.save(as: other) }
        let reader = try await ImageModel.open(files) { $0.isReadOnly = true }
        await #expect(throws: DocumentError.self) { try await reader.save(as: other) }
        #expect(try !files.exists(FilePath("/Other")))
        #expect(try await names(at: ImageModel.url) == ["a"])
    }

    @Test func `a copy is not made in a folder that was to share another document`() async throws {
        let document = try await open()
        try await document.save()
        // As a crash leaves it while the first snapshot is written.
        let folder = FilePath(Self.destination)
        let membership = Array(#"{"placeskit":1,"range":1,"openings":1}"#.utf8)
        try files.makeDirectory(at: folder)
        try files.replaceFile(at: folder.appending("sharing.json"), with: membership)
        await #expect(throws: DocumentError.self) {
            try await document.duplicate(to: Self.destination)
        }
        await #expect(throws: DocumentError.self) { try await document.save(as: Self.destination) }
        #expect(document.url == ImageModel.url)
        #expect(try files.list(folder) == ["sharing.json"])
        #expect(try files.read(folder.appending("sharing.json")) == membership)
        try await document.close()
    }

    @Test func `who follows a document follows it to its new path`() async throws {
        let document = try await open()
        try await document.save()
        let image = document.viewContext.addImage("a")
        try await document.save()
        let changes = document.changes(since: 0)
        image.thumbnail = ImageModel.bytes(9, 1)
        try await document.save(durability: .memory)
        image.thumbnail = ImageModel.bytes(9, 2)
        try await document.save(as: Self.destination)
        image.thumbnail = nil
        try await document.save()
        try await document.close()
        var commits: [Int] = []
        for try await change in changes { commits.append(change.commit) }
        #expect(commits == [1, 2, 3, 4])
    }

    @Test func `copies, conversions and snapshots tell how far they are`() async throws {
        let document = try await open()
        for number in 0..<1_500 { _ = document.viewContext.addImage("\(number)") }
        try await document.save(durability: .memory)
        let other = URL(filePath: "/Other", directoryHint: .notDirectory)
        for step in 0..<4 {
            let progress = Progress(totalUnitCount: -1)
            switch step {
            case 0: try await document.compact(progress: progress)
            case 1: try await document.convert(to: .binaryPropertyList, progress: progress)
            case 2: try await document.duplicate(to: other, progress: progress)
            default: try await document.save(as: Self.destination, progress: progress)
            }
            #expect(progress.totalUnitCount == 1_500 && progress.completedUnitCount == 1_500)
        }
        try await document.close()
    }
}
