import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct ConstraintTests {
    private typealias Shelf = ShelfModel.Shelf
    private typealias Item = ShelfModel.Item

    private let context: ManagedObjectContext

    init() throws { context = try ShelfModel.context() }

    private func item(_ number: Int?, on shelf: Shelf?) -> Item {
        let item = Item(context: context)
        item.number = number
        item.shelf = shelf
        return item
    }

    @Test func `two objects with the same combination are not saved`() throws {
        let shelf = Shelf(context: context)
        let first = item(1, on: shelf)
        let second = item(1, on: shelf)
        let failure = ValidationFailure(
            object: second.objectID, property: "shelf, number",
            reason: .duplicateValues(
                [.string("\(shelf.objectID)"), .integer(1)], other: first.objectID))
        #expect(throws: ContextError.invalid([failure])) { try context.save() }
        #expect(failure.description.contains("shelf, number"))
        second.number = 2
        try context.save()
        try context.checkIntegrity()
    }

    @Test func `no value in one part of a combination is never a duplicate`() throws {
        let shelf = Shelf(context: context)
        _ = [item(nil, on: shelf), item(nil, on: shelf), item(1, on: nil), item(1, on: nil)]
        try context.save()
        try context.checkIntegrity()
    }

    @Test func `a combination is free again when its object moves or goes`() throws {
        let shelves = [Shelf(context: context), Shelf(context: context)]
        let first = item(1, on: shelves[0])
        try context.save()
        first.shelf = shelves[1]
        let second = item(1, on: shelves[0])
        try context.save()
        context.delete(second)
        first.shelf = shelves[0]
        try context.save()
        try context.checkIntegrity()
    }

    @Test func `the same combination from two contexts is refused at the second save`() throws {
        let shelf = Shelf(context: context)
        try context.save()
        let other = ManagedObjectContext(context.store)
        let theirs = Item(context: other)
        theirs.number = 1
        theirs.shelf = try other.existingObject(with: shelf.objectID) as? Shelf
        _ = item(1, on: shelf)
        try other.save()
        #expect(throws: ContextError.self) { try context.save() }
    }

    private final class Odd: ManagedObject {
        @Attribute var name = ""
        var upper: String { name.uppercased() }
        override class var constraints: [EntityConstraint] { [.index(\Odd.upper)] }
    }

    private final class Twice: ManagedObject {
        @Attribute var name = ""
        override class var constraints: [EntityConstraint] { [.unique(\Twice.name, \Twice.name)] }
    }

    private final class Other: ManagedObject {
        @Attribute var name = ""
        override class var constraints: [EntityConstraint] { [.index(\Twice.name)] }
    }

    struct Labels: CompositeAttribute {
        var title = ""
        var tags: Set<String> = []

        static let parts: [CompositePart<Labels>] = [
            .part("title", \.title), .part("tags", \.tags),
        ]
    }

    final class Labelled: ManagedObject {
        @Composite var labels = Labels()
        override class var constraints: [EntityConstraint] { [.unique(\Labelled.labels)] }
    }

    @Test func `a constraint over a composite attribute with a Codable part is refused`() {
        #expect(
            throws: SchemaError.invalidConstraint(
                entity: "Labelled",
                property: "labels.tags, whose Codable values cannot be compared")
        ) { try GraphStore(model: [Labelled.self]) }
    }

    @Test func `a constraint over what is no property of the class is refused`() {
        #expect(
            throws: SchemaError.invalidConstraint(entity: "Odd", property: "an unknown property")
        ) { try GraphStore(model: [Odd.self]) }
        #expect(throws: SchemaError.invalidConstraint(entity: "Twice", property: "name")) {
            try GraphStore(model: [Twice.self])
        }
        #expect(
            throws: SchemaError.invalidConstraint(
                entity: "Other", property: "a property of another class")
        ) { try GraphStore(model: [Other.self]) }
    }
}
