import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// Attributes whose bytes lie in files of their own.
@Suite struct ExternalStorageTests {
    private typealias Image = ImageModel.Image
    private let files = CrashingFiles()

    private func open(
        _ change: (inout ManagedDocument.Options) -> Void = { _ in }
    ) async throws -> ManagedDocument {
        try await ImageModel.open(files, change)
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try files.read(FilePath("/Photos/\(name)")), as: UTF8.self)
    }

    @Test(arguments: ManagedDocument.Format.allCases)
    func `bytes lie in files of their own`(
        format: ManagedDocument.Format
    ) async throws {
        let document = try await open { $0.format = format }
        let bytes = ImageModel.bytes(1_000)
        let image = document.viewContext.addImage("a", thumbnail: bytes)
        #expect(image.thumbnail == bytes && image.icon == Data([1, 2, 3]))
        try document.viewContext.save()
        try await document.save()
        #expect(image.thumbnail == bytes && image.original == Data("a".utf8))
        #expect(try await image.loadData(\.thumbnail) == bytes)
        #expect(try await image.loadData(\.original) == Data("a".utf8))
        #expect(try await image.loadData(\.icon) == Data([1, 2, 3]))
        #expect(try files.blobNames() == ["1", "2"])
        #expect(try Data(files.read(FilePath("/Photos/blobs/1"))) == bytes)
        // Written by the journal this time.
        let second = document.viewContext.addImage("b", thumbnail: ImageModel.bytes(10))
        second.icon = nil
        second.original = Data()
        try await document.close()
        #expect(try files.blobNames() == ["1", "2", "3"])

        let reopened = try await open()
        let (a, b) = (
            try reopened.viewContext.image("a"), try reopened.viewContext.image("b")
        )
        #expect(a?.thumbnail == bytes && a?.icon == Data([1, 2, 3]))
        #expect(b?.thumbnail == ImageModel.bytes(10) && b?.icon == nil && b?.original == Data())
        #expect(try await b?.loadData(\.icon) == nil)
        try await reopened.close()
        let report = try await ManagedDocument.verify(at: ImageModel.url, files: files)
        #expect(report.isSound)
    }

    @Test func `bytes that a file takes over are freed by code that may read them there`()
        async throws
    {
        let document = try await open()
        let counts = Mutex<[Int?]>([])
        do {
            let sevens = Array(repeating: UInt8(7), count: 1_000)
            let bytes = Data(sevens) { [unowned store = document.store] in
                let context = ManagedObjectContext(store, isolation: nil)
                let count = try? context.image("a")?.thumbnail?.count
                counts.withLock { $0.append(count) }
            }
            _ = document.viewContext.addImage("a", thumbnail: bytes)
        }
        try await document.save()
        #expect(counts.withLock(\.self) == [1_000])
        try await document.close()
    }

    @Test func `a document names a blob by its number, length and checksum`() async throws {
        let document = try await open()
        _ = document.viewContext.addImage("a", thumbnail: Data("123456789".utf8))
        try await document.save()
        let reference = #"{"blob":1,"bytes":9,"crc":"cbf43926"}"#
        #expect(try text("snapshot-1.json").contains(#""thumbnail":\#(reference)"#))
        try document.viewContext.image("a")?.thumbnail = Data("12345678".utf8)
        try await document.save()
        #expect(try text("journal-1.jsonl").contains(#""thumbnail":{"blob":3,"bytes":8,"crc":"#))
        try await document.close()
    }

    @Test func `the same bytes again are no change and no second file`() async throws {
        let document = try await open()
        let image = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(99))
        image.thumbnail = ImageModel.bytes(99)
        try await document.save()
        image.thumbnail = ImageModel.bytes(99)
        #expect(!document.viewContext.hasChanges)
        image.thumbnail = ImageModel.bytes(99, 1)
        image.thumbnail = ImageModel.bytes(99)
        try await document.save()
        #expect(document.store.commitNumber == 1)
        #expect(try files.blobNames() == ["1", "2"])
        try await document.close()
    }

    @Test func `undo, snapshots and other contexts still read what was dropped`() async throws {
        let document = try await open()
        let context = document.viewContext
        context.isUndoEnabled = true
        let image = context.addImage("a", thumbnail: ImageModel.bytes(50, 1))
        try await document.save()
        let old = document.store.snapshot()
        image.thumbnail = ImageModel.bytes(50, 2)
        try await document.save()
        image.thumbnail = nil
        context.delete(context.addImage("b"))
        try await document.save()
        for _ in 0..<3 { try await document.compact() }
        try await document.flush()
        #expect(try old.context().image("a")?.thumbnail == ImageModel.bytes(50, 1))
        while image.thumbnail != ImageModel.bytes(50, 2), context.canUndo { context.undo() }
        #expect(image.thumbnail == ImageModel.bytes(50, 2))
        try await document.save()
        try await document.close()
        let reopened = try await open()
        #expect(try reopened.viewContext.image("a")?.thumbnail == ImageModel.bytes(50, 2))
        try await reopened.close()
    }

    @Test func `a deleted object lets go of its files, and undo gives them back`() async throws {
        let document = try await open()
        let context = document.viewContext
        context.isUndoEnabled = true
        let image = context.addImage("a", thumbnail: ImageModel.bytes(50, 1))
        try await document.save()
        context.delete(image)
        #expect(image.thumbnail == nil)
        try await document.save()
        context.undo()
        #expect(image.thumbnail == ImageModel.bytes(50, 1))
        context.redo()
        try await document.save()
        context.isUndoEnabled = false
        for _ in 0..<2 { try await document.compact() }
        try await document.close()
        #expect(try files.blobNames() == [])
    }

    @Test(arguments: [true, false])
    func `files of bytes that objects lost go before they take much more than those of others`(
        isReplaced: Bool
    ) async throws {
        for round in 0..<16 {
            let document = try await open { $0.journalLimit = .init(ratio: 1, minimum: 10_000) }
            let context = document.viewContext
            if let image = try context.image("a"), !isReplaced { context.delete(image) }
            try await document.save()
            let image = try context.image("a") ?? context.addImage("a")
            image.thumbnail = ImageModel.bytes(4_000, UInt64(round))
            try await document.close()
            // Those that are there, and those that were lost in two generations.
            #expect(try files.blobNames().count <= 16, "round \(round)")
        }
        let document = try await open()
        #expect(try document.viewContext.image("a")?.thumbnail == ImageModel.bytes(4_000, 15))
        try await document.close()
        #expect(try await ManagedDocument.verify(at: ImageModel.url, files: files).isSound)
    }

    @Test(.endsWaiting)
    func `a snapshot that is ready late keeps no bytes that two later ones do not name`()
        async throws
    {
        try await withTemporaryDirectory { url in
            let disk = SlowFiles(writing: "snapshot-2")
            let document = try await ImageModel.open(disk, at: url) {
                $0.journalLimit = .init(ratio: 0, minimum: 4_000)
            }
            let image = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(50))
            image.original = Data()
            try await document.save()
            // The journal outgrows its limit, and the snapshot that is begun has the image.
            image.name = String(repeating: "a", count: 5_000)
            try await document.save()
            try await wait { disk.isWaiting }
            document.viewContext.delete(image)
            try await document.save()
            for _ in 0..<2 { try await document.compact() }
            disk.goOn()
            try await document.close()
            let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
            #expect(!names.contains { $0.hasPrefix("snapshot-2") }, "\(names)")
            #expect(try disk.blobNames(of: url.path) == [])
            #expect(try await ManagedDocument.verify(at: url).isSound)
        }
    }

    @Test func `what two contexts write is merged without reading or copying files`() async throws {
        let document = try await open()
        let context = document.viewContext
        let image = context.addImage("a", thumbnail: ImageModel.bytes(50))
        try await document.save()
        let other = ManagedObjectContext(document.store)
        try other.image("a")?.original = Data("theirs".utf8)
        image.thumbnail = ImageModel.bytes(60)
        try other.save()
        context.mergePolicy = .mergeByPropertyStoreTrump
        try await document.save()
        #expect(image.original == Data("theirs".utf8))
        #expect(image.thumbnail == ImageModel.bytes(60))
        #expect(try files.blobNames().count == 4)
        try await document.close()
    }

    @Test func `the option comes and goes with the model`() async throws {
        enum Inline {
            final class Image: ManagedObject {
                @Attribute(.unique) var name: String
                @Attribute var thumbnail: Data?
                @Attribute var original: Data
                @Attribute var icon: Data? = Data([1, 2, 3])
                @Attribute(.externalStorage) var tag: Data?
                @Relationship(inverse: \Folder.images) var folder: Folder?
            }
            final class Folder: ManagedObject {
                @Relationship var images: ObjectSet<Image>
            }
        }
        do {
            let document = try await open()
            let image = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(50))
            image.tag = ImageModel.bytes(5)
            try await document.close()
        }
        let inline = try await ImageModel.open(
            files, types: [Inline.Image.self, Inline.Folder.self])
        let found = try inline.viewContext.find(Inline.Image.self, \.name, "a")
        #expect(found?.thumbnail == ImageModel.bytes(50))
        found?.original = Data("b".utf8)
        try await inline.save()
        try await inline.compact()
        try await inline.close()
        #expect(try files.blobNames() == ["3"])
        let reopened = try await open()
        #expect(try reopened.viewContext.image("a")?.original == Data("b".utf8))
        #expect(try reopened.viewContext.image("a")?.tag == ImageModel.bytes(5))
        try await reopened.close()
    }

    @Test func `a default of a subclass is there when the option comes`() async throws {
        enum Inline {
            class Base: ManagedObject {
                @Attribute(.unique) var name: String
            }
            final class Sub: Base {
                @Attribute var icon = Data([1])
            }
        }
        enum External {
            class Base: ManagedObject {
                @Attribute(.unique) var name: String
            }
            final class Sub: Base {
                @Attribute(.externalStorage) var icon = Data([1])
            }
        }
        let inline = try await ImageModel.open(files, types: [Inline.Base.self, Inline.Sub.self])
        Inline.Sub(context: inline.viewContext).name = "a"
        try await inline.close()
        for _ in 0..<2 {
            let document = try await ImageModel.open(
                files, types: [External.Base.self, External.Sub.self])
            #expect(try document.viewContext.fetch(External.Sub.self).map(\.icon) == [Data([1])])
            try await document.compact()
            try await document.close()
        }
    }

    @Test func `predicates ask for bytes, and read only files of that length and checksum`()
        async throws
    {
        let read = Mutex(0)
        let document = try await open { $0.onUnreadableData = { _ in read.withLock { $0 += 1 } } }
        let context = document.viewContext
        _ = context.addImage("a", thumbnail: ImageModel.bytes(50))
        _ = context.addImage("b", thumbnail: ImageModel.bytes(51))
        _ = context.addImage("c")
        try await document.save()
        // Who reads the second is told.
        try files.remove(FilePath("/Photos/blobs/3"))
        let names = { (predicate: Predicate<Image>) in
            try context.fetch(FetchRequest(predicate: predicate)).map(\.name).sorted()
        }
        #expect(try names(#Predicate { $0.thumbnail == nil }) == ["c"])
        #expect(try names(#Predicate { $0.thumbnail != nil }) == ["a", "b"])
        let bytes = ImageModel.bytes(50)
        #expect(try names(#Predicate { $0.thumbnail == bytes }) == ["a"])
        let wanted = [bytes, ImageModel.bytes(51, 9)]
        #expect(try names(#Predicate { wanted.contains($0.original) }) == [])
        #expect(try context.fetch(Image.self, where: "thumbnail == nil").map(\.name) == ["c"])
        #expect(read.withLock(\.self) == 0)
        let request = FetchRequest<Image>(predicate: #Predicate { $0.thumbnail == nil })
        #expect(try !request.explain(in: context).description.contains("object by object"))
        let values = try document.store.snapshot().values(of: \Image.original)
        #expect(Set(values) == Set(["a", "b", "c"].map { Data($0.utf8) }))
        try await document.close()
    }

    @Test func `a model that needs the bytes for an index is refused`() {
        enum Unique {
            final class A: ManagedObject { @Attribute(.externalStorage, .unique) var data: Data? }
        }
        enum Indexed {
            final class A: ManagedObject { @Attribute(.externalStorage, .indexed) var data: Data? }
        }
        #expect(throws: SchemaError.self) { try ObjectModel([Unique.A.self]) }
        #expect(throws: SchemaError.self) { try ObjectModel([Indexed.A.self]) }
    }

    @Test func `a store without a document keeps the bytes`() throws {
        let store = try GraphStore(model: ImageModel.types)
        let context = ManagedObjectContext(store)
        let image = context.addImage("a", thumbnail: ImageModel.bytes(9))
        try context.save()
        #expect(image.thumbnail == ImageModel.bytes(9))
        image.thumbnail = nil
        #expect(image.thumbnail == nil)
        #expect(try image.committedValue(of: \.thumbnail) == ImageModel.bytes(9))
        context.rollback()
        #expect(image.thumbnail == ImageModel.bytes(9))
        #expect(store.snapshot().brokenInvariants == [])
    }
}
