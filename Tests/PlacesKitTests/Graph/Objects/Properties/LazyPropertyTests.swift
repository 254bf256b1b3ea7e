import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Requests that ask a property which writes what it worked out, and at times saves.
@Suite struct LazyPropertyTests {
    final class Item: ManagedObject {
        @Attribute var number = 0
        @Attribute var made = ""

        /// Worked out when it is asked for the first time.
        var label: String {
            if made.isEmpty {
                made = "the label of the item with the number \(number)"
                if number % 50 == 0 {
                    // Often enough that nothing keeps the graph of before.
                    for _ in 0..<80 {
                        made += "!"
                        try? context?.save()
                    }
                }
            }
            return made
        }
    }

    private static let count = 2_500
    private let context: ManagedObjectContext

    init() throws {
        context = ManagedObjectContext(try GraphStore(model: [Item.self]))
        for number in 0..<Self.count { Item(context: context).number = number }
        try context.save()
    }

    private func check() throws {
        try context.checkIntegrity()
        let items = try context.fetch(FetchRequest<Item>(sortBy: [SortDescriptor(\.number)]))
        #expect(items.map(\.number) == Array(0..<Self.count))
        try context.save()
        try context.checkIntegrity()
    }

    @Test func `a predicate may ask it`() throws {
        let request = FetchRequest<Item>(predicate: #Predicate { $0.label.contains("7") })
        let expected = (0..<Self.count).filter { "\($0)".contains("7") }.count
        #expect(try context.fetch(request).count == expected)
        #expect(try context.count(request) == expected)
        try check()
    }

    @Test func `objects may be sorted by it`() throws {
        let request = FetchRequest<Item>(sortBy: [SortDescriptor(\.label)], limit: 20)
        let labels = try context.fetch(request).map(\.label)
        #expect(labels.count == 20 && labels == labels.sorted())
        try check()
    }

    @Test func `its values may be read at once`() throws {
        let labels = try context.values(of: \Item.label)
        #expect(labels.count == Self.count && !labels.contains(""))
        try check()
    }

    @Test func `sections may be made by it`() throws {
        let request = FetchRequest<Item>(
            predicate: #Predicate { $0.number < 300 }, sortBy: [SortDescriptor(\.label)])
        let results = try FetchedResultsController(request, sectionBy: \.label, in: context)
        #expect(results.sections.count == 300)
        try check()
    }

    @Test func `a live list may ask it`() throws {
        let request = FetchRequest<Item>(predicate: #Predicate { $0.label.contains("99") })
        let results = try FetchedResultsController(request, in: context)
        #expect(results.objects.count == (0..<Self.count).filter { "\($0)".contains("99") }.count)
        for item in results.objects { item.made = "" }
        try context.save()
        #expect(!results.objects.contains { $0.label.isEmpty })
        try check()
    }
}
