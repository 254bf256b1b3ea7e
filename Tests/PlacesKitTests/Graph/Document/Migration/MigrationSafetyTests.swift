import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// What is on the disk before, while and after a document is migrated.
@Suite struct MigrationSafetyTests {
    private typealias Old = AttributeMigrationTests.Old
    private typealias New = AttributeMigrationTests.New

    private static let url = URL(filePath: "/Photos", directoryHint: .notDirectory)

    private func titles(of context: ManagedObjectContext) throws -> [String] {
        try context.fetch(New.Photo.self).map(\.title)
    }

    /// A document with a snapshot and a journal.
    private func makeDocument() async throws -> CrashingFiles {
        let files = CrashingFiles()
        try await MigrationWorld.make(Self.url, Old.types, files: files) { context in
            Old.fill(context)
            for photo in try context.fetch(Old.Photo.self) { photo.label = "" }
        }
        try await MigrationWorld.make(Self.url, Old.types, files: files) { context in
            for (number, photo) in try context.fetch(Old.Photo.self).enumerated() {
                photo.label = "l\(number)"
            }
        }
        return files.afterProcessDeath()
    }

    @Test func `opened read-only a document is migrated in memory`() async throws {
        try await MigrationWorld.with(Old.types, Old.fill) { url in
            let contents = try DocumentFolder(url: url).contents
            let document = try await ManagedDocument.open(
                at: url, model: New.types, options: .savedByHand { $0.isReadOnly = true })
            #expect(try titles(of: document.viewContext) == ["l0", "l1", "l2"])
            #expect(document.store.commitNumber == 1)
            try await document.close()
            #expect(try DocumentFolder(url: url).contents == contents)
        }
    }

    @Test func `a document whose new journal cannot be opened is as it was for the old classes`()
        async throws
    {
        try await MigrationWorld.with(Old.types, Old.fill) { url in
            let contents = try DocumentFolder(url: url).contents
            let options = ManagedDocument.Options.savedByHand {
                $0.migration = MigrationPlan(version: 2)
            }
            for _ in 0..<2 {
                await #expect(throws: DocumentError.self) {
                    try await ManagedDocument.open(
                        at: url, model: New.types, options: options,
                        files: UnopenedFiles(name: "journal-2.jsonl"))
                }
                #expect(try DocumentFolder(url: url).contents == contents)
            }
            try await MigrationWorld.make(url, Old.types) { context in
                let photos = try? context.fetch(Old.Photo.self)
                #expect(photos?.map(\.label) == ["l0", "l1", "l2"])
            }
        }
    }

    @Test func `the commit of a migration is dated by the document's options`() async throws {
        try await MigrationWorld.with(Old.types, Old.fill) { url in
            let date = Date(timeIntervalSinceReferenceDate: 86_400)
            let options = ManagedDocument.Options.savedByHand {
                $0.keepsHistory = true
                $0.now = { date }
            }
            let document = try await ManagedDocument.open(
                at: url, model: New.types, options: options)
            #expect(try await document.history().last?.commit.date == date)
            try await document.close()
        }
    }

    @Test func `earlier commits are read as the model has them, and not followed`() async throws {
        try await withTemporaryDirectory { url in
            let options = ManagedDocument.Options.savedByHand { $0.keepsHistory = true }
            let document = try await ManagedDocument.open(
                at: url, model: Old.types, options: options)
            Old.fill(document.viewContext)
            try await document.save()
            try document.viewContext.fetch(Old.Photo.self)[0].label = "changed"
            try await document.close()

            let migrated = try await ManagedDocument.open(
                at: url, model: New.types, options: options)
            #expect(migrated.store.commitNumber == 3)
            try migrated.viewContext.fetch(New.Photo.self)[1].title = "new"
            try await migrated.save()
            #expect(try await migrated.history().map(\.commit.number) == [0, 1, 2, 3, 4])
            for (number, titles) in [
                (1, ["l0", "l1", "l2"]), (2, ["changed", "l1", "l2"]),
                (3, ["changed", "l1", "l2"]), (4, ["changed", "new", "l2"]),
            ] {
                let snapshot = try await migrated.snapshot(at: number)
                try snapshot.checkIntegrity()
                #expect(try self.titles(of: snapshot.context()) == titles)
            }
            for number in 0..<3 {
                await #expect(throws: HistoryError.migrated(number, by: 3)) {
                    for try await _ in migrated.changes(since: number) {}
                }
            }
            var changes: [Int] = []
            for try await change in migrated.changes(since: 3) {
                changes.append(change.commit)
                break
            }
            #expect(changes == [4])
        }
    }

    @Test func `a document whose migration cannot be written stays as it was`() async throws {
        let made = try await makeDocument()
        // Each step of the migration fails once.
        for step in 0..<40 {
            let disk = made.afterProcessDeath()
            let attempts = StepCount()
            disk.fail { _ in attempts.next() == step ? 28 : nil }
            let document = try? await ManagedDocument.open(
                at: Self.url, model: New.types, options: .savedByHand(), files: disk)
            disk.mend()
            if let document {
                #expect(try titles(of: document.viewContext) == ["l0", "l1", "l2"])
                try await document.close()
                if attempts.count <= step { return }
                continue
            }
            try await expectOldOrNew(disk, "step \(step)")
        }
        Issue.record("the migration takes more steps than were tried")
    }

    @Test func `after a power cut while it is migrated a document is the old one or the new`()
        async throws
    {
        let disk = try await makeDocument()
        let document = try await ManagedDocument.open(
            at: Self.url, model: New.types, options: .savedByHand(), files: disk)
        let steps = disk.stepCount
        for cut in 0...steps {
            for seed in 0..<UInt64(4) {
                try await expectOldOrNew(
                    disk.afterPowerCut(after: cut, seed: seed), "cut \(cut), seed \(seed)")
            }
        }
        let found = disk.afterPowerCut(after: steps, seed: 0)
        let names = try await reader(of: found).schema.entities.first?.attributes.map(\.name) ?? []
        #expect(names.contains("title"))
        try await document.close()
    }

    /// What the files hold, as they tell it themselves.
    private func reader(of files: CrashingFiles) async throws -> DocumentReader {
        try await DocumentReader.open(at: Self.url, files: files)
    }

    /// What is there is wholly the one or the other, and opens with the new model.
    private func expectOldOrNew(_ files: CrashingFiles, _ comment: String) async throws {
        let reader = try await reader(of: files)
        let entities = reader.schema.entities
        let names = Set(try #require(entities.first).attributes.map(\.name))
        let isNew = names.contains("title")
        #expect(isNew != names.contains("gone"), "\(comment)")
        let values = try entities.flatMap { try reader.records(RecordQuery($0.name)) }.map {
            $0[isNew ? "title" : "label"]?.description ?? ""
        }
        #expect(values.sorted() == ["", #""l0""#, #""l1""#, #""l2""#], "\(comment)")
        let document = try await ManagedDocument.open(
            at: Self.url, model: New.types, options: .savedByHand(), files: files)
        try document.viewContext.checkIntegrity()
        #expect(try titles(of: document.viewContext) == ["l0", "l1", "l2"], "\(comment)")
        try await document.close()
    }

    @Test func `what was there before a migration is salvaged where the migrated is damaged`()
        async throws
    {
        try await withTemporaryDirectory { url in
            let made = url.appending(path: "made")
            try await MigrationWorld.make(made, Old.types, Old.fill)
            try await MigrationWorld.make(made, New.types) { _ in }
            let newest = DocumentFolder(url: made)["snapshot-2.json"]
            try Data(contentsOf: newest).dropLast(20).write(to: newest)
            await #expect(throws: DocumentError.self) {
                try await ManagedDocument.open(at: made, model: New.types)
            }
            let salvaged = url.appending(path: "salvaged")
            let report = try await ManagedDocument.salvage(from: made, to: salvaged)
            #expect(report.objectCount == 4 && report.problems.count == 1)
            let document = try await ManagedDocument.open(at: salvaged, model: New.types)
            #expect(try titles(of: document.viewContext) == ["l0", "l1", "l2"])
            try await document.close()
        }
    }

    @Test func `a damaged document is damaged, whatever its model`() async throws {
        try await MigrationWorld.with(Old.types, Old.fill) { url in
            let file = try DocumentFolder(url: url).snapshot
            var bytes = try Data(contentsOf: file)
            bytes.removeLast(20)
            try bytes.write(to: file)
            let error = await #expect(throws: DocumentError.self) {
                try await ManagedDocument.open(at: url, model: New.types)
            }
            guard case .damaged(file.path(percentEncoded: false), _)? = error
            else { throw Unexpected(error) }
        }
    }

    // MARK: - Abstract classes

    enum Kinds {
        class Animal: ManagedObject {
            override class var isAbstract: Bool { self == Animal.self }
            @Attribute var name = ""
        }
        final class Dog: Animal {}
    }

    @Test func `what stages make of an abstract class is refused, unless they delete it again`()
        async throws
    {
        try await withTemporaryDirectory { url in
            let types = [Kinds.Animal.self, Kinds.Dog.self]
            try await MigrationWorld.make(url, types) { Kinds.Dog(context: $0).name = "Rex" }
            func plan(deletes: Bool) -> MigrationPlan {
                let making = MigrationStage(from: 1, to: 2) { records in
                    try records.insert("Animal")["name"] = .string("Tom")
                    try records.changeSchema { try $0.renameEntity("Animal", to: "Being") }
                }
                let naming = MigrationStage(from: 2, to: 3) { records in
                    for being in try records.records(of: "Being") where deletes {
                        if being["name"] == .string("Tom") { being.delete() }
                    }
                    try records.changeSchema { try $0.renameEntity("Being", to: "Animal") }
                }
                return MigrationPlan(version: 3, stages: [making, naming])
            }
            let options = ManagedDocument.Options.savedByHand {
                $0.migration = plan(deletes: false)
            }
            let error = await #expect(throws: DocumentError.self) {
                try await ManagedDocument.open(at: url, model: types, options: options)
            }
            guard case .migration(_, let errors)? = error else { throw Unexpected(error) }
            let told = errors.map(\.description).joined()
            #expect(told.contains("1 object of an abstract class"))
            try await MigrationWorld.migrate(url, to: types, plan: plan(deletes: true)) { context in
                let animals = try context.fetch(Kinds.Animal.self)
                #expect(animals.map(\.name) == ["Rex"])
            }
        }
    }
}

/// Counts steps.
private final class StepCount: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    func next() -> Int { number.wrappingAdd(1, ordering: .relaxed).oldValue }
}
