import Foundation
import PlacesKit
import Testing

/// Which objects have no value of a composite attribute of which every part may be missing.
@Suite struct CompositeNilTests {
    struct Span: CompositeAttribute, Hashable, Codable {
        var from: Int?
        var to: Int?

        static let parts: [CompositePart<Span>] = [.part("from", \.from), .part("to", \.to)]
    }

    final class Box: ManagedObject {
        @Composite var span = Span()
        @Composite var loan: Span?
        @Relationship var items: ObjectSet<Item>
    }

    final class Item: ManagedObject {
        @Attribute var name = ""
        @Relationship(inverse: \Box.items) var box: Box?
    }

    private let context: ManagedObjectContext

    init() throws {
        context = ManagedObjectContext(try GraphStore(model: [Box.self, Item.self]))
        let (empty, full) = (Box(context: context), Box(context: context))
        full.span = Span(from: 1, to: nil)
        full.loan = Span(from: nil, to: 2)
        for (name, box) in [("loose", nil), ("empty", empty), ("full", full)] {
            let item = Item(context: context)
            item.name = name
            item.box = box
        }
        try context.save()
    }

    /// Checks that a request is compiled, and finds just those of which the predicate holds.
    private func check(_ predicate: Predicate<Item>, _ names: Set<String>) throws {
        let request = FetchRequest(predicate: predicate)
        let all = try Array(context.fetch(Item.self))
        #expect(Set(try all.filter { try predicate.evaluate($0) }.map(\.name)) == names)
        #expect(Set(try context.fetch(request).map(\.name)) == names)
        #expect(try request.explain(in: context).notCompiled.isEmpty)
    }

    @Test func `a composite that is not optional is nil only where the way to it breaks`() throws {
        try check(#Predicate { $0.box?.span == nil }, ["loose"])
        try check(#Predicate { $0.box?.span != nil }, ["empty", "full"])
        try check(
            #Predicate { if let span = $0.box?.span { span.from == nil } else { false } },
            ["empty"])
        try check(
            #Predicate { if let span = $0.box?.span { span.to == nil } else { true } },
            ["loose", "empty", "full"])
    }

    @Test func `one that is optional is nil where no part has a value as well`() throws {
        try check(#Predicate { $0.box?.loan == nil }, ["loose", "empty"])
        try check(#Predicate { $0.box?.loan != nil }, ["full"])
        try check(
            #Predicate { if let loan = $0.box?.loan { loan.from == nil } else { false } }, ["full"])
    }

    @Test func `closures look at the composites of members`() throws {
        let found = FetchRequest<Box>(
            predicate: #Predicate { box in box.items.contains { $0.box?.span == nil } })
        #expect(try context.count(found) == 0)
        let others = FetchRequest<Box>(
            predicate: #Predicate { box in box.items.contains { $0.box?.span != nil } })
        #expect(try context.count(others) == 2)
    }

    @Test func `the format of such a predicate says the same`() throws {
        let spans: Predicate<Item> = #Predicate { $0.box?.span == nil }
        let loans: Predicate<Item> = #Predicate { $0.box?.loan == nil }
        for (predicate, names) in [(spans, ["loose"]), (loans, ["empty", "loose"])] {
            let format = try PredicateFormat(predicate)
            let request = try FetchRequest<Item>(where: CompoundPredicate(format))
            #expect(try context.fetch(request).map(\.name).sorted() == names, "\(format)")
        }
    }
}
