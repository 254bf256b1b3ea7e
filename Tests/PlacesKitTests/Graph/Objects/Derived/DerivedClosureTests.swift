import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Values that closures make: where their rows come, move and come back, and what closures may not do.
@Suite struct DerivedClosureTests {
    /// What a closure does besides.
    struct Effect: Sendable {
        nonisolated(unsafe) let call: () -> Void
    }

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

    final class Tagged: ManagedObject {
        @Attribute var tags: [String] = ["a"]
        @Attribute var numbers: Set<Int>?
        @Derived(from: \Tagged.tags, \Tagged.numbers, by: { $0.count + ($1?.count ?? 0) })
        var total: Int
    }

    @Test func `a closure gets attributes of Codable types`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Tagged.self]))
        let tagged = Tagged(context: context)
        #expect(tagged.total == 1)
        tagged.tags.append("b")
        tagged.numbers = [1, 2, 3]
        #expect(tagged.total == 5)
        try context.save()
        try context.checkIntegrity()
        #expect(try context.count(FetchRequest<Tagged>(where: "total == 5")) == 1)
        tagged.numbers = nil
        #expect(tagged.total == 2)
        context.rollback()
        #expect(tagged.total == 5)
    }

    final class Picture: ManagedObject {
        @Attribute(.externalStorage) var bytes: Data?
        @Derived(from: \Picture.bytes, by: { $0?.count ?? 0 }) var size: Int
    }
    final class Sorted: ManagedObject {
        @Attribute var tags: [String] = []
        var sorted: [String] { tags.sorted() }
        @Derived(from: \Sorted.sorted, by: { $0.count }) var total: Int
    }

    @Test(
        arguments: [
            (
                Picture.self,
                "Picture.size cannot be made of bytes. Name attributes of Picture itself"
            ),
            (Sorted.self, "Sorted.total cannot be made of "),
        ] as [(ManagedObject.Type, String)])
    func `what a closure cannot get is refused with what it can`(
        type: ManagedObject.Type, message: String
    ) {
        let error = #expect(throws: SchemaError.self) { try GraphStore(model: [type]) }
        #expect(error?.description.hasPrefix(message) == true)
    }

    final class Shelf: ManagedObject {
        @Relationship var items: ObjectSet<Item>
        @Derived(count: \Shelf.items) var itemCount: Int
        @Derived(from: \Shelf.itemCount, by: { Shelf.label(of: $0) }) var label: String

        /// What happens when a label is made.
        @TaskLocal static var effect: Effect?

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
        let effect = Effect {
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

    // MARK: - What closures may not do

    final class Order: ManagedObject {
        @Attribute(.unique) var code: String?
        @Attribute var amount = 0
        @Relationship var first: Order?
        @Relationship(inverse: \Order.first) var others: ObjectSet<Order>
        @Derived(from: \Order.amount, by: { Order.price(of: $0) }) var price: Int

        /// What happens when a price is made.
        @TaskLocal static var effect: Effect?

        static func price(of amount: Int) -> Int {
            $effect.withValue(nil) { [effect] in effect?.call() }
            return amount * 2
        }
    }

    private func orders() throws -> (ManagedObjectContext, [Order]) {
        let context = ManagedObjectContext(try GraphStore(model: [Order.self]))
        let orders = (0..<3).map { _ in Order(context: context) }
        try context.save()
        return (context, orders)
    }

    @Test func `a save by what makes a derived value is refused, and nothing is lost`() throws {
        let (context, orders) = try orders()
        var errors: [ContextError?] = []
        let effect = Effect {
            do throws(ContextError) {
                try context.save()
                errors.append(nil)
            } catch { errors.append(error) }
        }
        let new = Order.$effect.withValue(effect) {
            orders[0].amount = 4
            return Order(context: context)
        }
        #expect(errors.count >= 2)
        #expect(errors.allSatisfy { $0 == .changeInsideDerivation })
        #expect(context.hasChanges)
        try context.save()
        try context.checkIntegrity()
        let other = ManagedObjectContext(context.store)
        #expect(try other.existingObject(Order.self, with: orders[0].objectID).price == 8)
        #expect(try other.existingObject(Order.self, with: new.objectID).price == 0)
    }

    @Test(arguments: ["rollback", "refresh", "refresh one", "undo", "redo"])
    func `what makes a derived value takes nothing back`(_ way: String) throws {
        let (context, orders) = try orders()
        context.isUndoEnabled = true
        orders[1].amount = 1
        let effect = Effect {
            switch way {
            case "rollback": context.rollback()
            case "refresh": context.refreshAllObjects()
            case "refresh one":
                #expect(throws: ContextError.changeInsideDerivation) {
                    try context.refresh(orders[1], mergeChanges: false)
                }
                context.redo()
            case "undo": context.undo()
            default: context.redo()
            }
        }
        Order.$effect.withValue(effect) { orders[0].amount = 4 }
        #expect(orders.map(\.price) == [8, 2, 0])
        #expect(throws: ContextError.changeInsideDerivation) { try context.save() }
        try context.checkIntegrity()
        context.rollback()
        #expect(orders.map(\.price) == [0, 0, 0])
    }

    @Test(arguments: ["write", "relate", "insert", "find", "upsert", "delete", "delete all"])
    func `what makes a derived value changes nothing`(_ way: String) throws {
        let (context, orders) = try orders()
        var vain: Order?
        let effect = Effect {
            switch way {
            case "write": orders[0].amount = 10
            case "relate": orders[1].first = orders[2]
            case "insert": vain = Order(context: context)
            case "find": vain = try? context.findOrInsert(Order.self, \.code, "a")
            case "upsert":
                _ = try? context.upsert(
                    Order.self, by: \.code, from: ["a"], key: { $0 }
                ) { order, _ in vain = order }
            case "delete": context.delete(orders[0])
            default: _ = try? context.deleteAll(Order.self)
            }
        }
        Order.$effect.withValue(effect) { orders[0].amount = 4 }
        #expect(orders.map(\.price) == [8, 0, 0])
        #expect(orders[1].first == nil)
        #expect(vain?.isDeleted != false)
        #expect(try context.fetch(FetchRequest<Order>()).count == 3)
        #expect(try context.find(Order.self, \.code, "a") == nil)
        #expect(throws: ContextError.changeInsideDerivation) { try context.save() }
        try context.checkIntegrity()
        context.rollback()
        orders[0].amount = 5
        try context.save()
        let new = Order(context: context)
        #expect(new !== vain && vain?.isDeleted != false)
        #expect(orders.map(\.price) == [10, 0, 0])
        try context.checkIntegrity()
    }

    @Test func `an object that comes while a derived value is made for another leaves no trace`()
        throws
    {
        let (context, _) = try orders()
        let order = Order.$effect.withValue(Effect { _ = Order(context: context) }) {
            Order(context: context)
        }
        order.amount = 3
        #expect(order.price == 6)
        #expect(try context.fetch(FetchRequest<Order>()).count == 4)
        try context.checkIntegrity()
    }

    @Test func `a child shows nothing else while its save makes a derived value of the parent`()
        throws
    {
        let (context, orders) = try orders()
        let child = ManagedObjectContext(parent: context)
        let own = try child.existingObject(Order.self, with: orders[1].objectID)
        own.amount = 5
        let sorted = FetchRequest<Order>(sortBy: [SortDescriptor(\.amount, order: .reverse)])
        let results = try FetchedResultsController(sorted, in: child)
        own.amount = 6
        var isAsked = false
        try Order.$effect.withValue(
            Effect {
                isAsked = true
                #expect(throws: ContextError.changeInsideDerivation) {
                    try child.refresh(own, mergeChanges: false)
                }
            }
        ) { try child.save() }
        #expect(isAsked && own.amount == 6 && own.price == 12 && orders[1].price == 12)
        #expect(try child.identifiers(of: sorted) == Array(results.snapshot.identifiers))
        try child.checkIntegrity()
    }

    @Test func `a child saves nothing while its parent makes a derived value`() throws {
        let (context, orders) = try orders()
        let child = ManagedObjectContext(parent: context)
        let own = try child.existingObject(Order.self, with: orders[1].objectID)
        own.amount = 5
        Order.$effect.withValue(
            Effect {
                #expect(throws: ContextError.changeInsideDerivation) { try child.save() }
            }
        ) { orders[0].amount = 4 }
        #expect(own.amount == 5)
        try child.save()
        #expect(orders.map(\.price) == [8, 10, 0])
        try context.save()
        try context.checkIntegrity()
    }
}
