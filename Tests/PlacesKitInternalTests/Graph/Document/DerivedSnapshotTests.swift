import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph

/// Snapshots of derived attributes, read in pieces or with another schema.
@Suite struct DerivedSnapshotTests {
    private func bytes(_ graph: Graph) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try SnapshotFormat.json.write(graph) { bytes.append(contentsOf: $0) }
        return bytes
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
