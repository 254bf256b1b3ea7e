import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Exports and imports of properties whose names are no words, or words of predicate formats.
@Suite struct ExchangedNamesTests {
    final class Town: ManagedObject {
        @Attribute(.unique) var `full name`: String
        @Relationship var `all folk`: ObjectSet<Person>
    }

    final class Club: ManagedObject {
        @Attribute(.unique) var no: Int
        @Relationship var like: ObjectSet<Person>
    }

    final class Person: ManagedObject {
        @Attribute(.unique) var `code;now`: String
        @Attribute var `pen name` = ""
        @Relationship(inverse: \Town.`all folk`) var `home town`: Town?
        @Relationship(inverse: \Club.like) var any: Club?
    }

    private static let types: [ManagedObject.Type] = [Town.self, Club.self, Person.self]

    /// A store of some people, each with a town and a club.
    private func store() throws -> GraphStore {
        let store = try GraphStore(model: Self.types)
        let context = ManagedObjectContext(store)
        for number in 0..<4 {
            let person = Person(context: context)
            person.`code;now` = "\(number);"
            person.`pen name` = "\t"
            person.`home town` = try context.findOrInsert(
                Town.self, \.`full name`, "Town \(number % 2)")
            person.any = try context.findOrInsert(Club.self, \.no, number % 3)
        }
        try context.save()
        return store
    }

    @Test(arguments: ExchangeFormat.allCases)
    func `links by a unique attribute of any name come back`(format: ExchangeFormat) async throws {
        try await withTemporaryDirectory { folder in
            let (store, other) = (try store(), try GraphStore(model: Self.types))
            try await exchange(Town.self, from: store, to: other, in: folder, as: format)
            try await exchange(Club.self, from: store, to: other, in: folder, as: format)
            try await exchange(Person.self, from: store, to: other, in: folder, as: format)
            #expect(other.account == store.account)
        }
    }

    /// Exports the objects of a class, and imports them elsewhere.
    private func exchange<Object: ManagedObject>(
        _ type: Object.Type, from store: GraphStore, to other: GraphStore, in folder: URL,
        as format: ExchangeFormat
    ) async throws {
        let file = folder.appending(path: "\(type)")
        try await store.export(FetchRequest<Object>(), to: file, as: format)
        try await other.importObjects(into: type, from: file, as: format)
    }

    @Test func `key paths are of names as the properties have them`() async throws {
        try await withTemporaryDirectory { folder in
            let (store, file) = (try store(), folder.appending(path: "People"))
            try await store.export(
                FetchRequest<Person>(), to: file, as: .json,
                keyPaths: [
                    "home town.full name", "home town.all folk.@count", "any.like.@max.pen name",
                    "any.no", "`home town`.`full name`", "#any.#no",
                ])
            let text = try String(contentsOf: file, encoding: .utf8)
            let first = text.split(separator: "\n")[1]
            #expect(
                first == #"""
                    {"home town.full name":"Town 0","home town.all folk.@count":2,\#
                    "any.like.@max.pen name":"\t","any.no":0,"`home town`.`full name`":"Town 0",\#
                    "#any.#no":0},
                    """#)
        }
    }

    @Test(arguments: [["code;now", "any.no"], ["pen name", "code;now"], ["code;now"]])
    func `names with what may stand between fields are names in CSV`(
        keyPaths: [String]
    ) async throws {
        try await withTemporaryDirectory { folder in
            let (store, file) = (try store(), folder.appending(path: "People"))
            try await store.export(
                FetchRequest<Person>(), to: file, as: .csv, keyPaths: keyPaths)
            let summary = try await store.importObjects(
                into: Person.self, from: file, as: .csv, policy: .upsert(by: \.`code;now`))
            #expect(summary == ImportSummary(inserted: 0, updated: 4))
        }
    }
}
