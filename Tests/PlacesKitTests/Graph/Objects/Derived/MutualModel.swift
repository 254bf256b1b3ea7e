import PlacesKit

/// A model in which one end of a relationship counts what the other end derives over it.
enum MutualModel {
    final class Node: ManagedObject {
        @Attribute var weight = 1
        @Attribute var isLit = false
        @Relationship var parts: ObjectSet<Node>
        @Relationship(inverse: \Node.parts) var whole: Node?
        @Relationship var liked: ObjectSet<Node>
        @Relationship(inverse: \Node.liked) var likers: ObjectSet<Node>
        @Relationship var next: Node?
        @Relationship(inverse: \Node.next) var previous: Node?
        @Relationship(inverse: \Circle.nodes) var circles: ObjectSet<Circle>
        @Relationship(inverse: \Circle.owned) var owner: Circle?

        @Derived(sum: \Node.parts, \Node.weight) var partsWeight: Int
        @Derived(sum: \Node.parts, \Node.partsWeight) var deepWeight: Int
        @Derived(count: \Node.parts, where: \Node.isLit) var litParts: Int
        @Derived(\Node.whole?.partsWeight) var wholeWeight: Int?
        @Derived(\Node.whole?.litParts) var wholeLit: Int?
        @Derived(sum: \Node.parts, \Node.wholeWeight) var partsWholeWeight: Int
        @Derived(sum: \Node.parts, \Node.wholeLit, where: \Node.isLit) var litPartsWholeLit: Int
        @Derived(count: \Node.liked) var likes: Int
        @Derived(sum: \Node.likers, \Node.likes) var fame: Int
        @Derived(max: \Node.liked, \Node.fame) var best: Int?
        @Derived(\Node.next?.fame) var nextFame: Int?
        @Derived(\Node.previous?.nextFame) var ownFame: Int?
        @Derived(sum: \Node.circles, \Circle.size) var reach: Int
        @Derived(countDistinct: \Node.circles, \Circle.size) var sizes: Int
        @DerivedObject(max: \Node.circles, by: \Circle.size) var largest: Circle?
        @Derived(\Node.owner?.ownedWeight) var ownerWeight: Int?
        @Derived(from: \Node.ownerWeight, by: { ($0 ?? 0) > 3 }) var isHeavy: Bool
    }

    final class Circle: ManagedObject {
        @Relationship var nodes: ObjectSet<Node>
        @Relationship var owned: ObjectSet<Node>

        @Derived(count: \Circle.nodes) var size: Int
        @Derived(sum: \Circle.nodes, \Node.reach) var closeness: Int
        @Derived(max: \Circle.nodes, \Node.reach) var farthest: Int?
        @Derived(sum: \Circle.owned, \Node.weight) var ownedWeight: Int
        @Derived(sum: \Circle.owned, \Node.ownerWeight) var ownersWeight: Int
        @Derived(count: \Circle.owned, where: \Node.isHeavy) var heavy: Int
        @DerivedObject(max: \Circle.owned, by: \Node.ownerWeight) var first: Node?
    }

    static func context() throws -> ManagedObjectContext {
        ManagedObjectContext(try GraphStore(model: [Node.self, Circle.self]))
    }
}
