import Foundation
import PlacesKit
import Testing

/// Equal in whatever order the names are, as a set would be; written in just the order that a test wants.
private struct Tags: CodableAttribute {
    var names: [String]

    init(_ names: String...) { self.names = names }

    static func == (left: Tags, right: Tags) -> Bool { Set(left.names) == Set(right.names) }
}

private struct Card: CompositeAttribute {
    var title = ""
    var tags = Tags()

    static let parts: [CompositePart<Card>] = [.part("title", \.title), .part("tags", \.tags)]
}

private final class Note: ManagedObject {
    @Attribute var tags = Tags("a", "b")
    @Attribute var more: Tags?
    @Attribute var list = [Tags("g", "h")]
    @Composite var card = Card()
}

/// Values of `Codable` types that are equal and are written differently, as those are that have sets inside.
@Suite struct EqualJSONTests {
    private let store: GraphStore
    private let context: ManagedObjectContext
    private let note: Note

    init() throws {
        store = try GraphStore(model: [Note.self])
        let other = ManagedObjectContext(store)
        let saved = Note(context: other)
        saved.more = Tags("c", "d")
        saved.card = Card(title: "t", tags: Tags("e", "f"))
        try other.save()
        context = ManagedObjectContext(store)
        context.isUndoEnabled = true
        note = try context.fetch(Note.self)[0]
    }

    @Test func `writing a value that is equal to the attribute's is no change`() {
        note.tags = Tags("b", "a")
        note.more = Tags("d", "c")
        note.list = [Tags("h", "g")]
        note.card = Card(title: "t", tags: Tags("f", "e"))
        #expect(!context.hasChanges && !note.isUpdated && note.changedValues().isEmpty)
        #expect(!context.canUndo)
        #expect(note.tags.names == ["a", "b"])
    }

    @Test func `a value that is changed and changed back is no change`() {
        note.tags = Tags("x")
        note.more = nil
        note.card.tags = Tags()
        #expect(note.changedValues().count == 3)
        note.tags = Tags("b", "a")
        note.more = Tags("d", "c")
        note.card.tags = Tags("f", "e")
        #expect(!context.hasChanges && note.changedValues().isEmpty)
    }

    @Test func `a new object whose value is equal to its default has no changed value`() {
        let new = Note(context: context)
        new.tags = Tags("x")
        new.tags = Tags("b", "a")
        #expect(new.changedValues().isEmpty && new.tags.names == ["a", "b"])
    }

    @Test func `an equal value does not overwrite what another context saved`() throws {
        context.mergePolicy = .mergeByPropertyObjectTrump
        let other = ManagedObjectContext(store)
        let same = try other.fetch(Note.self)[0]
        note.tags = Tags("b", "a")
        note.more = Tags("mine")
        same.tags = Tags("written by the other")
        try other.save()
        try context.save()
        let merged = try ManagedObjectContext(store).fetch(Note.self)[0]
        #expect(merged.tags == Tags("written by the other") && merged.more == Tags("mine"))
    }

    @Test func `an equal value that is spelled otherwise is a change`() throws {
        note.tags = Tags("\u{e9}")
        try context.save()
        note.tags = Tags("e\u{301}")
        #expect(note.isUpdated && note.tags.names[0].utf8.count == 3)
        note.tags = Tags("\u{e9}")
        #expect(!note.isUpdated)
        // As often as no set has it.
        note.tags = Tags("\u{e9}", "\u{e9}")
        #expect(note.isUpdated && note.tags.names.count == 2)
    }
}
