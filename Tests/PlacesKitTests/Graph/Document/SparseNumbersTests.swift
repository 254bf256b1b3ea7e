import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Documents whose objects' numbers are far apart, as after years of deletes or an edit by hand.
@Suite struct SparseNumbersTests {
    final class Town: ManagedObject {
        @Attribute(.unique) var name: String
        @Relationship var friends: ObjectSet<Town>
        @Relationship(inverse: \Town.friends) var friend: Town?
    }

    /// A document whose snapshot has these objects.
    static func written(_ objects: String) async throws -> HandwrittenDocument {
        let empty = try await HandwrittenDocument.text(of: [Town.self]) { _ in }
        return try HandwrittenDocument(
            of: [Town.self],
            empty.replacing("\"Town\":[\n", with: "\"Town\":[\n\(objects)\n"))
    }

    /// The objects of a snapshot.
    private func objects(in text: String) -> String {
        text.split(separator: "\n").filter { $0.contains("\"id\":") }.joined(separator: "\n")
    }

    static let farApart = """
        {"id":3,"name":"a","friend":2147483646},
        {"id":2147483646,"name":"b"},
        {"id":9223372036854775807,"name":"c","friend":3}
        """

    @Test func `objects keep numbers that are far apart`() async throws {
        let written = try await Self.written(Self.farApart)
        let document = try await written.open()
        let context = document.viewContext
        #expect(objects(in: try await written.text(of: document)) == Self.farApart)

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
        let text = try await written.text(of: document)
        #expect(!towns.contains { $0.objectID == town.objectID })
        #expect(context.object(with: town.objectID) === town)
        try context.checkIntegrity()

        let again = try HandwrittenDocument(of: [Town.self], text)
        #expect(try await again.text(of: again.open()) == text)
    }

    @Test func `objects in no order are read as they stand`() async throws {
        let document = try await Self.written(
            """
            {"id":7,"name":"a"},
            {"id":2,"name":"b","friend":7},
            {"id":5,"name":"c","friend":7}
            """
        ).open()
        let context = document.viewContext
        let towns = Array(try context.fetch(FetchRequest<Town>()))
        #expect(towns.map(\.objectID.number) == [7, 2, 5])
        #expect(towns[0].friends.map(\.name) == ["b", "c"])
        #expect(Town(context: context).objectID.number == 8)
    }
}
