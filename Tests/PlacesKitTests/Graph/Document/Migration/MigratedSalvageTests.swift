import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What is left of a document that was migrated and saved, if the file snapshot of the migration is damaged.
@Suite struct MigratedSalvageTests {
    private enum Before {
        final class Note: ManagedObject {
            @Attribute var title = ""
            @Relationship(inverse: \Folder.notes) var folder: Folder?
        }
        final class Folder: ManagedObject {
            @Attribute var title = ""
            @Relationship var notes: OrderedObjectSet<Note>
        }
    }

    private enum After {
        final class Note: ManagedObject {
            @Attribute var title = ""
            @Attribute var stars = 0
            @Relationship(inverse: \Folder.notes) var folder: Folder?
        }
        final class Folder: ManagedObject {
            @Attribute var title = ""
            @Relationship var notes: OrderedObjectSet<Note>
        }
    }

    private static let types: [ManagedObject.Type] = [After.Note.self, After.Folder.self]

    /// Makes a document with notes in two folders, migrates it and saves it five times; returns the last commit.
    private func makeDocument(
        _ url: URL, notes count: Int = 6, _ format: ManagedDocument.Format = .json
    ) async throws -> Int {
        let options = ManagedDocument.Options.savedByHand { $0.format = format }
        let old = try await ManagedDocument.open(
            at: url, model: [Before.Note.self, Before.Folder.self], options: options)
        let titles = ["east", "west"]
        let oldFolders = titles.map { title in
            let folder = Before.Folder(context: old.viewContext)
            folder.title = title
            return folder
        }
        for number in 0..<count {
            let note = Before.Note(context: old.viewContext)
            (note.title, note.folder) = ("note \(number)", oldFolders[number % 2])
        }
        try await old.close()

        let document = try await ManagedDocument.open(at: url, model: Self.types, options: options)
        let context = document.viewContext
        let (folders, notes) = (
            Array(try context.fetch(After.Folder.self)), Array(try context.fetch(After.Note.self))
        )
        (notes[0].stars, notes[1].stars) = (7, 5)
        try await document.save()
        add("new", to: folders[0])
        try await document.save()
        folders[0].notes.move(fromOffsets: [0], toOffset: folders[0].notes.count)
        folders[1].notes.move(fromOffsets: [2], toOffset: 0)
        try await document.save()
        context.delete(notes[1])
        context.delete(notes[5])
        try await document.save()
        add("last", to: folders[1])
        try await document.close()
        return document.store.commitNumber
    }

    private func add(_ title: String, to folder: After.Folder) {
        guard let context = folder.context else { return }
        let note = After.Note(context: context)
        (note.title, note.folder) = (title, folder)
    }

    /// Damages each line of the migrated file snapshot in which a text stands.
    private func damage(_ url: URL, where text: String) throws {
        let file = DocumentFolder(url: url)["snapshot-2.json"]
        let whole = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let damaged = whole.replacing("\"title\":\"\(text)", with: "\"titel\":\"\(text)")
        try #require(damaged != whole)
        try Data(damaged.utf8).write(to: file)
    }

    @Test(arguments: ["note 1", "west"])
    func `commits since a migration are kept, but for what concerns a lost object`(
        lost: String
    ) async throws {
        try await withTemporaryDirectory { directory in
            let url = directory.appending(path: "Notes", directoryHint: .notDirectory)
            let copy = directory.appending(path: "Copy", directoryHint: .notDirectory)
            let last = try await makeDocument(url)
            try damage(url, where: lost)
            let report = try await ManagedDocument.salvage(from: url, to: copy)
            #expect(report.lastCommit == last)
            let problems = report.problems.map(\.description)
            #expect(problems.contains { $0.hasPrefix("Left out for") && $0.contains(lost) })
            #expect(problems.contains { $0.hasPrefix("Left a part of commit") }, "\(problems)")
            #expect(!problems.contains { $0.hasPrefix("Left out what follows") }, "\(problems)")
            // What was not taken, and how it can be had.
            let other = report.problems.first { $0.description.hasPrefix("Not used") }
            #expect(other?.file.hasSuffix("/snapshot-1.json") == true)
            #expect(other?.description.contains("leads to commit 1 with 8 objects") == true)
            #expect(other?.description.hasSuffix("journals from number 2 on") == true)

            let document = try await ManagedDocument.open(
                at: copy, model: Self.types, options: .savedByHand())
            let context = document.viewContext
            let notes = try context.fetch(After.Note.self)
            #expect(
                notes.map(\.title) == ["note 0", "note 2", "note 3", "note 4", "new", "last"])
            #expect(notes.map(\.stars) == [7, 0, 0, 0, 0, 0])
            let folders = try context.fetch(After.Folder.self)
            #expect(folders.map(\.title) == ["east", "west"].filter { $0 != lost })
            #expect(folders[0].notes.map(\.title) == ["note 2", "note 4", "new", "note 0"])
            #expect(notes[5].folder === (lost == "west" ? nil : folders[1]))
            try context.checkIntegrity()
            try await document.close()
        }
    }

    @Test func `where a damaged property list cannot be salvaged, lost commits are told`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let url = directory.appending(path: "Notes", directoryHint: .notDirectory)
            let copy = directory.appending(path: "Copy", directoryHint: .notDirectory)
            let last = try await makeDocument(url, .binaryPropertyList)
            let file = DocumentFolder(url: url)["snapshot-2.plist"]
            try Data(contentsOf: file).dropLast(20).write(to: file)
            let report = try await ManagedDocument.salvage(from: url, to: copy)
            #expect(report.lastCommit == 1 && report.objectCount == 8)
            let problem = report.problems.last
            #expect(problem?.file.hasSuffix("/journal-2.jsonl") == true)
            #expect(
                problem?.description == "Left out what follows commit 1, up to commit \(last)")
        }
    }

    @Test func `a migrated snapshot that has lost most objects does not replace those before`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let url = directory.appending(path: "Notes", directoryHint: .notDirectory)
            let copy = directory.appending(path: "Copy", directoryHint: .notDirectory)
            let last = try await makeDocument(url, notes: 20)
            try damage(url, where: "note ")
            let report = try await ManagedDocument.salvage(from: url, to: copy)
            #expect(report.lastCommit == 1 && report.objectCount == 22)
            #expect(
                report.problems.last?.description
                    == "Left out what follows commit 1, up to commit \(last)")
        }
    }

    @Test
    func `many objects are not given up for a few changes, and the report says how to have these`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let url = directory.appending(path: "Notes", directoryHint: .notDirectory)
            let copy = directory.appending(path: "Copy", directoryHint: .notDirectory)
            let last = try await makeDocument(url, notes: 50)
            // Those are 22 of 52 objects.
            for text in ["note 1", "note 2"] { try damage(url, where: text) }
            let report = try await ManagedDocument.salvage(from: url, to: copy)
            #expect(report.lastCommit == 1 && report.objectCount == 52)
            let problems = report.problems.map(\.description)
            #expect(!problems.contains { $0.hasPrefix("Left out for") }, "\(problems)")
            let other = report.problems.first { $0.description.hasPrefix("Not used") }
            #expect(other?.file.hasSuffix("/snapshot-2.json") == true)
            #expect(other?.description.contains("leads to commit \(last)") == true, "\(problems)")
            #expect(other?.description.hasSuffix("journals before number 2") == true)

            for name in ["snapshot-1.json", "journal-1.jsonl"] {
                try FileManager.default.removeItem(at: DocumentFolder(url: url)[name])
            }
            let second = directory.appending(path: "Second", directoryHint: .notDirectory)
            let later = try await ManagedDocument.salvage(from: url, to: second)
            #expect(later.lastCommit == last)
            #expect((29...32).contains(later.objectCount))
        }
    }
}
