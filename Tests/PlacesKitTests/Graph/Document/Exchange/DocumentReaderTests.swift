import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Documents that are read without their classes.
@Suite struct DocumentReaderTests {
    private typealias Item = DocumentModel.Item
    private typealias Box = DocumentModel.Box

    private let files = CrashingFiles()
    private let url = URL(filePath: "/Items", directoryHint: .notDirectory)

    private func open() async throws -> ManagedDocument {
        try await DocumentModel.open(url, files: files) { $0.keepsHistory = true }
    }

    private func reader(commit: Int? = nil) async throws -> DocumentReader {
        try await DocumentReader.open(at: url, commit: commit, files: files)
    }

    @Test(arguments: [UInt64](1...3))
    func `records are what the document's own classes show`(seed: UInt64) async throws {
        let document = try await open()
        var random = RandomItems(seed: seed)
        try random.change(document.viewContext, times: 80)
        try await document.save()
        // Nobody has to close it first.
        let reader = try await reader()
        #expect(reader.commit == document.store.snapshot().commit)
        #expect(reader.schema.entities.map(\.name) == ["Item", "Box", "Label", "Tag"])
        var count = 0
        for item in try document.viewContext.fetch(Item.self) {
            let record = try #require(
                try reader.records(RecordQuery("Item WHERE SELF == %@", item)).first)
            #expect(record.id == item.objectID)
            #expect(record["code"] == .attribute(.string(item.code)))
            #expect(record["box"] == .object(item.box?.objectID))
            #expect(record["tags"] == .objects(item.tags.map(\.objectID)))
            #expect(record["nothing"] == nil)
            count += 1
        }
        #expect(count > 10 && reader.count(of: "Item") == count, "seed \(seed)")
        #expect(reader.count(of: "Nothing") == 0)
        #expect(try reader.records(RecordQuery("Item")).count == count)
        let names = try #require(try reader.records(RecordQuery("Box")).first).propertyNames
        #expect(names == ["name", "items", "parent", "children"])
    }

    @Test func `an error of a query points at the word that does not belong`() async throws {
        try await open().save()
        let reader = try await reader()
        let table = [
            ("", "1: expected the name of an entity, found the end"),
            ("WHERE", "1: there is no entity WHERE"),
            ("Itme", "1: there is no entity Itme; did you mean Item?"),
            ("Item int == 1", "6: expected WHERE, SORT, LIMIT, OFFSET or the end, found int"),
            ("Item WHERE", "11: expected a key path, a value or (, found the end"),
            ("Item WHERE itn == 1", "12: Item has no property itn; did you mean int?"),
            ("Item WHERE int == 'a'", "16: a number can never be == text"),
            (
                "Item WHERE int == 1 int == 2",
                "21: expected AND, OR, SORT, LIMIT, OFFSET or the end, found int"
            ),
            ("Item SORT", "10: expected a key path, a value or (, found the end"),
            ("Item SORT cod", "11: Item has no property cod; did you mean code?"),
            ("Item SORT 3", "11: expected a key path to sort by, found a value"),
            (
                "Item SORT box",
                """
                11: expected a number, text, a date or another value that has an order, found an \
                object
                """
            ),
            (
                "Item SORT tags",
                "11: expected one value, as with @count or @max, found the many that tags leads to"
            ),
            (
                "Item SORT int UP",
                "15: expected ASC, DESC, NULLS, a comma, LIMIT, OFFSET or the end, found UP"
            ),
            ("Item SORT int NULLS 3", "21: expected FIRST or LAST, found 3"),
            ("Item LIMIT", "11: expected a number of objects, found the end"),
            ("Item LIMIT -1", "12: expected a number of objects, found -"),
            ("Item LIMIT 1 SORT int", "14: expected OFFSET or the end, found SORT"),
            (
                "Item OFFSET 1 LIMIT 1",
                "15: expected the end, as LIMIT stands before OFFSET, found LIMIT"
            ),
            ("Item WHERE int == %@", "19: no argument is given for %@"),
        ]
        for (text, expected) in table {
            do {
                _ = try reader.records(RecordQuery(text))
                Issue.record("\(text) is no query")
            } catch {
                let column = "\(error.column): "
                #expect((column + error.description).hasPrefix(expected), "\(text)")
                #expect(error.description.contains(", in column \(error.column) of the query\n"))
            }
        }
    }

    private final class Pair<First: AttributeValue>: ManagedObject {
        @Attribute var first: First?
    }

    @Test func `an entity whose name is no word is named in quotation marks`() async throws {
        let document = try await ManagedDocument.open(
            at: url, model: [Pair<Int>.self], options: .savedByHand(), files: files)
        for number in 1...3 { Pair<Int>(context: document.viewContext).first = number }
        try await document.save()
        let name = try #require(document.store.schema.entities.first?.name)
        #expect(name == "Pair<Int>")
        for quote in ["'", "\""] {
            let entity = quote + name + quote
            let query = try RecordQuery("\(entity) WHERE first > 1 SORT first LIMIT 1")
            #expect(query.entity == name)
            let found = try await reader().records(query)
            #expect(found.map { $0["first"] } == [.attribute(.integer(2))])
        }
    }

    @Test func `key paths give columns`() async throws {
        let document = try await open()
        let item = Item(context: document.viewContext)
        let box = Box(context: document.viewContext)
        (item.code, item.box, box.name) = ("a", box, "top")
        try await document.save()
        let reader = try await reader()
        let values = try reader.values(
            of: ["id", "code", "box", "box.name", "box.parent", "tags", "tags.@count"],
            for: RecordQuery("Item LIMIT 1"))
        #expect(
            values[0] == [
                .object(item.objectID), .attribute(.string("a")), .object(box.objectID),
                .attribute(.string("top")), .object(nil), .objects([]), .attribute(.integer(0)),
            ])
        for (path, column) in [("box.items", 5), ("tags.name", 1), ("cod", 1), ("code title", 6)] {
            let error = #expect(throws: PredicateFormatError.self) {
                try reader.values(of: [path], for: RecordQuery("Item"))
            }
            #expect(error?.column == column, "\(path)")
        }
        // Of no key paths there are no values, whatever an export would write by default.
        #expect(try reader.values(of: [], for: RecordQuery("Item")) == [[]])
    }

    @Test func `what changed between two commits is what the store tells`() async throws {
        let document = try await open()
        document.store.historyLimit = 100
        var random = RandomItems(seed: 9)
        for _ in 0..<6 {
            try random.change(document.viewContext, times: 25)
            try await document.save()
        }
        for (first, second) in [(1, 6), (2, 3), (6, 4), (5, 5)] {
            let expected = try document.store.snapshot(at: second)
                .changes(since: document.store.snapshot(at: first))
            let before = try await reader(commit: first)
            let found = try await reader(commit: second).changes(since: before)
            #expect(Set(found.inserted) == Set(expected.inserted))
            #expect(Set(found.deleted) == Set(expected.deleted))
            #expect(found.updated.count == expected.updated.count)
            #expect(found.isEmpty == (first == second))
            let changes = Dictionary(
                uniqueKeysWithValues: expected.updated.map { ($0.object, $0.properties) })
            for change in found.updated {
                let names = (changes[change.object] ?? []).map(\.name)
                #expect(change.properties.map(\.name) == names, "\(change.object)")
            }
        }
        await #expect(throws: HistoryError.notCommitted(7, latest: 6)) {
            _ = try await reader(commit: 7)
        }
        let numbers = try await reader().history().map(\.id)
        #expect(numbers.last == 6)
    }

    private enum Concrete {
        class Work: ManagedObject {
            @Attribute var title = ""
        }
        final class Photo: Work {}
    }
    private enum Abstract {
        class Work: ManagedObject {
            override class var isAbstract: Bool { self == Work.self }
            @Attribute var title = ""
        }
        final class Photo: Work {}
    }

    @Test func `objects of a class that became abstract are compared with what they were`()
        async throws
    {
        let options = ManagedDocument.Options.savedByHand { $0.keepsHistory = true }
        var document = try await ManagedDocument.open(
            at: url, model: [Concrete.Work.self, Concrete.Photo.self], options: options,
            files: files)
        let work = Concrete.Work(context: document.viewContext)
        let id = work.objectID
        work.title = "one"
        try await document.close()
        document = try await ManagedDocument.open(
            at: url, model: [Abstract.Work.self, Abstract.Photo.self], options: options,
            files: files)
        try document.viewContext.fetch(Abstract.Work.self).first?.title = "two"
        try await document.close()
        let changes = try await reader().changes(since: try await reader(commit: 1))
        #expect(changes.inserted.isEmpty && changes.deleted.isEmpty)
        #expect(changes.updated.map(\.object) == [id])
    }

    @Test(arguments: ManagedDocument.Format.allCases)
    func `a duplicate in another format holds the same`(
        format: ManagedDocument.Format
    ) async throws {
        let document = try await open()
        var random = RandomItems(seed: 3)
        try random.change(document.viewContext, times: 60)
        try await document.close()
        let copy = URL(filePath: "/Copy", directoryHint: .notDirectory)
        try await reader().duplicate(to: copy, as: format)
        let read = try await DocumentReader.open(at: copy, files: files)
        #expect(read.format == format && read.recovery.isEmpty)
        #expect(read.changes(since: try await reader()).isEmpty)
        await #expect(throws: DocumentError.self) {
            try await reader().duplicate(to: copy, as: format)
        }
    }
}
