import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// The bytes of blobs: in memory until they are written, and then in files.
@Suite struct BlobWriterTests {
    private let files = CrashingFiles()

    @Test func `nothing stands for a blob once one could not be written`() throws {
        let blobs = BlobWriter(
            .ofDocument(FilePath("/Photos"), files), adopts: true)
        files.fail { _ in 28 }
        var writer = JSONWriter()
        writer.beginArray()
        for count in [50, 60] { writer.write(Blob(ImageModel.bytes(count)), blobs) }
        writer.endArray()
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"["",""]"#)
        #expect(throws: FileSystemError.self) { try blobs.finish() }
    }

    @Test(arguments: ManagedDocument.Format.allCases)
    func `bytes are in memory until they are written, and not after opening`(
        format: ManagedDocument.Format
    ) async throws {
        let document = try await ImageModel.open(files) { $0.format = format }
        let image = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(1_000))
        try document.viewContext.save()
        #expect(document.store.head.graph.pendingBlobBytes == 1_001)
        try await document.save()
        #expect(document.store.head.graph.pendingBlobBytes == 0)
        image.thumbnail = ImageModel.bytes(10)
        files.fail { step in if case .write = step { 28 } else { nil } }
        await #expect(throws: DocumentError.self) { try await document.save() }
        #expect(document.store.head.graph.pendingBlobBytes == 10)
        files.mend()
        try await document.save()
        #expect(document.store.head.graph.pendingBlobBytes == 0)
        try await document.close()
        let reopened = try await ImageModel.open(files)
        #expect(reopened.store.head.graph.pendingBlobBytes == 0)
        try await reopened.close()
    }

    @Test func `bytes that an earlier version wrote inline become files with the next save`()
        async throws
    {
        let model = try ObjectModel(ImageModel.types)
        let store = GraphStore(model: model, graph: Graph(layout: model.layout))
        let context = ManagedObjectContext(store)
        _ = context.addImage("a", thumbnail: ImageModel.bytes(50))
        try context.save()
        var bytes: [UInt8] = []
        try SnapshotFormat.json.write(store.head.graph) { bytes.append(contentsOf: $0) }
        #expect(!String(decoding: bytes, as: UTF8.self).contains("blob"))
        try files.makeDirectory(at: FilePath("/Photos"))
        try files.replaceFile(at: FilePath("/Photos/snapshot-1.json"), with: bytes)
        let document = try await ImageModel.open(files)
        let image = try document.viewContext.image("a")
        #expect(image?.thumbnail == ImageModel.bytes(50))
        #expect(document.store.head.graph.pendingBlobBytes == 51)
        _ = document.viewContext.addImage("b")
        try await document.save()
        #expect(document.store.head.graph.pendingBlobBytes == 0)
        #expect(image?.thumbnail == ImageModel.bytes(50))
        try await document.close()
    }
}
