import Foundation
import PlacesKit
import Testing

/// Sets that lose a member when it awakes, which may be while they are copied.
@Suite struct AwakingMembersTests {
    final class Box: ManagedObject {
        @Relationship(inverse: \Item.box) var items: ObjectSet<Item>
        @Relationship(inverse: \Item.shelf) var ordered: OrderedObjectSet<Item>
    }
    final class Item: ManagedObject {
        @Attribute var number = 0
        @Relationship var box: Box?
        @Relationship var shelf: Box?

        override func awakeFromFetch() {
            guard number == 1, context?.transactionAuthor == "reader" else { return }
            box = nil
            shelf = nil
        }
    }

    /// A box of four items, the second of which goes when it awakes.
    private let box: Box

    init() throws {
        let writer = ManagedObjectContext(try GraphStore(model: [Box.self, Item.self]))
        let box = Box(context: writer)
        for number in 0..<4 {
            let item = Item(context: writer)
            item.number = number
            (item.box, item.shelf) = (box, box)
        }
        try writer.save()
        let reader = ManagedObjectContext(writer.store)
        reader.transactionAuthor = "reader"
        self.box = try reader.existingObject(Box.self, with: box.objectID)
    }

    /// Compares what was copied with the members at the start, and those that there are now with the others.
    private func expect(_ copied: [Int], _ line: SourceLocation = #_sourceLocation) {
        #expect(copied.starts(with: [0, 1]), "\(copied)", sourceLocation: line)
        #expect(box.items.map(\.number) == [0, 2, 3], sourceLocation: line)
        #expect(box.ordered.map(\.number) == [0, 2, 3], sourceLocation: line)
        #expect(box.context?.brokenInvariants == [], sourceLocation: line)
    }

    @Test func `an array of a set`() { expect(Array(box.items).map(\.number)) }

    @Test func `an array of an ordered set`() { expect(Array(box.ordered).map(\.number)) }

    @Test func `a sorted set`() { expect(box.items.sorted { $0.number < $1.number }.map(\.number)) }

    @Test func `a sorted ordered set`() {
        expect(box.ordered.sorted { $0.number < $1.number }.map(\.number))
    }

    @Test func `an array to which a set is appended`() {
        var items: [Item] = []
        items.append(contentsOf: box.items)
        expect(items.map(\.number))
    }

    @Test func `the members of some ordered sets`() {
        expect([box].flatMap { $0.ordered }.map(\.number))
    }

    @Test func `an ordered set that is mapped`() { expect(box.ordered.map(\.number)) }

    @Test func `a set that is assigned`() throws {
        let other = Box(context: try #require(box.context))
        other.items = box.items
        #expect(other.items.map(\.number).starts(with: [0, 1]))
        #expect(box.context?.brokenInvariants == [])
    }

    @Test func `members that are moved`() {
        box.ordered.move(fromOffsets: [0, 1, 3], toOffset: 2)
        #expect(box.ordered.map(\.number) == [2, 0, 3])
        #expect(box.context?.brokenInvariants == [])
    }
}
