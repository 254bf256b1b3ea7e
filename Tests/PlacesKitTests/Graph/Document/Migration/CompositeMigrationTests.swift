import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Composite attributes that may be missing, whose types have other parts.
@Suite struct CompositeMigrationTests {
    enum Old {
        struct Geo: CompositeAttribute, Hashable {
            var height = 0.0
            var note: String?

            static let parts: [CompositePart<Geo>] = [
                .part("height", \.height), .part("note", \.note),
            ]
        }
        final class Spot: ManagedObject {
            @Attribute var name = ""
            @Composite var geo: Geo?
            @Composite var base: Geo? = Geo(height: 9)
        }
        static let types: [ManagedObject.Type] = [Spot.self]

        static func fill(_ context: ManagedObjectContext) {
            for name in ["a", "b", "c"] {
                let spot = Spot(context: context)
                spot.name = name
                if name == "c" {
                    spot.base = nil
                } else {
                    spot.geo = Geo(height: 1.5, note: name == "b" ? "up" : nil)
                }
            }
        }
    }
    enum New {
        struct Geo: CompositeAttribute, Hashable {
            var height = 0.0
            var note = "none"
            var level = 3
            var tags: [String] = ["x"]
            var remark: String?

            static let parts: [CompositePart<Geo>] = [
                .part("height", \.height), .part("note", \.note), .part("level", \.level),
                .part("tags", \.tags), .part("remark", \.remark),
            ]
        }
        final class Spot: ManagedObject {
            @Attribute var name = ""
            @Composite var geo: Geo?
            @Composite var base: Geo? = Geo(height: 9)
            @Composite var more: Geo? = Geo(height: 7)
        }
        static let types: [ManagedObject.Type] = [Spot.self]
    }
    /// The note is required, and nothing else is another.
    enum Strict {
        struct Geo: CompositeAttribute, Hashable {
            var height = 0.0
            var note = "none"

            static let parts: [CompositePart<Geo>] = [
                .part("height", \.height), .part("note", \.note),
            ]
        }
        final class Spot: ManagedObject {
            @Attribute var name = ""
            @Composite var geo: Geo?
            @Composite var base: Geo? = Geo(height: 9)
        }
    }

    private static var sorted: FetchRequest<New.Spot> {
        FetchRequest(sortBy: [SortDescriptor(\.name)])
    }

    @Test func `a migrated object has all parts that a value needs, as init makes them, or none`()
        async throws
    {
        try await MigrationWorld.with(Old.types, Old.fill) { url in
            try await MigrationWorld.migrate(url, to: New.types) { context in
                let spots = Array(try context.fetch(Self.sorted))
                #expect(
                    spots.map(\.geo)
                        == [New.Geo(height: 1.5), New.Geo(height: 1.5, note: "up"), nil])
                #expect(spots.map(\.base) == [New.Geo(height: 9), New.Geo(height: 9), nil])
                #expect(spots.allSatisfy { $0.more == New.Geo(height: 7) })
                func count(_ format: String) throws -> Int {
                    try context.count(FetchRequest<New.Spot>(where: format))
                }
                #expect(try count("geo.level == 3") == 2)
                #expect(try count("geo.level == nil") == 1)
                #expect(try count("geo.note == 'none'") == 1)
                #expect(try count("base.level == nil") == 1)
            }
        }
    }

    @Test func `an export of migrated objects can be imported`() async throws {
        try await withTemporaryDirectory { directory in
            let url = directory.appending(path: "Document", directoryHint: .notDirectory)
            let file = directory.appending(path: "spots.json")
            try await MigrationWorld.make(url, Old.types, Old.fill)
            let document = try await ManagedDocument.open(
                at: url, model: New.types, options: .savedByHand())
            try await document.store.snapshot().export(Self.sorted, to: file, as: .json)
            try await document.close()
            let store = try GraphStore(model: New.types)
            _ = try await store.importObjects(into: New.Spot.self, from: file, as: .json)
            let spots = Array(try ManagedObjectContext(store).fetch(Self.sorted))
            #expect(
                spots.map(\.geo) == [New.Geo(height: 1.5), New.Geo(height: 1.5, note: "up"), nil])
        }
    }

    @Test func `a part that became required reads as init makes it, and is written so`()
        async throws
    {
        try await MigrationWorld.with(Old.types, Old.fill) { url in
            let sorted = FetchRequest<Strict.Spot>(sortBy: [SortDescriptor(\.name)])
            for height in [1.5, 2] {
                let document = try await ManagedDocument.open(
                    at: url, model: [Strict.Spot.self], options: .savedByHand())
                let spots = Array(try document.viewContext.fetch(sorted))
                #expect(spots.first?.geo == Strict.Geo(height: height))
                #expect(spots.last?.geo == nil)
                spots.first?.geo?.height = 2
                try await document.close()
            }
        }
    }
}
