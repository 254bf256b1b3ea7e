import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph

/// Indexes, constraints and derived attributes in files.
@Suite struct DocumentDerivedTests {
    private typealias Shelf = ShelfModel.Shelf
    private typealias Item = ShelfModel.Item

    private func bytes(_ graph: Graph) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try SnapshotFormat.json.write(graph) { bytes.append(contentsOf: $0) }
        return bytes
    }

    private func context() throws -> ManagedObjectContext {
        let context = try ShelfModel.context()
        let shelf = Shelf(context: context)
        for number in 0..<3 {
            let item = Item(context: context)
            item.shelf = shelf
            item.number = number
            item.weight = 0.1 * Double(number)
            item.isLit = number == 1
        }
        try context.save()
        return context
    }

    @Test func `derived values are not written, and are there again after reading`() throws {
        let context = try context()
        let graph = context.store.head.graph
        let text = String(decoding: try bytes(graph), as: UTF8.self)
        let line = try #require(
            text.split(separator: "\n").first { $0.contains(#""name":"Shelf""#) })
        #expect(line.contains(#""unique":true"#) == false)
        #expect(
            line.contains(
                #"{"name":"litCount","type":"int64","derived":"count","over":"items","where":"isLit"}"#
            ))
        #expect(text.contains(#""unique":[["shelf","number"]],"indexes":[["shelf","day"],"#))
        #expect(!text.contains(#""itemCount":3"#))

        let read = try SnapshotReader.read(Array(text.utf8), schema: graph.schema)
        #expect(read.brokenInvariants(allowingDeniedDeletes: false).isEmpty)
        let slot = try #require(graph.schema.entities[1].slot(named: "itemCount"))
        #expect(read.datum(0, slot, in: 1) == .integer(3))
        #expect(try bytes(read) == Array(text.utf8))
    }

    private final class Race: ManagedObject {
        @Relationship(inverse: \Run.race) var runs: ObjectSet<Run>
        @Derived(count: \Race.runs, .unique) var runCount: Int
        @Derived(max: \Race.runs, \Run.runner, .unique) var lastRunner: String?
    }

    private final class Run: ManagedObject {
        @Attribute var runner = ""
        @Relationship var race: Race?
    }

    @Test func `a derived value that is unique leads to its object after reading`() throws {
        let store = try GraphStore(model: [Race.self, Run.self])
        let context = ManagedObjectContext(store, isolation: nil)
        // Enough for several chunks.
        for number in 0..<60 {
            let race = Race(context: context)
            for _ in 0..<number {
                let run = Run(context: context)
                run.runner = "the runner of race number \(number)"
                run.race = race
            }
        }
        try context.save()
        let written = try bytes(store.head.graph)
        for _ in 0..<8 {
            let window = try SnapshotWindow(FileContent(written))
            let pieces = try SnapshotReader.read(window, schema: store.model.schema)
            let graph = try #require(pieces)
            #expect(graph.brokenInvariants(allowingDeniedDeletes: false).isEmpty)
            let read = ManagedObjectContext(
                GraphStore(model: store.model, graph: graph), isolation: nil)
            #expect(try read.find(Race.self, \.runCount, 59)?.runs.count == 59)
            let last = try read.find(Race.self, \.lastRunner, "the runner of race number 58")
            #expect(last?.runCount == 58)
        }
    }

    @Test func `what a file says of a derived value is passed over`() throws {
        let graph = try context().store.head.graph
        let text = String(decoding: try bytes(graph), as: UTF8.self)
            .replacing(#"{"id":0,"name":"""#, with: #"{"id":0,"name":"","itemCount":99"#)
        #expect(text.contains("99"))
        let read = try SnapshotReader.read(Array(text.utf8), schema: graph.schema)
        #expect(read.brokenInvariants(allowingDeniedDeletes: false).isEmpty)
    }

    @Test func `a file in which a unique combination is not is refused`() throws {
        let graph = try context().store.head.graph
        let text = String(decoding: try bytes(graph), as: UTF8.self)
            .replacing(#""number":2"#, with: #""number":1"#)
        #expect {
            try SnapshotReader.read(Array(text.utf8), schema: graph.schema)
        } throws: { error in
            "\(error)".contains("a unique combination of shelf, number")
        }
    }

    @Test func `a file opens with a model that has other indexes and derived attributes`() throws {
        func schema(_ derivation: DerivationDescription?) throws -> Schema {
            let derived = derivation.map {
                [PropertyDescription.attribute(.init(name: "count", type: .int64, derivation: $0))]
            }
            return try Schema(entities: [
                EntityDescription(
                    name: "Shelf",
                    properties: [
                        .relationship(.init(name: "items", destination: "Item", isToMany: true)),
                        .attribute(
                            .init(name: "name", type: .string, isIndexed: derivation == nil)),
                    ] + (derived ?? [])),
                EntityDescription(
                    name: "Item",
                    properties: [.relationship(.init(name: "shelf", destination: "Shelf"))],
                    indexes: derivation == nil ? [] : [["shelf"]]),
            ])
        }
        let with = try schema(DerivationDescription(.count, of: "items"))
        for (old, new) in [(with, try schema(nil)), (try schema(nil), with)] {
            let empty = Graph(layout: GraphLayout(schema: old))
            #expect(
                try SnapshotReader.read(try bytes(empty), schema: new).schema == new)
        }
    }
}
