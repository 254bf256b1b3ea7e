import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Snapshots that are read piece by piece, and those that cannot be.
@Suite struct SnapshotWindowTests: SnapshotComparing {
    let schema: Schema
    /// How many damaged snapshots are read of each kind.
    private static let damages =
        ProcessInfo.processInfo.environment["PLACESKIT_DAMAGES"].flatMap { Int($0) } ?? 40

    init() throws { schema = try ObjectModel(DocumentModel.types).schema }

    @Test(arguments: [UInt64](1...3), [SnapshotFormat.json, .xmlPropertyList])
    func `a snapshot read in pieces of any size is what it is as a whole`(
        seed: UInt64, format: SnapshotFormat
    ) throws {
        let bytes = try snapshot(seed: seed, format)
        var readCount = 0
        for size in [1, 16, 100, 1 << 10, 1 << 12, 5_000, 1 << 14, 1 << 15, 1 << 20] {
            readCount += try expectSame(bytes, inPiecesOf: size, "seed \(seed)") ? 1 : 0
        }
        #expect(readCount >= 3, "seed \(seed)")
        #expect(try expectSame(bytes, inPiecesOf: bytes.count / 4, "seed \(seed)"))
    }

    @Test(arguments: [UInt64](1...2), [SnapshotFormat.json, .xmlPropertyList])
    func `a damaged snapshot read in pieces is refused, or what it is as a whole`(
        seed: UInt64, format: SnapshotFormat
    ) throws {
        let bytes = try snapshot(seed: seed, format)
        var random = DocumentRandom(seed: seed)
        for _ in 0..<Self.damages {
            let size = [1 << 10, 1 << 12, 1 << 14].randomElement(using: &random) ?? 1
            _ = try expectSame(random.damaged(bytes), inPiecesOf: size, "seed \(seed)")
        }
    }

    @Test func `a snapshot in one line is left to be read as a whole`() throws {
        var bytes = try snapshot(seed: 1)
        bytes.removeAll { $0 == UInt8(ascii: "\n") }
        #expect(try !expectSame(bytes, inPiecesOf: 1 << 12, "one line"))
        #expect(try expectSame(bytes, inPiecesOf: bytes.count + 1, "one line"))
    }

    @Test func `a snapshot whose objects take several lines is read in pieces, too`() throws {
        var (bytes, nesting): ([UInt8], JSONNesting) = ([], JSONNesting())
        for byte in try snapshot(seed: 1) {
            nesting.pass(byte)
            bytes.append(byte)
            if byte == UInt8(ascii: ","), !nesting.isInString {
                bytes.append(contentsOf: Array("\r\n    ".utf8))
            }
        }
        #expect(try expectSame(bytes, inPiecesOf: 1 << 14, "several lines"))
    }

    @Test func `what follows a snapshot is found, however far away it is`() throws {
        let bytes = try snapshot(seed: 2)
        let space = [UInt8](repeating: UInt8(ascii: "\n"), count: 1 << 16)
        let size = 1 << 14
        #expect(try !expectSame(bytes + space + [UInt8(ascii: "x")], inPiecesOf: size, "garbage"))
    }

    @Test func `a binary property list is left to be read as a whole`() throws {
        let list = try snapshot(seed: 1, .binaryPropertyList)
        #expect(try !expectSame(list, inPiecesOf: list.count * 2, "binary"))
    }

    @Test func `a property list that Foundation wrote is left to be read as a whole`() throws {
        let list = try PropertyListSerialization.propertyList(
            from: Data(try snapshot(seed: 1, .xmlPropertyList)), format: nil)
        // Its keys are sorted.
        let sorted = Array(
            try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0))
        #expect(try !expectSame(sorted, inPiecesOf: 1 << 14, "sorted"))
    }

    private func snapshot(seed: UInt64, _ format: SnapshotFormat = .json) throws -> [UInt8] {
        let store = try GraphStore(model: DocumentModel.types)
        let context = ManagedObjectContext(store)
        var random = RandomItems(seed: seed)
        try random.change(context, times: 300)
        try context.save()
        return try text(store.head.graph, format)
    }
}
