import PlacesKit
import PlacesKitTesting
import Testing

/// Values that closures make, where their rows come, move and come back.
@Suite struct DerivedClosureTests {
    final class Account: ManagedObject {
        @Attribute var mail = ""
        @Derived(from: \Account.mail, .unique, by: { $0.lowercased() }) var key: String
    }

    @Test func `a unique value that a closure makes is there once after a merge`() throws {
        let store = try GraphStore(model: [Account.self])
        let (first, second) = (ManagedObjectContext(store), ManagedObjectContext(store))
        Account(context: first).mail = "Ann"
        try first.save()
        Account(context: second).mail = "Bob"
        _ = Account(context: second)
        try second.save()
        try second.checkIntegrity()
        #expect(try second.find(Account.self, \.key, "bob")?.mail == "Bob")
        #expect(try second.find(Account.self, \.key, "")?.mail == "")
        #expect(try second.fetch(FetchRequest<Account>()).count == 3)
    }

    @Test func `a unique value that a closure makes is there once in the parent`() throws {
        let parent = ManagedObjectContext(try GraphStore(model: [Account.self]))
        let child = ManagedObjectContext(parent: parent)
        Account(context: child).mail = "Ann"
        _ = Account(context: child)
        try child.save()
        try parent.checkIntegrity()
        try parent.save()
        #expect(try parent.find(Account.self, \.key, "ann") != nil)
    }

    @Test func `a unique value that a closure makes comes back with its object`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Account.self]))
        context.isUndoEnabled = true
        let account = Account(context: context)
        account.mail = "Ann"
        try context.save()
        context.delete(account)
        try context.save()
        context.undo()
        try context.checkIntegrity()
        try context.save()
        #expect(try context.find(Account.self, \.key, "ann")?.mail == "Ann")
        context.undo()
        try context.save()
        try context.checkIntegrity()
    }

    final class Shelf: ManagedObject {
        @Relationship var items: ObjectSet<Item>
        @Derived(count: \Shelf.items) var itemCount: Int
        @Derived(from: \Shelf.itemCount, by: { Shelf.label(of: $0) }) var label: String

        /// What happens when a label is made.
        @TaskLocal static var effect: Effect?

        struct Effect: Sendable {
            nonisolated(unsafe) let call: () -> Void
        }

        static func label(of count: Int) -> String {
            $effect.withValue(nil) { [effect] in effect?.call() }
            return "\(count) items"
        }
    }

    final class Item: ManagedObject {
        @Attribute var number = 0
        @Relationship(inverse: \Shelf.items) var shelf: Shelf?
        override class var constraints: [EntityConstraint] {
            [.index(\Item.shelf, \Item.number), .unique(\Item.shelf, \Item.number)]
        }
    }

    @Test(arguments: ["fetch", "insert", "nothing"])
    func `a new object is related while a closure looks at the graph`(_ way: String) throws {
        let context = ManagedObjectContext(try GraphStore(model: [Shelf.self, Item.self]))
        let shelves = (0..<3).map { _ in Shelf(context: context) }
        try context.save()
        let effect = Shelf.Effect {
            switch way {
            case "fetch": _ = try? context.fetch(FetchRequest<Item>())
            case "insert": _ = Item(context: context)
            default: break
            }
        }
        try Shelf.$effect.withValue(effect) {
            let item = Item(context: context)
            item.number = 1
            item.shelf = shelves[0]
            try context.checkIntegrity()
            item.shelf = shelves[1]
            try context.checkIntegrity()
            let other = Item(context: context)
            other.shelf = shelves[2]
            context.delete(other)
            try context.checkIntegrity()
        }
        #expect(shelves.map(\.label) == ["0 items", "1 items", "0 items"])
        if way == "insert" {
            #expect(throws: ContextError.changeInsideDerivation) { try context.save() }
        } else {
            try context.save()
        }
        try context.checkIntegrity()
    }
}
