import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Indexes, constraints and derived attributes in files.
@Suite struct DocumentDerivedTests {
    private typealias Shelf = ShelfModel.Shelf
    private typealias Item = ShelfModel.Item

    private func text() async throws -> String {
        try await HandwrittenDocument.text(of: ShelfModel.types) { context in
            let shelf = Shelf(context: context)
            for number in 0..<3 {
                let item = Item(context: context)
                item.shelf = shelf
                item.number = number
                item.weight = 0.1 * Double(number)
                item.isLit = number == 1
            }
        }
    }

    @Test func `derived values are not written, and are there again after reading`() async throws {
        let text = try await text()
        let line = try #require(
            text.split(separator: "\n").first { $0.contains(#""name":"Shelf""#) })
        #expect(line.contains(#""unique":true"#) == false)
        #expect(
            line.contains(
                #"{"name":"litCount","type":"int64","derived":"count","over":"items","where":"isLit"}"#
            ))
        #expect(text.contains(#""unique":[["shelf","number"]],"indexes":[["shelf","day"],"#))
        #expect(!text.contains(#""itemCount":3"#))
        // What only the class knows how to make is not in the schema, and no link is written twice.
        for name in ["caption", "place", "latest", "firstLit", "latestCaption"] {
            #expect(!text.contains("\"\(name)\""))
        }

        let written = try HandwrittenDocument(of: ShelfModel.types, text)
        let document = try await written.open()
        try document.viewContext.checkIntegrity()
        let shelf = try #require(try document.viewContext.fetch(Shelf.self).first)
        #expect(shelf.itemCount == 3 && shelf.firstLit?.number == 1)
        #expect(shelf.items.map(\.caption) == ["new of 1", "new of 1", "new of 1"])
        #expect(try await written.text(of: document) == text)
    }

    final class Crate: ManagedObject {
        @Attribute var name = ""
        @Relationship(deleteRule: .cascade) var goods: ObjectSet<Good>
        @Derived(max: \Crate.goods, \Good.mark) var mark: Int?
        @DerivedObject(max: \Crate.goods, by: \Good.weight) var heaviest: Good?
        @Derived(\Crate.heaviest?.weight) var weight: Int?
    }

    final class Good: ManagedObject {
        @Attribute var weight = 1
        @Attribute(.transient) var mark = 0
        @Relationship(inverse: \Crate.goods) var crate: Crate?
        @Derived(from: \Good.weight, by: { $0 * 2 }) var double: Int
        @Derived(\Good.crate?.mark) var crateMark: Int?

        override class var constraints: [EntityConstraint] {
            [.index(\Good.crate, \Good.weight), .index(\Good.crate, \Good.double)]
        }
    }

    @Test func `what is derived from what is in no file is in none either`() async throws {
        let files = CrashingFiles()
        let url = URL(filePath: "/Goods", directoryHint: .notDirectory)
        let types: [ManagedObject.Type] = [Crate.self, Good.self]
        let document = try await ManagedDocument.open(at: url, model: types, files: files)
        let crate = Crate(context: document.viewContext)
        for weight in [3, 8, 5] {
            let good = Good(context: document.viewContext)
            (good.weight, good.crate) = (weight, crate)
        }
        #expect(crate.weight == 8)
        try await document.save()
        try await document.close()
        let reader = try await DocumentReader.open(at: url, files: files)
        #expect(
            reader.schema.entities.map { $0.properties.map(\.name) } == [
                ["name", "goods"], ["weight", "crate"],
            ])
        #expect(reader.schema.entities.map(\.indexes) == [[], [["crate", "weight"]]])
        #expect(reader.count(of: "Good") == 3)
        let again = try await ManagedDocument.open(at: url, model: types, files: files)
        let found = try #require(try again.viewContext.fetch(Crate.self).first)
        #expect(found.heaviest?.double == 16 && found.weight == 8 && found.mark == 0)
        try again.viewContext.checkIntegrity()
        // Nothing changed, so nothing is written.
        let steps = files.stepCount
        try await again.save()
        #expect(files.stepCount == steps)
        try await again.close()
    }

    final class Account: ManagedObject {
        @Attribute var mail = ""
        @Derived(from: \Account.mail, .unique, by: { $0.lowercased() }) var key: String
    }

    @Test func `what a closure makes may be unique, in files too`() async throws {
        let files = CrashingFiles()
        let url = URL(filePath: "/Accounts", directoryHint: .notDirectory)
        let document = try await ManagedDocument.open(
            at: url, model: [Account.self], files: files)
        let context = document.viewContext
        let ann = Account(context: context)
        ann.mail = "Ann@example.org"
        let bob = Account(context: context)
        bob.mail = "Bob@example.org"
        try await document.save()
        bob.mail = "ann@EXAMPLE.org"
        #expect(throws: ContextError.self) { try context.save() }
        bob.mail = "Eve@example.org"
        ann.mail = "BOB@example.org"
        try await document.save()
        #expect(try context.find(Account.self, \.key, "bob@example.org") === ann)
        try context.checkIntegrity()
        try await document.close()
        let again = try await ManagedDocument.open(at: url, model: [Account.self], files: files)
        let found = try again.viewContext.find(Account.self, \.key, "eve@example.org")
        #expect(found?.mail == "Eve@example.org")
        try again.viewContext.checkIntegrity()
        try await again.close()
    }

    @Test func `what a file says of a derived value is passed over`() async throws {
        let text = try await text()
            .replacing(#"{"id":0,"name":"""#, with: #"{"id":0,"name":"","itemCount":99"#)
        #expect(text.contains("99"))
        let document = try await HandwrittenDocument(of: ShelfModel.types, text).open()
        try document.viewContext.checkIntegrity()
        #expect(try document.viewContext.fetch(Shelf.self).map(\.itemCount) == [3])
    }

    @Test func `a file in which a unique combination is not is refused`() async throws {
        let text = try await text()
            .replacing(#""number":2"#, with: #""number":1"#)
        let damage = try await HandwrittenDocument(of: ShelfModel.types, text).damage()
        #expect(damage?.description.contains("a unique combination of shelf, number") == true)
    }
}
