import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Live lists that look across links which forbid a delete, and which stay when the object goes all the same.
@Suite struct KeptLinkTests {
    final class Note: ManagedObject {
        @Attribute var text = ""
        @Relationship(inverse: \Folder.notes) var folder: Folder?
    }

    final class Folder: ManagedObject {
        @Attribute var name = ""
        @Attribute var due: Date?
        @Attribute(.indexed) var reminder: Date?
        @Relationship(deleteRule: .deny) var notes: ObjectSet<Note>
        @Relationship(inverse: \Owner.folders) var owner: Owner?
        @Relationship(deleteRule: .deny, inverse: \Shelf.folders) var shelf: Shelf?
        @Derived(\Folder.shelf?.name) var shelfName: String?
    }

    final class Owner: ManagedObject {
        @Attribute var name = ""
        @Attribute var age = 0
        @Relationship var folders: ObjectSet<Folder>
    }

    final class Shelf: ManagedObject {
        @Attribute var name = ""
        @Relationship var folders: ObjectSet<Folder>
    }

    final class Branch: ManagedObject {
        @Attribute var name = ""
        @Relationship(deleteRule: .deny) var children: ObjectSet<Branch>
        @Relationship(deleteRule: .deny, inverse: \Branch.children) var parent: Branch?
    }

    private let time: TestTime
    private let context: ManagedObjectContext
    private let folder: Folder
    private let note: Note
    private let shelf: Shelf

    init() throws {
        let time = TestTime()
        let context = ManagedObjectContext(
            try GraphStore(
                model: [Note.self, Folder.self, Owner.self, Shelf.self, Branch.self],
                now: { time.now }))
        (self.time, self.context) = (time, context)
        folder = Folder(context: context)
        folder.name = "old"
        let owner = Owner(context: context)
        (owner.name, owner.age) = ("Ann", 40)
        folder.owner = owner
        shelf = Shelf(context: context)
        shelf.name = "A"
        folder.shelf = shelf
        note = Note(context: context)
        note.folder = folder
        Note(context: context).text = "b"
        try context.save()
        context.isUndoEnabled = true
    }

    private func delete(_ object: ManagedObject) {
        context.delete(object)
        context.processPendingChanges()
    }

    private func undo() {
        context.undo()
        context.processPendingChanges()
    }

    // MARK: - Lists

    /// Lists that look at folders in many ways.
    private func lists() throws -> [ComparedList] {
        let context = context
        let byText = [SortDescriptor(\Note.text)]
        let formats = [
            "folder.owner.name == 'Ann'", "folder.name == 'new'", "folder.shelf.name == 'A'",
            "folder.shelf == nil", "folder.shelfName == 'A'", "folder.notes.@count > 1",
            "ANY folder.notes.text == 'b'", "folder.owner.folders.@count > 1",
        ]
        let byAge = FetchRequest(
            sortBy: [SortDescriptor(\Note.folder?.owner?.age), SortDescriptor(\Note.text)],
            limit: 3)
        return try [
            ComparedList("owners") {
                try FetchedResultsController(
                    FetchRequest(sortBy: byText), sectionBy: \.folder?.owner?.name, in: context)
            },
            ComparedList("ages") { try FetchedResultsController(byAge, in: context) },
        ]
            + formats.map { format in
                try ComparedList(format) {
                    var request = FetchRequest(sortBy: byText)
                    request.format = try PredicateFormat(format)
                    return try FetchedResultsController(request, in: context)
                }
            }
    }

    /// Sums and groups that look at folders.
    private func totals() throws -> [WatchedGroups] {
        [
            try context.watchTotal(
                "ages", FetchRequest<Note>(), .sum(\Note.folder?.owner?.age),
                .max(\Note.folder?.owner?.age)),
            try context.watch("owners", GroupRequest(by: \Note.folder?.owner?.name, .count)),
        ]
    }

    @Test func `lists follow what a deleted object leads to that links still lead to`() throws {
        let lists = try lists()
        func check(_ moment: String) throws {
            for list in lists { #expect(try list.takeFindings() == [], "\(moment)") }
        }
        folder.name = "new"
        delete(folder)
        #expect(note.folder === folder && folder.owner == nil && folder.shelf === shelf)
        try check("the folder is deleted")
        note.text = "z"
        context.processPendingChanges()
        try check("the note is changed")
        shelf.name = "B"
        context.processPendingChanges()
        try check("the shelf has another name")
        delete(shelf)
        #expect(folder.shelf == nil)
        try check("the shelf is deleted")
        for _ in 0..<4 {
            undo()
            try check("undone")
        }
        #expect(!folder.isDeleted && folder.name == "old" && note.text == "")
    }

    @Test func `lists that are made after a delete that a rule forbids follow its undo`() throws {
        delete(folder)
        let lists = try lists()
        undo()
        for list in lists { #expect(try list.takeFindings() == []) }
        delete(folder)
        for list in lists { #expect(try list.takeFindings() == []) }
        context.rollback()
        for list in lists { #expect(try list.takeFindings() == []) }
    }

    @Test func `sums go without what a deleted object does not lead to any more`() throws {
        let totals = try totals()
        delete(folder)
        for total in totals { #expect(total.takeFindings() == []) }
        delete(note)
        for total in totals { #expect(total.takeFindings() == []) }
        undo()
        undo()
        for total in totals { #expect(total.takeFindings() == []) }
    }

    @Test(arguments: ["due", "reminder"], [false, true])
    func `the date of a deleted object passes for those that still lead to it`(
        attribute: String, isDeletedFirst: Bool
    ) throws {
        folder.due = time.now + 10
        folder.reminder = folder.due
        context.processPendingChanges()
        if isDeletedFirst { delete(folder) }
        var request = FetchRequest<Note>()
        request.format = try PredicateFormat("folder.\(attribute) < now()")
        let results = try FetchedResultsController(request, in: context)
        if !isDeletedFirst { delete(folder) }
        #expect(results.snapshot.identifiers.count == 0 && results.nextChange != nil)
        time.now += 11
        context.processPendingChanges()
        #expect(Array(results.snapshot.identifiers) == [note.objectID])
        undo()
        #expect(Array(results.snapshot.identifiers) == [note.objectID])
        #expect(results.nextChange == nil)
    }

    @Test func `what a deleted object does not lead to any more is not reached any more`() throws {
        let branches = ["a", "b", "c"].map { name in
            let branch = Branch(context: context)
            branch.name = name
            return branch
        }
        branches[1].parent = branches[0]
        branches[2].parent = branches[1]
        var request = FetchRequest(sortBy: [SortDescriptor(\Branch.name)])
        request.reachable = Reachability(from: branches[0], along: \.children)
        let results = try FetchedResultsController(request, in: context)
        #expect(results.objects.map(\.name) == ["b", "c"])
        delete(branches[1])
        #expect(results.objects.map(\.name) == ["c"])
        branches[2].parent = nil
        context.processPendingChanges()
        #expect(results.objects.isEmpty && branches[1].children.isEmpty)
        undo()
        #expect(results.objects.map(\.name) == ["c"])
        undo()
        #expect(results.objects.map(\.name) == ["b", "c"])
    }

    @Test(arguments: UInt64(1)...8)
    func `lists and sums are what a fetch gives, whatever is deleted against a rule`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let (lists, totals) = (try lists(), try totals())
        for round in 0..<160 {
            if round.isMultiple(of: 2) {
                for _ in 0..<Int.random(in: 1...4, using: &generator) { try edit(&generator) }
            } else {
                switch Int.random(in: 0..<8, using: &generator) {
                case 0..<3: context.undo()
                case 3: context.redo()
                case 4: context.rollback()
                // It is rejected as long as links are there that forbid a delete.
                case 5: try? context.save()
                default: continue
                }
            }
            context.processPendingChanges()
            let findings =
                try lists.flatMap { try $0.takeFindings() }
                + totals.flatMap { $0.takeFindings() }
            #expect(findings.isEmpty, "seed \(seed), round \(round): \(findings.prefix(3))")
            guard findings.isEmpty else { return }
        }
    }

    private func edit(_ generator: inout SeededGenerator) throws {
        let note = try context.fetch(Note.self).randomElement(using: &generator)
        let folder = try context.fetch(Folder.self).randomElement(using: &generator)
        let owner = try context.fetch(Owner.self).randomElement(using: &generator)
        let shelf = try context.fetch(Shelf.self).randomElement(using: &generator)
        let word = ["A", "B", "Ann", "new", "b"].randomElement(using: &generator) ?? ""
        switch Int.random(in: 0..<16, using: &generator) {
        case 0, 1: Note(context: context).folder = folder
        case 2: Folder(context: context).owner = owner
        case 3: Owner(context: context).name = word
        case 4: Shelf(context: context).name = word
        case 5, 6: note?.folder = folder
        case 7: note?.text = word
        case 8: folder?.name = word
        case 9: folder?.owner = owner
        case 10: folder?.shelf = shelf
        case 11:
            owner?.name = word
            owner?.age = word.count
        case 12: shelf?.name = word
        default:
            let objects: [ManagedObject?] = [note, folder, folder, owner, shelf]
            if let object = objects.randomElement(using: &generator) ?? nil {
                context.delete(object)
            }
        }
    }
}

/// A list beside what one would show that is made anew.
private final class ComparedList {
    typealias Results = FetchedResultsController<KeptLinkTests.Note>

    private let name: String
    private let make: () throws -> Results
    private let results: Results
    private var recorder: ResultsRecorder<ObjectID>
    private var findings: [String] = []

    init(_ name: String, _ make: @escaping () throws -> Results) throws {
        (self.name, self.make) = (name, make)
        results = try make()
        recorder = ResultsRecorder(results.snapshot)
        results.onChange = { [weak self] in self?.take($0) }
    }

    private func take(_ change: ResultsChange<ObjectID>) {
        do throws(ResultsMismatch) {
            try recorder.replay(change)
        } catch {
            findings.append("\(name): \(error)")
        }
    }

    /// What was wrong since the last call, in sentences.
    func takeFindings() throws -> [String] {
        defer { findings = [] }
        if let broken = results.snapshot.brokenInvariant { findings.append("\(name): \(broken)") }
        let expected = ResultsRecorder(try make().snapshot).sections
        if recorder.sections != expected {
            findings.append("\(name): \(recorder.sections) should be \(expected)")
        }
        return findings
    }
}
