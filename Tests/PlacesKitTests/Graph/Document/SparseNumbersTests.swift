import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph

/// Documents whose objects' numbers are far apart, as after years of deletes or an edit by hand.
@Suite struct SparseNumbersTests {
    final class Town: ManagedObject {
        @Attribute(.unique) var name: String
        @Relationship var friends: ObjectSet<Town>
        @Relationship(inverse: \Town.friends) var friend: Town?
    }

    private func open(_ objects: String) throws -> GraphStore {
        let model = try ObjectModel([Town.self])
        var bytes: [UInt8] = []
        try SnapshotFormat.json.write(Graph(layout: GraphLayout(schema: model.schema))) {
            bytes.append(contentsOf: $0)
        }
        let text = String(decoding: bytes, as: UTF8.self)
            .replacing("\"Town\":[\n", with: "\"Town\":[\n\(objects)\n")
        let graph = try SnapshotReader.read(Array(text.utf8), schema: model.schema)
        return GraphStore(model: model, graph: graph)
    }

    private func lines(of store: GraphStore) throws -> [Substring] {
        var bytes: [UInt8] = []
        try SnapshotFormat.json.write(store.head.graph) { bytes.append(contentsOf: $0) }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .filter { $0.contains("\"id\":") }
    }

    @Test func `objects keep numbers that are far apart, and take no room between them`() throws {
        let objects = """
            {"id":3,"name":"a","friend":2147483646},
            {"id":2147483646,"name":"b"},
            {"id":9223372036854775807,"name":"c","friend":3}
            """
        let store = try open(objects)
        #expect(try lines(of: store).joined(separator: "\n") == objects)
        #expect(store.head.graph.tables[0].upperBound == 3)

        let context = ManagedObjectContext(store)
        let towns = Array(try context.fetch(FetchRequest<Town>()))
        #expect(towns.map(\.objectID.number) == [3, 2_147_483_646, .max])
        for town in towns {
            #expect(context.object(with: town.objectID) === town)
            let id = town.objectID
            let request = FetchRequest<Town>(predicate: #Predicate { $0.id == id })
            #expect(try context.fetch(request).map(\.name) == [town.name])
        }
        #expect(towns[0].friend === towns[1] && towns[2].friend === towns[0])

        let town = Town(context: context)
        town.name = "new"
        town.friend = towns[2]
        try context.save()
        #expect(!towns.contains { $0.objectID == town.objectID })
        #expect(context.object(with: town.objectID) === town)
        try context.checkIntegrity()

        let written = try lines(of: store).joined(separator: "\n")
        #expect(try lines(of: open(written)).joined(separator: "\n") == written)
    }

    @Test func `objects in no order are read as they stand`() throws {
        let store = try open(
            """
            {"id":7,"name":"a"},
            {"id":2,"name":"b","friend":7},
            {"id":5,"name":"c","friend":7}
            """)
        let context = ManagedObjectContext(store)
        let towns = Array(try context.fetch(FetchRequest<Town>()))
        #expect(towns.map(\.objectID.number) == [7, 2, 5])
        #expect(towns[0].friends.map(\.name) == ["b", "c"])
        #expect(Town(context: context).objectID.number == 8)
    }
}
