import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What a document that is only read shows of values that its files have no more, for its writer has another model.
@Suite struct FollowedMigrationTests {
    private enum Full {
        final class Thing: ManagedObject {
            @Attribute var number = 0
            @Attribute var note = "default"
            @Attribute var key = UUID()
        }
    }
    private enum Loose {
        final class Thing: ManagedObject {
            @Attribute var number = 0
            @Attribute var note: String?
            @Attribute var key: UUID?
        }
    }
    private enum Short {
        final class Thing: ManagedObject {
            @Attribute var number = 0
        }
    }

    private let files = CrashingFiles()
    private let key = UUID()

    private func open(
        _ type: ManagedObject.Type, isReadOnly: Bool = false
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: URL(filePath: "/Things", directoryHint: .notDirectory), model: [type],
            options: .savedByHand { $0.isReadOnly = isReadOnly }, files: files)
    }

    /// Expects that the value is gone, and what is shown in its place stays.
    private func expectDefaults(
        _ reader: ManagedDocument, whileSaving save: () async throws -> Void
    ) async throws {
        let thing = try #require(try reader.viewContext.fetch(Full.Thing.self).first)
        #expect(thing.note == "secret" && thing.key == key)
        try await save()
        try await reader.refresh()
        #expect(thing.note == "default")
        let made = thing.key
        #expect(made != key)
        for _ in 0..<2 {
            try await save()
            try await reader.refresh()
            #expect(thing.note == "default" && thing.key == made)
        }
    }

    @Test func `a value that a migration removed is shown no more`() async throws {
        let former = try await open(Full.Thing.self)
        let thing = Full.Thing(context: former.viewContext)
        (thing.note, thing.key) = ("secret", key)
        try await former.close()
        let reader = try await open(Full.Thing.self, isReadOnly: true)
        try await expectDefaults(reader) {
            let writer = try await open(Short.Thing.self)
            try writer.viewContext.fetch(Short.Thing.self)[0].number += 1
            try await writer.close()
        }
    }

    @Test func `a value that the writer took away is shown no more, where it is required`()
        async throws
    {
        let writer = try await open(Loose.Thing.self)
        let thing = Loose.Thing(context: writer.viewContext)
        (thing.note, thing.key) = ("secret", key)
        try await writer.save()
        let reader = try await open(Full.Thing.self, isReadOnly: true)
        try await expectDefaults(reader) {
            (thing.note, thing.key) = (nil, nil)
            thing.number += 1
            try await writer.save()
        }
        try await writer.close()
    }
}
