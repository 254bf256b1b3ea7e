import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// Blobs of earlier commits, and what the feed of changes says of blobs.
@Suite struct BlobHistoryTests {
    private typealias Image = ImageModel.Image
    private let files = CrashingFiles()
    private static let copy = URL(filePath: "/Copy", directoryHint: .notDirectory)

    private func open(
        at url: URL = ImageModel.url,
        _ change: (inout ManagedDocument.Options) -> Void = { _ in }
    ) async throws -> ManagedDocument {
        try await ImageModel.open(files, at: url, change)
    }

    /// What a feed says of thumbnails, up to a commit.
    private func thumbnails(
        in changes: AsyncThrowingStream<ChangeRecord, any Error>, upTo commit: Int
    ) async throws -> [JSONValue] {
        var values: [JSONValue] = []
        for try await change in changes {
            for object in change.inserted + change.updated {
                if let value = object.values["thumbnail"] { values.append(value) }
            }
            if change.commit == commit { break }
        }
        return values
    }

    @Test func `with history every commit has its bytes`() async throws {
        let document = try await open { $0.keepsHistory = true }
        let image = document.viewContext.addImage("a")
        for number in 1...6 {
            image.thumbnail = number == 4 ? nil : ImageModel.bytes(40, UInt64(number))
            try await document.save()
            if number.isMultiple(of: 2) { try await document.compact() }
        }
        try await document.close()
        let reopened = try await open { $0.keepsHistory = true }
        for number in 1...6 {
            let past = try await reopened.snapshot(at: number).context().image("a")
            #expect(
                past?.thumbnail == (number == 4 ? nil : ImageModel.bytes(40, UInt64(number))))
        }
        try await reopened.close()
    }

    @Test func `a history that begins with what a crash left of a compaction has its bytes`()
        async throws
    {
        let now = Mutex(Date(timeIntervalSinceReferenceDate: 0))
        let configure: (inout ManagedDocument.Options) -> Void = {
            $0.keepsHistory = true
            $0.historyLimit = .init(age: .seconds(50))
            $0.now = { now.withLock { $0 } }
        }
        var document = try await open(configure)
        _ = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(40, 1))
        try await document.save()
        let manifest = FilePath("/Photos/manifest.json")
        let former = try files.read(manifest)
        try await document.compact()
        try await document.close()
        // As if the process had been killed before it wrote the manifest.
        try files.replaceFile(at: manifest, with: former)
        document = try await open(configure)
        now.withLock { $0 += 100 }
        if let image = try document.viewContext.image("a") { document.viewContext.delete(image) }
        try await document.save()
        for _ in 0..<2 { try await document.compact() }
        try await document.close()
        #expect(try !files.exists(FilePath("/Photos/journal-1.jsonl")))
        document = try await open(configure)
        let past = try await document.snapshot(at: 1).context().image("a")
        #expect(past?.thumbnail == ImageModel.bytes(40, 1))
        try await document.close()
    }

    @Test func `the feed has references, which the document leads to their bytes`() async throws {
        let document = try await open()
        try await document.save()
        let changes = document.changes(since: 0)
        let image = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(40, 1))
        try await document.save()
        image.thumbnail = nil
        try await document.save()
        let values = try await thumbnails(in: changes, upTo: 2)
        #expect(values.count == 2)
        #expect(try await document.externalData(values[0]) == ImageModel.bytes(40, 1))
        #expect(try await document.externalData(values[1]) == nil)
        #expect(try await document.externalData(.string("AQID")) == Data([1, 2, 3]))
        for value in [JSONValue.boolean(true), .object(["blob": .integer(1)]), .string("?")] {
            await #expect(throws: ExternalStorageError.notAReference) {
                try await document.externalData(value)
            }
        }
        try await document.close()
    }

    @Test func `references of the feed are good after the document was saved elsewhere`()
        async throws
    {
        let document = try await open()
        try await document.save()
        let changes = document.changes(since: 0)
        let image = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(40, 1))
        try await document.save()
        image.thumbnail = ImageModel.bytes(40, 2)
        try await document.save()
        try await document.save(as: Self.copy)
        image.thumbnail = ImageModel.bytes(40, 3)
        try await document.save()
        let values = try await thumbnails(in: changes, upTo: 3)
        #expect(values.count == 3)
        for (seed, value) in zip(1..., values) {
            #expect(try await document.externalData(value) == ImageModel.bytes(40, UInt64(seed)))
        }
        try files.remove(FilePath("/Photos/blobs/1"))
        await #expect(throws: ExternalStorageError.self) {
            try await document.externalData(values[0])
        }
        try await document.close()
    }

    @Test(arguments: [
        #"{"blob":0,"bytes":1,"crc":"00000000"}"#, #"{"blob":1,"bytes":-1,"crc":"00000000"}"#,
        #"{"blob":1,"bytes":1,"crc":"0000000g"}"#, #"{"blob":1,"bytes":1}"#, "{}", "[1]", "7",
        #"{"blob":9223372036854775807,"bytes":1,"crc":"00000000"}"#,
    ])
    func `a reference that is none is an error with its location`(text: String) async throws {
        let document = try await open()
        _ = document.viewContext.addImage("a", thumbnail: Data("123456789".utf8))
        try await document.close()
        let path = FilePath("/Photos/snapshot-1.json")
        let altered = String(decoding: try files.read(path), as: UTF8.self)
            .replacing(#"{"blob":1,"bytes":9,"crc":"cbf43926"}"#, with: text)
        try files.replaceFile(at: path, with: Array(altered.utf8))
        await #expect(throws: DocumentError.self) { try await open() }
    }
}
