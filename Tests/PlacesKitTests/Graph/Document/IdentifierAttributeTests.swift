import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// A class may have an attribute called `id`; objects keep their own identity beside it.
@Suite struct IdentifierAttributeTests {
    class Badge: ManagedObject {
        @Attribute(.unique) var id: String
        @Attribute var title = ""
        @Relationship(inverse: \Badge.copies) var original: Badge?
        @Relationship var copies: ObjectSet<Badge>
    }

    final class Medal: Badge {
        @Attribute var weight = 0
    }

    private static let types = [Badge.self, Medal.self]

    private static func fill(_ context: ManagedObjectContext) throws {
        let first = Badge(context: context)
        first.id = "A1"
        let medal = Medal(context: context)
        medal.id = "7"
        medal.title = "gold"
        medal.original = first
        try context.save()
    }

    private func check(_ context: ManagedObjectContext) throws {
        let medal = try #require(try context.find(Badge.self, \.id, "7"))
        #expect(medal.objectID == ObjectID(entity: "Medal", number: 1))
        #expect(medal.title == "gold")
        #expect(medal.original?.id == "A1")
        for request in [
            FetchRequest<Badge>(predicate: #Predicate { $0.id == "7" }),
            try FetchRequest<Badge>(where: "id == %@", "7"),
            try FetchRequest<Badge>(where: "original.id == 'A1'"),
        ] {
            #expect(try context.fetch(request).map(\.title) == ["gold"])
        }
        let sorted = FetchRequest<Badge>(sortBy: [SortDescriptor(\.id)])
        #expect(try context.fetch(sorted).map(\.id) == ["7", "A1"])
        try context.checkIntegrity()
    }

    /// What a list of views knows an object by.
    private func identity<Object: Identifiable>(of object: Object) -> Object.ID { object.id }

    @Test func `objects stay identified by their identity`() throws {
        let context = ManagedObjectContext(try GraphStore(model: Self.types))
        try Self.fill(context)
        let badge = try #require(try context.find(Badge.self, \.id, "A1"))
        #expect(badge.id == "A1")
        #expect(identity(of: badge) == badge.objectID)
    }

    @Test(arguments: [
        ManagedDocument.Format.json, .binaryPropertyList, .xmlPropertyList,
    ])
    func `a document keeps both, in snapshots and journals`(
        format: ManagedDocument.Format
    ) async throws {
        try await withTemporaryDirectory { url in
            let options = ManagedDocument.Options.savedByHand { $0.format = format }
            let document = try await ManagedDocument.open(
                at: url, model: Self.types, options: options)
            try Self.fill(document.viewContext)
            try await document.flush()
            // From the journal, then from the snapshot.
            for _ in 0..<2 {
                let reader = try await DocumentReader.open(at: url)
                #expect(
                    try reader.values(
                        of: ["objectID", "id"], for: RecordQuery("Medal WHERE id == '7'")
                    ).count == 1)
                try check(
                    try await ManagedDocument.open(
                        at: url, model: Self.types,
                        options: .savedByHand { $0.isReadOnly = true }
                    ).viewContext)
                try await document.compact()
            }
            try await document.close()
        }
    }

    @Test(arguments: [ExchangeFormat.csv, .json])
    func `exported objects come back with both`(format: ExchangeFormat) async throws {
        let store = try GraphStore(model: Self.types)
        try Self.fill(ManagedObjectContext(store))
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "medals")
            try await store.snapshot().export(FetchRequest<Medal>(), to: url, as: format)
            let text = try String(contentsOf: url, encoding: .utf8)
            #expect(text.contains("objectID"))
            let edited = text.replacing("gold", with: "silver")
            try Data(edited.utf8).write(to: url)
            _ = try await store.importObjects(
                into: Medal.self, from: url, as: format, policy: .identifiers)
            let context = ManagedObjectContext(store)
            #expect(try context.find(Badge.self, \.id, "7")?.title == "silver")
            _ = try await store.importObjects(
                into: Medal.self, from: url, as: format, policy: .upsert(by: \.id))
            #expect(try ManagedObjectContext(store).count(Badge.self) == 2)
        }
    }
}
