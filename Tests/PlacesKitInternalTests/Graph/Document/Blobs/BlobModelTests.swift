import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Random changes of attributes with external storage, and what is on the disk after them.
@Suite struct BlobModelTests {
    private static let seeds =
        ProcessInfo.processInfo.environment["PLACESKIT_BLOBS"].flatMap(UInt64.init) ?? 6

    @Test(arguments: 1...seeds)
    func `after snapshots just those files are there that the graph needs`(
        seed: UInt64
    ) async throws {
        var world = BlobWorld(seed: seed)
        try await world.run(steps: 60)
    }
}

/// A document with random images, beside what it is expected to hold.
private struct BlobWorld {
    let seed: UInt64
    private var generator: DocumentRandom
    private let files = CrashingFiles()
    /// What was saved and is held on to, with what it has to read.
    private var kept: [(snapshot: GraphSnapshot, content: [String: Data?])] = []
    private var made = 0

    init(seed: UInt64) {
        self.seed = seed
        generator = DocumentRandom(seed: seed)
    }

    private mutating func number(_ range: Range<Int>) -> Int {
        Int.random(in: range, using: &generator)
    }

    /// Few different bytes, so that the same come again.
    private mutating func bytes() -> Data? {
        let seed = UInt64(number(0..<8))
        return number(0..<5) == 0 ? nil : ImageModel.bytes(number(0..<3) * 20, seed)
    }

    private func content(_ context: ManagedObjectContext) throws -> [String: Data?] {
        Dictionary(
            uniqueKeysWithValues: try context.fetch(ImageModel.Image.self).map {
                ($0.name, $0.thumbnail)
            })
    }

    private mutating func change(_ context: ManagedObjectContext) throws {
        let images = Array(try context.fetch(ImageModel.Image.self))
        guard let image = images.randomElement(using: &generator), images.count < 12 else {
            for image in images.prefix(4) { context.delete(image) }
            made += 1
            _ = context.addImage("\(made)", thumbnail: bytes())
            return
        }
        switch number(0..<8) {
        case 0..<2:
            made += 1
            _ = context.addImage("\(made)", thumbnail: bytes())
        case 2..<5: image.thumbnail = bytes()
        case 5: context.delete(image)
        case 6: context.undo()
        default: context.redo()
        }
    }

    private func open() async throws -> ManagedDocument {
        let document = try await ImageModel.open(files) {
            $0.journalLimit = .init(ratio: 2, minimum: 0)
        }
        document.viewContext.isUndoEnabled = true
        return document
    }

    mutating func run(steps: Int) async throws {
        var document = try await open()
        for step in 0..<steps {
            let comment = Comment(rawValue: "seed \(seed), step \(step)")
            for _ in 0..<number(1..<4) { try change(document.viewContext) }
            let expected = try content(document.viewContext)
            switch number(0..<10) {
            case 0..<3: try await document.save(durability: .memory)
            case 3..<6: try await document.save(durability: .system)
            case 6..<8: try await document.save()
            case 8:
                try await document.save()
                try await document.compact()
            default:
                try await document.close()
                document = try await open()
            }
            #expect(try content(document.viewContext) == expected, comment)
            if number(0..<6) == 0 { kept.append((document.store.snapshot(), expected)) }
            if number(0..<6) == 0, !kept.isEmpty { kept.remove(at: number(0..<kept.count)) }
            for (snapshot, content) in kept {
                #expect(try self.content(snapshot.context()) == content, comment)
            }
        }
        let expected = try content(document.viewContext)
        kept = []
        try await document.close()
        document = try await open()
        for _ in 0..<2 { try await document.compact() }
        try await document.close()
        let graph = document.store.head.graph
        #expect(graph.pendingBlobBytes == 0)
        let numbers = graph.blobNumbers(in: document.writer.directory.blobs)
        let expectedNames = numbers.sorted().map(String.init).sorted()
        let found = try files.blobNames()
        #expect(found == expectedNames, "seed \(seed)")
        #expect(try content(document.viewContext) == expected, "seed \(seed)")
        let report = try await ManagedDocument.verify(at: ImageModel.url, files: files)
        #expect(report.isSound, "seed \(seed): \(report)")
    }
}
