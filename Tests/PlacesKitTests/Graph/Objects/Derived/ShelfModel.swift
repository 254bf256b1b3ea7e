import Foundation
import PlacesKit

/// A model whose every relationship is derived over, every function and every type among them.
enum ShelfModel {
    final class Room: ManagedObject {
        @Attribute var name = ""
        @Relationship(inverse: \Shelf.room) var shelves: ObjectSet<Shelf>
        @Derived(sum: \Room.shelves, \Shelf.size) var size: Int
        @Derived(count: \Room.shelves, where: \Shelf.isLit) var litShelves: Int
        @Derived(max: \Room.shelves, \Shelf.lastDay, .indexed) var lastDay: Date?
    }

    final class Shelf: ManagedObject {
        @Attribute(.indexed) var name = ""
        @Relationship var room: Room?
        @Relationship(deleteRule: .cascade, inverse: \Item.shelf) var items: ObjectSet<Item>
        @Relationship(inverse: \Label.shelves) var labels: ObjectSet<Label>
        @Derived(count: \Shelf.items, .indexed) var itemCount: Int
        @Derived(count: \Shelf.items, where: \Item.isLit) var litCount: Int
        @Derived(any: \Shelf.items, where: \Item.isLit) var isLit: Bool
        @Derived(any: \Shelf.labels) var isLabelled: Bool
        @Derived(sum: \Shelf.items, \Item.size) var size: Int
        @Derived(sum: \Shelf.items, \Item.weight) var weight: Double
        @Derived(min: \Shelf.items, \Item.title, .indexed) var firstTitle: String?
        @Derived(max: \Shelf.items, \Item.day) var lastDay: Date?
        @Derived(min: \Shelf.items, \Item.size, where: \Item.isLit) var leastLit: Int?
        @Derived(min: \Shelf.items, \Item.price) var cheapest: Decimal?
        @Derived(max: \Shelf.items, \Item.serial) var lastSerial: UInt64?
        @Derived(countDistinct: \Shelf.items, \Item.maker) var makers: Int
        @Derived(countDistinct: \Shelf.items, \Item.title, where: \Item.isLit) var litTitles: Int
        @Derived(sum: \Shelf.labels, \Label.rank) var labelRank: Int
        @DerivedObject(max: \Shelf.items, by: \Item.day) var latest: Item?
        @DerivedObject(min: \Shelf.items, by: \Item.title, where: \Item.isLit) var firstLit: Item?
        @DerivedObject(max: \Shelf.labels, by: \Label.rank) var topLabel: Label?
        /// Along one that is derived itself.
        @Derived(\Shelf.latest?.caption, .indexed) var latestCaption: String?
    }

    final class Item: ManagedObject {
        @Attribute(.indexed, .searchable) var title = "new"
        @Attribute(.indexed) var isLit = false
        @Attribute(.indexed) var size = 1
        @Attribute(.indexed) var weight: Double?
        @Attribute(.indexed) var day: Date?
        @Attribute var number: Int?
        @Attribute(.indexed) var price: Decimal?
        @Attribute(.indexed) var serial: UInt64 = 0
        @Relationship var shelf: Shelf?
        @Relationship(inverse: \Maker.items) var maker: Maker?
        @Derived(\Item.shelf?.name, .indexed) var shelfName: String?
        @Derived(\Item.shelf?.room?.name, .indexed) var roomName: String?
        @Derived(\Item.shelf?.room?.lastDay) var roomDay: Date?
        @Derived(\Item.maker?.firstRoom) var makersRoom: String?
        @Derived(from: \Item.title, \Item.size, .searchable, by: { "\($0) of \($1)" })
        var caption: String
        /// Of one that is derived itself.
        @Derived(from: \Item.shelfName, \Item.isLit, \Item.number, .indexed, by: Item.place)
        var place: Int?

        @Sendable static func place(_ shelf: String?, _ isLit: Bool, _ number: Int?) -> Int? {
            isLit ? nil : (shelf?.count ?? 0) * 1_000 + (number ?? -1)
        }

        override class var constraints: [EntityConstraint] {
            [
                .unique(\Item.shelf, \Item.number), .index(\Item.shelf, \Item.day),
                .index(\Item.maker, \Item.title, \Item.isLit),
            ]
        }
    }

    final class Maker: ManagedObject {
        @Attribute var name = ""
        @Relationship var items: ObjectSet<Item>
        @Derived(countDistinct: \Maker.items, \Item.shelf) var shelves: Int
        @Derived(min: \Maker.items, \Item.roomName) var firstRoom: String?
    }

    final class Label: ManagedObject {
        @Attribute var rank = 1
        @Relationship var shelves: ObjectSet<Shelf>
        @Derived(count: \Label.shelves, where: \Shelf.isLit) var litShelves: Int
    }

    static let types: [ManagedObject.Type] = [
        Room.self, Shelf.self, Item.self, Maker.self, Label.self,
    ]

    static func context() throws -> ManagedObjectContext {
        ManagedObjectContext(try GraphStore(model: types))
    }
}
