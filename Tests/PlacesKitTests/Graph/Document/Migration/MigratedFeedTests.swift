import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What those who follow a document are told of commits that another model made.
@Suite(.endsWaiting) struct MigratedFeedTests {
    private enum Wide {
        enum Mood: String, CaseIterable, AttributeValue { case calm, wild, loud }
        final class Thing: ManagedObject {
            @Attribute var label = ""
            @Attribute var mood = Mood.calm
        }
    }
    private enum Narrow {
        enum Mood: String, CaseIterable, AttributeValue { case calm, wild }
        final class Thing: ManagedObject {
            @Attribute var label = ""
            @Attribute var mood = Mood.calm
        }
    }

    private enum Renamed {
        final class Thing: ManagedObject {
            @Attribute(.originalName("label")) var title = ""
            @Attribute var mood = Wide.Mood.calm
        }
    }

    private enum RenamedClass {
        final class Item: ManagedObject {
            override class var originalName: String? { "Thing" }
            @Attribute var label = ""
            @Attribute var mood = Wide.Mood.calm
        }
    }

    private let files = CrashingFiles()

    private func open(_ type: ManagedObject.Type) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: URL(filePath: "/Things", directoryHint: .notDirectory), model: [type],
            options: .savedByHand { $0.keepsHistory = true }, files: files)
    }

    /// A document of three commits.
    private func make() async throws {
        let document = try await open(Wide.Thing.self)
        let thing = Wide.Thing(context: document.viewContext)
        thing.mood = .loud
        try await document.save()
        thing.mood = .wild
        try await document.save()
        thing.label = "three"
        try await document.close()
    }

    /// Expects that commits up to one are refused, by what they are told.
    private func expectMigrated(
        _ numbers: Range<Int>, by migration: Int, in document: ManagedDocument
    ) async {
        for number in numbers {
            await #expect(throws: HistoryError.migrated(number, by: migration)) {
                for try await _ in document.changes(since: number) {}
            }
        }
    }

    /// The names of the values that the next commit after one changed.
    private func names(since number: Int, in document: ManagedDocument) async throws -> [String]? {
        for try await change in document.changes(since: number) {
            #expect(change.commit == number + 1)
            return change.updated.flatMap(\.values.keys)
        }
        return nil
    }

    @Test func `commits before a migration are told so, also where no name has changed`()
        async throws
    {
        try await make()
        let document = try await open(Narrow.Thing.self)
        #expect(document.store.commitNumber == 4)
        await expectMigrated(0..<4, by: 4, in: document)
        try document.viewContext.fetch(Narrow.Thing.self)[0].label = "five"
        try await document.save()
        await expectMigrated(0..<4, by: 4, in: document)
        #expect(try await names(since: 4, in: document) == ["label"])
        try await document.close()
        let again = try await open(Narrow.Thing.self)
        await expectMigrated(0..<4, by: 4, in: again)
        try await again.close()
    }

    @Test func `no feed goes over from old names to new ones`() async throws {
        try await make()
        let document = try await open(Renamed.Thing.self)
        let running = document.changes(since: 3)
        await expectMigrated(0..<3, by: 3, in: document)
        try document.viewContext.fetch(Renamed.Thing.self)[0].title = "four"
        try await document.save()
        await expectMigrated(0..<3, by: 3, in: document)
        #expect(try await names(since: 3, in: document) == ["title"])
        var iterator = running.makeAsyncIterator()
        let change = try await iterator.next()
        #expect(change?.updated.flatMap(\.values.keys) == ["title"])
        try await document.close()
        let again = try await open(Renamed.Thing.self)
        await expectMigrated(0..<3, by: 3, in: again)
        #expect(try await names(since: 3, in: again) == ["title"])
        try await again.close()
    }

    @Test func `no feed goes over from the old name of a class to the new one`() async throws {
        try await make()
        let document = try await open(RenamedClass.Item.self)
        #expect(document.store.commitNumber == 4)
        await expectMigrated(0..<4, by: 4, in: document)
        try document.viewContext.fetch(RenamedClass.Item.self)[0].label = "five"
        try await document.save()
        await expectMigrated(0..<4, by: 4, in: document)
        #expect(try await names(since: 4, in: document) == ["label"])
        // Who lists commits meets the names that their files have.
        let entities = try await document.history().map(\.entities)
        #expect(entities == [[], ["Thing"], ["Thing"], ["Thing"], [], ["Item"]])
        #expect(try await document.snapshot(at: 2).count(RenamedClass.Item.self) == 1)
        try await document.close()
    }

    @Test func `who only reads is told of changes by the names that the files have`() async throws {
        try await make()
        let reader = try await ManagedDocument.open(
            at: URL(filePath: "/Things", directoryHint: .notDirectory), model: [Renamed.Thing.self],
            options: .savedByHand { $0.isReadOnly = true }, files: files)
        #expect(try await names(since: 2, in: reader) == ["label"])
    }
}
