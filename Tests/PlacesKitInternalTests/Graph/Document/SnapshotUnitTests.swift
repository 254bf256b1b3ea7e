import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Snapshots of several chunks, whose objects are read on all cores.
@Suite struct SnapshotUnitTests: SnapshotComparing {
    private final class Shot: ManagedObject {
        @Attribute(.unique) var code: String
        @Attribute var title = ""
        @Attribute(.indexed) var views = 0
        @Attribute var taken: Date?
        @Attribute(.externalStorage) var picture: Data?
        @Relationship(inverse: \Album.shots) var album: Album?
        @Relationship(inverse: \Album.covers) var covered: ObjectSet<Album>
    }

    private final class Album: ManagedObject {
        @Attribute(.unique) var name: String
        @Relationship var shots: ObjectSet<Shot>
        @Relationship var covers: ObjectSet<Shot>
    }

    private static let sizes = [1 << 13, 1 << 16, 1 << 18, 1 << 22]

    let schema: Schema

    init() throws { schema = try ObjectModel([Shot.self, Album.self]).schema }

    @Test(arguments: [UInt64](1...2))
    func `objects that are read on all cores are what they are on one`(seed: UInt64) throws {
        let graph = try graph(seed: seed)
        let bytes = try text(graph)
        for size in Self.sizes {
            #expect(try expectSame(bytes, inPiecesOf: size, "seed \(seed)"))
        }
        let list = try text(graph, .binaryPropertyList)
        #expect(try expectSame(binary: list, "seed \(seed)") == bytes, "seed \(seed)")
    }

    @Test func `a line that is too long to be one object among many is not divided`() throws {
        let object = "{" + String(repeating: "1", count: 1 << 19) + "}\n"
        Array(object.utf8).withUnsafeBytes { bytes in
            #expect(JSONReader(bytes).units(first: 1, others: 1, limit: 1).isEmpty)
        }
    }

    @Test func `units share what elements a binary property list may have`() throws {
        try BinaryPropertyListReader.read(text(graph(seed: 1), .binaryPropertyList)) { list in
            try list.beginOrderedObject()
            while let key = try list.nextKey(in: SnapshotKeys.header), key != .objects {
                try list.skipValue()
            }
            try list.beginObject()
            _ = try list.nextKey(in: JSONKeyTable(schema.entities.map(\.name)))
            try list.beginArray()
            try #require(try list.nextElement())
            let units = list.units(first: 100, others: ChunkLayout.rows, limit: 64)
            #expect(units.count > 1)
            #expect(units.reduce(0) { $0 + $1.elementLimit } <= list.remainingElements)
        }
    }

    @Test func `the lines of objects are divided by the chunks of their rows`() throws {
        try text(graph(seed: 1)).withUnsafeBytes { bytes in
            var json = JSONReader(bytes)
            try json.beginObject()
            while let key = try json.nextKey(in: SnapshotKeys.header), key != .objects {
                try json.skipValue()
            }
            try json.beginObject()
            _ = try json.nextKey()
            try json.beginArray()
            try #require(try json.nextElement())
            let units = json.units(first: 100, others: ChunkLayout.rows, limit: 2)
            #expect(units.map(\.count) == [100, ChunkLayout.rows])
            for unit in units { json.pass(unit, elements: 0) }
            try #require(try json.nextElement())
            let rest = json.units(first: 200, others: ChunkLayout.rows, limit: 64)
            #expect(rest.first?.count == 200)
            for unit in rest { json.pass(unit, elements: 0) }
            #expect(try !json.nextElement())
        }
    }

    @Test func `objects that are written on all cores are what they are on one`() throws {
        let graph = try graph(seed: 3)
        var bytes: [UInt8] = []
        var writer = SnapshotWriter<JSONWriter>(
            graph: graph, blobs: nil, progress: nil, usesAllCores: false
        ) { bytes.append(contentsOf: $0) }
        try writer.writeSnapshot()
        #expect(try text(graph) == bytes)
    }

    @Test(arguments: [UInt64](1...2))
    func `what is not one object a line is read as it is on one core`(seed: UInt64) throws {
        var random = DocumentRandom(seed: seed)
        var lines = try text(graph(seed: seed)).split(separator: UInt8(ascii: "\n"))[...]
        for _ in 0..<20 {
            let number = Int.random(in: lines.indices, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: lines[number].append(contentsOf: Array("\r".utf8))
            case 1: lines[number].append(contentsOf: Array("\n\n".utf8))
            case 2: lines[number] = Array("  ".utf8) + lines[number]
            default:
                guard let comma = lines[number].firstIndex(of: UInt8(ascii: ",")) else { continue }
                lines[number].insert(UInt8(ascii: "\n"), at: comma + 1)
            }
        }
        let bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
        for size in Self.sizes.dropFirst() {
            _ = try expectSame(bytes, inPiecesOf: size, "seed \(seed)")
        }
        let joined = bytes.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        #expect(try !expectSame(joined, inPiecesOf: 1 << 16, "seed \(seed)"))
        #expect(try expectSame(joined, inPiecesOf: 1 << 22, "seed \(seed)"))
    }

    @Test(arguments: [UInt64](1...2))
    func `a damaged snapshot of several chunks is refused, or what it is on one core`(
        seed: UInt64
    ) throws {
        let bytes = try text(graph(seed: seed))
        var random = DocumentRandom(seed: seed)
        for _ in 0..<15 {
            let altered = random.damaged(bytes)
            let size = Self.sizes.randomElement(using: &random) ?? 1
            _ = try expectSame(altered, inPiecesOf: size, "seed \(seed)")
        }
    }

    @Test(arguments: [UInt64](1...2))
    func `a damaged binary property list tells what it tells on one core`(seed: UInt64) throws {
        let bytes = try text(graph(seed: seed), .binaryPropertyList)
        var random = DocumentRandom(seed: seed)
        for _ in 0..<10 { _ = try expectSame(binary: random.damaged(bytes), "seed \(seed)") }
    }

    @Test func `two objects with one value, in different chunks, are found`() throws {
        var lines = try text(graph(seed: 1)).split(separator: UInt8(ascii: "\n"))
        let code = Array(#""code":"shot 7""#.utf8)
        let number = try #require(
            lines.lastIndex { $0.firstRange(of: Array(#""code""#.utf8)) != nil })
        let start = try #require(lines[number].firstRange(of: Array(#""code":""#.utf8)))
        let end = try #require(
            lines[number][start.upperBound...].firstIndex(of: UInt8(ascii: "\"")))
        lines[number].replaceSubrange(start.lowerBound...end, with: code)
        let bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
        #expect(try !expectSame(bytes, inPiecesOf: 1 << 22, "one value twice"))
        #expect(throws: JSONError.self) { try SnapshotReader.read(bytes, schema: schema) }
    }

    // MARK: - Comparing

    /// Expects that a binary property list is read on all cores as on one; returns the graph's text.
    private func expectSame(binary bytes: [UInt8], _ what: String) throws -> [UInt8]? {
        func read(usesAllCores: Bool) throws -> Result<[UInt8], JSONError> {
            do {
                let graph = try SnapshotReader.read(
                    bytes, schema: schema, usesAllCores: usesAllCores)
                #expect(graph.brokenInvariants(allowingDeniedDeletes: false).isEmpty, "\(what)")
                return .success(try text(graph))
            } catch let error as JSONError {
                return .failure(error)
            } catch {
                return .failure(
                    JSONError(
                        kind: .invalidValue(expected: "\(error)"), line: 0, column: 0, byteOffset: 0
                    ))
            }
        }
        let result = try read(usesAllCores: true)
        #expect(try result == read(usesAllCores: false), "\(what)")
        return try? result.get()
    }

    // MARK: - Making

    /// A graph of several chunks, with rows that were deleted and links across all chunks.
    private func graph(seed: UInt64) throws -> Graph {
        let store = try GraphStore(model: [Shot.self, Album.self])
        let context = ManagedObjectContext(store)
        var random = DocumentRandom(seed: seed)
        let titles = ["", "café", "a \"b\"\n\\c", "{", "},"]
        let albums = (0..<1_100).map { number in
            let album = Album(context: context)
            album.name = "album \(number)"
            return album
        }
        for number in 0..<Int.random(in: 2_200...3_500, using: &random) {
            let shot = Shot(context: context)
            shot.code = "shot \(number)"
            shot.title = titles.randomElement(using: &random) ?? ""
            shot.views = Int.random(in: 0..<100, using: &random)
            shot.taken = Bool.random(using: &random) ? Date(timeIntervalSince1970: 0.1) : nil
            shot.album = albums.randomElement(using: &random)
            if number % 7 == 0 { albums.randomElement(using: &random)?.covers.insert(shot) }
            if number % 11 == 3, number > 7 { context.delete(shot) }
        }
        try context.save()
        return store.head.graph
    }
}
