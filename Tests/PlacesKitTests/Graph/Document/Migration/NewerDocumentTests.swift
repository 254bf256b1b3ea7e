import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Documents of newer models that earlier ones show, though the objects break their rules.
@Suite struct NewerDocumentTests {
    private enum Old {
        enum Mood: String, CaseIterable, AttributeValue { case calm, wild }
        final class Thing: ManagedObject {
            @Attribute(.unique) var code = ""
            @Attribute var mood: Mood
            @Attribute var link: URL
            @Attribute var icon: Data
            @Attribute var count = 0
            @Relationship(inverse: \Thing.former) var next: Thing?
            @Relationship var former: Thing?
        }
        static let types: [ManagedObject.Type] = [Thing.self]
    }

    /// What was unique need not be, what was required may be missing or is gone, and a link leads to several.
    private enum New {
        final class Thing: ManagedObject {
            @Attribute var code = ""
            @Attribute var mood = "none"
            @Attribute var icon: Data?
            @Attribute var count = 0
            @Attribute var note = ""
            @Relationship(inverse: \Thing.former) var next: ObjectSet<Thing>
            @Relationship var former: ObjectSet<Thing>
        }
        final class Tag: ManagedObject {
            @Attribute var text = ""
        }
        static let types: [ManagedObject.Type] = [Thing.self, Tag.self]
    }

    private static let url = URL(filePath: "/Things", directoryHint: .notDirectory)

    private let files = CrashingFiles()

    private func write(at url: URL = Self.url) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: url, model: New.types,
            options: .savedByHand { $0.migration.version = 2 }, files: files)
    }

    /// A document of the newer model.
    private func writer() async throws -> ManagedDocument {
        let writer = try await write()
        let things = (0..<4).map { number in
            let thing = New.Thing(context: writer.viewContext)
            (thing.code, thing.count) = ("c\(number / 2)", number)
            thing.note = "note \(number)"
            return thing
        }
        things[0].next.insert(things[1])
        things[0].next.insert(things[2])
        New.Tag(context: writer.viewContext).text = "tag"
        try await writer.save()
        return writer
    }

    private func read() async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: Self.url, model: Old.types,
            options: .savedByHand {
                $0.isReadOnly = true
                $0.opensNewerReadOnly = true
            }, files: files)
    }

    /// All that is shown of the objects.
    private func shown(_ document: ManagedDocument) throws -> [String] {
        try document.viewContext.fetch(Old.Thing.self).map { thing in
            let links = [thing.next, thing.former].map { "\($0?.count ?? -1)" }
            return "\(thing.code) \(thing.count) \(thing.mood) \(thing.link) \(thing.icon) \(links)"
        }
    }

    @Test func `a newer document is followed, though its objects break the rules of the model`()
        async throws
    {
        let writer = try await writer()
        let reader = try await read()
        let first = try #require(try reader.viewContext.fetch(Old.Thing.self).first)
        for round in 1...3 {
            let things = try writer.viewContext.fetch(New.Thing.self)
            things[0].count += 100
            switch round {
            case 1: New.Thing(context: writer.viewContext).code = "c1"
            case 2: writer.viewContext.delete(things[1])
            default: things[1].next.insert(things[0])
            }
            try await writer.save()
            try await reader.refresh()
            #expect(reader.store.commitNumber == round + 1)
            #expect(first.count == round * 100)
            let anew = try await read()
            #expect(try shown(reader) == shown(anew))
        }
        let things = try reader.viewContext.fetch(Old.Thing.self)
        #expect(things.map(\.code) == ["c0", "c1", "c1", "c1"])
        #expect(things[0] === first)
        try await writer.close()
    }

    /// Copies what a reader has, and expects that the copy is what `writer()` made.
    private func expectWholeCopy(of reader: ManagedDocument) async throws {
        let url = URL(filePath: "/Copy", directoryHint: .notDirectory)
        try await reader.duplicate(to: url)
        let report = try await ManagedDocument.verify(at: url, files: files)
        #expect(report.isSound, "\(report)")
        let copy = try await write(at: url)
        #expect(copy.store.commitNumber == reader.store.commitNumber)
        let things = try copy.viewContext.fetch(New.Thing.self)
        #expect(things.map(\.code) == ["c0", "c0", "c1", "c1"])
        #expect(things.map(\.note) == (0..<4).map { "note \($0)" })
        #expect(things[0].next.map(\.count).sorted() == [1, 2])
        #expect(try copy.viewContext.fetch(New.Tag.self).map(\.text) == ["tag"])
        try await copy.close()
    }

    @Test func `a copy of a newer document has all that its files have`() async throws {
        let writer = try await writer()
        try await expectWholeCopy(of: read())
        try await writer.close()
    }

    @Test func `so has a copy of a document that became newer while it was read`() async throws {
        let old = try await ManagedDocument.open(
            at: Self.url, model: Old.types, options: .savedByHand(), files: files)
        for number in 0..<4 {
            let thing = Old.Thing(context: old.viewContext)
            (thing.code, thing.count, thing.mood) = ("old \(number)", number, .wild)
            (thing.link, thing.icon) = (URL(filePath: "/link"), Data([1]))
        }
        try await old.close()
        let reader = try await read()
        let writer = try await write()
        let things = try writer.viewContext.fetch(New.Thing.self)
        for (number, thing) in things.enumerated() {
            (thing.code, thing.note) = ("c\(number / 2)", "note \(number)")
        }
        things[0].next.insert(things[1])
        things[0].next.insert(things[2])
        New.Tag(context: writer.viewContext).text = "tag"
        try await writer.close()
        try await reader.refresh()
        try await expectWholeCopy(of: reader)
    }
}
