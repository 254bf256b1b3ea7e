import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// Blobs that are damaged, missing, or cannot be written, and copies of documents.
@Suite struct BlobDamageTests {
    private typealias Image = ImageModel.Image
    private let files = CrashingFiles()
    private static let copy = URL(filePath: "/Copy", directoryHint: .notDirectory)

    private func open(
        at url: URL = ImageModel.url,
        _ change: (inout ManagedDocument.Options) -> Void = { _ in }
    ) async throws -> ManagedDocument {
        try await ImageModel.open(files, at: url, change)
    }

    /// A document of two images, of which the first's file is damaged and the second's is missing.
    private func makeDamaged() async throws {
        let document = try await open()
        _ = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(50, 1))
        _ = document.viewContext.addImage("b", thumbnail: ImageModel.bytes(50, 2))
        try await document.close()
        let byte = ImageModel.bytes(50, 1)[7]
        files.damage("/Photos/blobs/1", at: 7, with: byte ^ 1)
        try files.remove(FilePath("/Photos/blobs/3"))
    }

    @Test func `what cannot be read is nil, and somebody is told why`() async throws {
        try await makeDamaged()
        let told = Mutex<[ExternalStorageError]>([])
        let document = try await open {
            $0.onUnreadableData = { error in told.withLock { $0.append(error) } }
        }
        let context = document.viewContext
        let (a, b) = (try context.image("a"), try context.image("b"))
        #expect(a?.thumbnail == nil && b?.thumbnail == nil)
        let errors = [
            ExternalStorageError.damaged(
                file: "/Photos/blobs/1", reason: "its bytes do not fit their checksum"),
            .missing(file: "/Photos/blobs/3"),
        ]
        #expect(told.withLock(\.self) == errors)
        await #expect(throws: errors[0]) { try await a?.loadData(\.thumbnail) }
        await #expect(throws: errors[1]) { try await b?.loadData(\.thumbnail) }
        // An export must not look as if there were nothing.
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "images.json")
            await #expect(throws: errors[0]) {
                try await document.store.export(
                    FetchRequest<ImageModel.Image>(), to: url, as: .json)
            }
            #expect(!FileManager.default.fileExists(atPath: url.path(percentEncoded: false)))
        }
        // The document goes on, and what is given a new value is well again.
        b?.thumbnail = ImageModel.bytes(9)
        try await document.save()
        #expect(b?.thumbnail == ImageModel.bytes(9))
        try await document.compact()
        try await document.close()
        let report = try await ManagedDocument.verify(at: ImageModel.url, files: files)
        #expect(report.canBeOpened)
        #expect(Set(report.problems.map(\.file)) == ["/Photos/blobs/1", "/Photos/blobs/3"])
    }

    @Test func `every document that has the file open is told, until it is closed`() async throws {
        try await makeDamaged()
        let told = Mutex<[String]>([])
        func open(_ name: String, isReadOnly: Bool) async throws -> ManagedDocument {
            try await self.open {
                $0.isReadOnly = isReadOnly
                $0.onUnreadableData = { _ in told.withLock { $0.append(name) } }
            }
        }
        func tellings(of image: Image) -> [String] {
            #expect(image.thumbnail == nil)
            return told.withLock { names in
                defer { names = [] }
                return names.sorted()
            }
        }
        let writer = try await open("writer", isReadOnly: false)
        let image = try #require(try writer.viewContext.image("a"))
        let reader = try await open("reader", isReadOnly: true)
        #expect(tellings(of: image) == ["reader", "writer"])
        try await reader.close()
        #expect(tellings(of: image) == ["writer"])
        do {
            let dropped = try await open("dropped", isReadOnly: true)
            #expect(dropped.store.commitNumber == writer.store.commitNumber)
        }
        #expect(tellings(of: image) == ["writer"])
        try await writer.close()
        #expect(tellings(of: image) == [])
    }

    @Test func `a document that is saved elsewhere is told of what it left behind, too`()
        async throws
    {
        let told = Mutex(0)
        let document = try await open { $0.onUnreadableData = { _ in told.withLock { $0 += 1 } } }
        let image = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(50, 1))
        try await document.save()
        let past = document.store.snapshot()
        image.thumbnail = ImageModel.bytes(50, 2)
        try await document.save(as: Self.copy)
        try files.remove(FilePath("/Photos/blobs/1"))
        #expect(try past.context().image("a")?.thumbnail == nil)
        #expect(told.withLock(\.self) == 1)
        for name in try files.blobNames(of: "/Copy") {
            try files.remove(FilePath("/Copy/blobs/\(name)"))
        }
        #expect(image.thumbnail == nil)
        #expect(told.withLock(\.self) == 2)
        try await document.close()
        #expect(try past.context().image("a")?.thumbnail == nil && image.thumbnail == nil)
        #expect(told.withLock(\.self) == 2)
    }

    @Test func `a document with a file that cannot be read is not copied as if it were whole`()
        async throws
    {
        try await makeDamaged()
        let document = try await open()
        for step in 0..<2 {
            let error = await #expect(throws: DocumentError.self) {
                if step == 0 {
                    try await document.duplicate(to: Self.copy)
                } else {
                    try await document.save(as: Self.copy)
                }
            }
            guard case .externalStorage? = error else { throw Unexpected(error) }
        }
        #expect(try !files.exists(FilePath("/Copy")))
        #expect(document.url == ImageModel.url)
        try await document.close()
    }

    @Test func `salvage leaves out what cannot be read, and copies the rest`() async throws {
        try await makeDamaged()
        let report = try await ManagedDocument.salvage(
            from: ImageModel.url, to: Self.copy, files: files)
        #expect(report.problems.count == 2 && report.objectCount == 2)
        let copy = try await open(at: Self.copy)
        #expect(try copy.viewContext.image("a")?.thumbnail == nil)
        #expect(try copy.viewContext.image("a")?.original == Data("a".utf8))
        #expect(try copy.viewContext.image("b")?.original == Data("b".utf8))
        try await copy.close()
        let sound = try await ManagedDocument.verify(at: Self.copy, files: files)
        #expect(sound.isSound)
    }

    @Test func `salvage leaves out what is removed after it was looked at`() async throws {
        try await withTemporaryDirectory { directory in
            let url = directory.appending(path: "Photos", directoryHint: .notDirectory)
            let document = try await ImageModel.open(DiskFileSystem(), at: url)
            _ = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(50, 1))
            try await document.close()
            let copy = directory.appending(path: "Copy", directoryHint: .notDirectory)
            let report = try await ManagedDocument.salvage(
                from: url, to: copy, files: FleetingFiles())
            #expect(report.problems.count == 1 && report.objectCount == 1)
            let salvaged = try await ImageModel.open(DiskFileSystem(), at: copy)
            let image = try salvaged.viewContext.image("a")
            #expect(image?.thumbnail == nil && image?.original == Data("a".utf8))
            try await salvaged.close()
            #expect(try await ManagedDocument.verify(at: copy).isSound)
        }
    }

    /// The machine's file system, in which the first blob of a document goes before it is read.
    private struct FleetingFiles: DiskFiles {
        let disk = DiskFileSystem()

        func read(_ path: FilePath) throws(FileSystemError) -> [UInt8] {
            if path.description.hasSuffix("/Photos/blobs/1") { try disk.remove(path) }
            return try disk.read(path)
        }
    }

    @Test func `a copy has its own files, and those of the original stay as they are`()
        async throws
    {
        let document = try await open()
        let image = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(50, 1))
        try await document.save()
        image.thumbnail = ImageModel.bytes(50, 2)
        try document.viewContext.save()
        try await document.duplicate(to: Self.copy)
        #expect(try files.blobNames(of: "/Copy").count == 2)
        try await document.close()
        for name in try files.blobNames() { try files.remove(FilePath("/Photos/blobs/\(name)")) }
        let copy = try await open(at: Self.copy)
        #expect(try copy.viewContext.image("a")?.thumbnail == ImageModel.bytes(50, 2))
        #expect(try copy.viewContext.image("a")?.original == Data("a".utf8))
        try await copy.close()
    }

    @Test func `a copy that fails at its end leaves nothing behind`() async throws {
        let document = try await open()
        _ = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(50, 1))
        try await document.save()
        files.fail { if case .rename = $0 { 28 } else { nil } }
        await #expect(throws: DocumentError.self) { try await document.duplicate(to: Self.copy) }
        await #expect(throws: DocumentError.self) { try await document.save(as: Self.copy) }
        files.mend()
        #expect(try !files.exists(FilePath("/Copy")))
        try await document.close()
    }

    @Test func `what an undo brings back after the old document is gone reads as missing`()
        async throws
    {
        let told = Mutex<[ExternalStorageError]>([])
        let document = try await open {
            $0.onUnreadableData = { error in told.withLock { $0.append(error) } }
        }
        let context = document.viewContext
        context.isUndoEnabled = true
        let image = context.addImage("a", thumbnail: ImageModel.bytes(50, 1))
        try await document.save()
        context.delete(image)
        try await document.save()
        try await document.save(as: Self.copy)
        for name in try files.blobNames() { try files.remove(FilePath("/Photos/blobs/\(name)")) }
        context.undo()
        try await document.save()
        #expect(image.thumbnail == nil && !told.withLock(\.isEmpty))
        _ = context.addImage("b", thumbnail: ImageModel.bytes(50, 2))
        try await document.save()
        try await document.close()
        let reopened = try await open(at: Self.copy)
        #expect(try reopened.viewContext.image("a") != nil)
        #expect(try reopened.viewContext.image("b")?.thumbnail == ImageModel.bytes(50, 2))
        try await reopened.close()
    }

    @Test func `one file that cannot be removed keeps no other`() async throws {
        for path in ["/Photos", "/Photos/blobs", "/Photos/blobs/1"] {
            try files.makeDirectory(at: FilePath(path))
        }
        let document = try await open()
        let image = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(50, 1))
        try await document.save()
        #expect(try files.blobNames().count == 3)
        image.thumbnail = nil
        try await document.save()
        for _ in 0..<3 { try await document.compact() }
        try await document.close()
        #expect(try files.blobNames().count == 2)
    }

    @Test func `a blob that cannot be written leaves the document as it was, and nothing behind`()
        async throws
    {
        let document = try await open()
        let image = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(50, 1))
        try await document.save()
        let steps = files.stepCount
        let names = try files.blobNames()
        let count = try files.read(FilePath("/Photos/journal-1.jsonl")).count
        for attempt in 0..<4 {
            image.thumbnail = ImageModel.bytes(50, UInt64(attempt + 2))
            image.original = ImageModel.bytes(20, UInt64(attempt + 2))
            files.fail { step in
                switch (step, attempt) {
                case (.create, 0), (.write, 1), (.synchronize, 2), (.synchronizeDirectory, 3): 28
                default: nil
                }
            }
            await #expect(throws: DocumentError.self) { try await document.save() }
            files.mend()
            #expect(try files.blobNames() == names)
            #expect(try files.read(FilePath("/Photos/journal-1.jsonl")).count == count)
            #expect(image.thumbnail == ImageModel.bytes(50, UInt64(attempt + 2)))
        }
        #expect(files.stepCount > steps)
        try await document.save()
        try await document.close()
        let reopened = try await open()
        #expect(try reopened.viewContext.image("a")?.thumbnail == ImageModel.bytes(50, 5))
        try await reopened.close()
    }

    @Test func `the generation behind a damaged snapshot has its files`() async throws {
        let document = try await open()
        let image = document.viewContext.addImage("a")
        for number in 1...5 {
            image.thumbnail = ImageModel.bytes(40, UInt64(number))
            try await document.save()
            if number != 4 { try await document.compact() }
        }
        image.thumbnail = ImageModel.bytes(40, 6)
        try await document.close()
        let snapshots = try files.list(FilePath("/Photos")).filter { $0.hasPrefix("snapshot-") }
        #expect(snapshots.count == 2)
        // Those of the first three commits are gone but for the one that the older snapshot has.
        #expect(try files.blobNames().count == 5)
        let newest = try #require(snapshots.max())
        files.damage("/Photos/\(newest)", at: 3, with: 0)
        let report = try await ManagedDocument.verify(at: ImageModel.url, files: files)
        #expect(report.canBeOpened && report.problems.map(\.file) == ["/Photos/\(newest)"])
        let reopened = try await open()
        #expect(reopened.recovery.findings.count == 1)
        let found = try reopened.viewContext.image("a")
        #expect(found?.thumbnail == ImageModel.bytes(40, 6))
        found?.original = Data()
        try await reopened.save()
        for _ in 0..<2 { try await reopened.compact() }
        try await reopened.close()
        #expect(try await ManagedDocument.verify(at: ImageModel.url, files: files).isSound)
    }

    @Test func `a length that no file can have is damage, however many there are`() async throws {
        let document = try await open()
        for name in ["a", "b"] {
            _ = document.viewContext.addImage(name, thumbnail: ImageModel.bytes(50))
        }
        try await document.close()
        let snapshot = FilePath("/Photos/snapshot-1.json")
        let text = String(decoding: try files.read(snapshot), as: UTF8.self)
        let damaged = text.replacing(#""bytes":50,"#, with: #""bytes":\#(Int.max - 1),"#)
        #expect(damaged != text)
        try files.replaceFile(at: snapshot, with: Array(damaged.utf8))
        let error = await #expect(throws: DocumentError.self) { _ = try await open() }
        guard case .damaged(file: snapshot.description, _)? = error else { throw Unexpected(error) }
    }

    @Test func `while there is a blob of the highest number none is saved after it, or lost`()
        async throws
    {
        var document = try await open()
        _ = document.viewContext.addImage("a")
        try await document.close()
        let stray = FilePath("/Photos/blobs/\(Int64.max / 2)")
        try files.replaceFile(at: stray, with: [1])
        document = try await open()
        try #require(try document.viewContext.image("a")).thumbnail = ImageModel.bytes(50)
        let error = await #expect(throws: DocumentError.self) { try await document.save() }
        guard case .fileSystem(.unexpected(path: stray.description, found: .foreign))? = error
        else { throw Unexpected(error) }
        try files.remove(stray)
        try await document.close()
        document = try await open()
        #expect(try document.viewContext.image("a")?.thumbnail == ImageModel.bytes(50))
    }

    @Test func `what crashes have left goes with the next snapshots`() async throws {
        let document = try await open()
        _ = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(50))
        try await document.close()
        try files.replaceFile(at: FilePath("/Photos/blobs/77"), with: [1, 2, 3])
        let reopened = try await open()
        _ = reopened.viewContext.addImage("b")
        try await reopened.save()
        #expect(try files.blobNames() == ["1", "2", "77", "78"])
        try await reopened.compact()
        try await reopened.close()
        #expect(try files.blobNames() == ["1", "2", "78"])
    }
}
