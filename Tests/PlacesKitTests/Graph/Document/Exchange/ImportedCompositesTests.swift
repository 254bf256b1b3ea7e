import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// The parts of composite attributes in files.
@Suite struct ImportedCompositesTests {
    struct Address: CompositeAttribute {
        var street = ""
        var zip: String?

        static let parts: [CompositePart<Address>] = [
            .part("street", \.street), .part("zip", \.zip),
        ]
    }

    class Pin: ManagedObject {
        @Attribute(.unique) var name: String
        @Composite var spot: Coordinate?
    }

    final class Home: Pin {
        @Composite var address: Address?
    }

    private let store: GraphStore

    init() throws {
        store = try GraphStore(model: [Pin.self, Home.self])
        let context = ManagedObjectContext(store)
        try context.findOrInsert(Home.self, \.name, "old").spot = Coordinate(
            latitude: 1, longitude: 2)
        try context.save()
    }

    /// Imports a text; returns what is wrong with it, or what was done.
    private func answer(
        _ text: String, as format: ExchangeFormat = .csv
    ) async throws -> String {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "file")
            try Data(text.utf8).write(to: url)
            do {
                let summary = try await store.importObjects(
                    into: Home.self, from: url, as: format, policy: .upsert(by: \.name))
                return "\(summary.inserted) inserted, \(summary.updated) updated"
            } catch let error as ImportError {
                return error.description
                    .replacing(url.path(percentEncoded: false) + ":", with: "")
                    .replacing(". Nothing was imported.", with: "")
            }
        }
    }

    private func home(_ name: String) throws -> Home? {
        try store.snapshot().context().find(Home.self, \.name, name)
    }

    @Test func `a value of which a part is missing is refused`() async throws {
        let cases = [
            ("name,spot.latitude\nnew,5\n", "2:5: spot: expected a value of spot.longitude"),
            ("name,spot.latitude\nold,\n", "2:5: spot: expected a value of spot.latitude"),
            (
                "name,spot.latitude,spot.longitude\nold,,3\n",
                "2:5: spot: expected a value of spot.latitude"
            ),
            ("name,address.zip\nold,1\n", "2:5: address: expected a value of address.street"),
        ]
        for (text, expected) in cases {
            #expect(try await answer(text) == expected + ", or of no part")
        }
        let json = try await answer(#"[{"name":"new","spot.longitude":5}]"#, as: .json)
        #expect(json.hasSuffix("spot: expected a value of spot.latitude, or of no part"))
        #expect(try home("new") == nil)
        #expect(try home("old")?.spot == Coordinate(latitude: 1, longitude: 2))
    }

    @Test func `what a file has not of a value stays, and what may be missing may`() async throws {
        #expect(try await answer("name,spot.latitude\nold,5\n") == "0 inserted, 1 updated")
        #expect(try home("old")?.spot == Coordinate(latitude: 5, longitude: 2))
        let text = "name,spot.latitude,spot.longitude,address.street\nold,,,Elm\nnew,3,4,\"\"\n"
        #expect(try await answer(text) == "1 inserted, 1 updated")
        #expect(try home("old")?.spot == nil)
        #expect(try home("old")?.address == Address(street: "Elm"))
        #expect(try home("new")?.spot == Coordinate(latitude: 3, longitude: 4))
        #expect(try home("new")?.address == Address())
    }
}
