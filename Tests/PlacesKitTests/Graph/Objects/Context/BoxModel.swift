import Observation
import PlacesKit

/// Boxes that can't be deleted while items lie in them.
enum BoxModel {
    final class Box: ManagedObject {
        @Attribute var name = ""
        @Attribute(.indexed) var rank = 0
        @Relationship(deleteRule: .deny, inverse: \Item.box) var items: OrderedObjectSet<Item>
        @Derived(sum: \Box.items, \Item.number) var sum: Int
    }

    final class Item: ManagedObject {
        @Attribute var number = 0
        @Attribute var name = "new"
        @Relationship var box: Box?
        @Derived(\Item.box?.rank) var boxRank: Int?
    }

    static func context() throws -> ManagedObjectContext {
        let context = ManagedObjectContext(try GraphStore(model: [Box.self, Item.self]))
        context.isObservable = true
        return context
    }

    /// Counts how often a change is told of something that `read` reads.
    static func watch<Value>(_ read: () -> Value) -> Counter {
        let counter = Counter()
        withObservationTracking {
            _ = read()
        } onChange: {
            counter.count()
        }
        return counter
    }
}
