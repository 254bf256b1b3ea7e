public import Foundation
import PlacesBase

/// The changes of one commit as in the journal: names, numbers and values, without classes.
///
/// It encodes to the content of the journal, so any `Encoder` can write the feed for another
/// program. Inserted and updated objects have the order of the journal: those that became members of
/// an ordered relationship are appended in it, the inserted ones first, before moves and orders are
/// applied. Encoders do not keep the order of keys; where that of the entities matters, the key
/// `entities` has their names in order. What was deleted, and relationships, are sorted by name. Two
/// records are equal if they describe the same changes, even if their lines differ.
public struct ChangeRecord: Hashable, Codable, Sendable {
    /// An object's new values.
    public struct Object: Sendable, Hashable {
        /// The identifier of the object.
        public var id: ObjectID
        /// The values by the names of the properties.
        ///
        /// A new object has all its values here, an updated one those that changed. The value of a
        /// to-one relationship is the number of the related object.
        public var values: [String: JSONValue]
    }

    /// A pair of objects in a many-to-many relationship, by number.
    public struct Link: Sendable, Hashable {
        /// The entity and the name of the relationship, as in `Album.readers`.
        public var relationship: String
        /// The number of the object that has the relationship.
        public var owner: Int64
        /// The number of the other object.
        public var member: Int64
    }

    /// A move of one member of an ordered relationship.
    public struct Move: Sendable, Hashable {
        /// The entity and the name of the relationship, as in `Album.works`.
        public var relationship: String
        /// The number of the object that has the relationship.
        public var owner: Int64
        /// The number of the member.
        public var member: Int64
        /// The number of the member before it after the move; `nil` if it comes first.
        public var predecessor: Int64?
    }

    /// The order of all members of an ordered relationship.
    public struct Order: Sendable, Hashable {
        /// The entity and the name of the relationship, as in `Album.works`.
        public var relationship: String
        /// The number of the object that has the relationship.
        public var owner: Int64
        /// The numbers of the members, in order.
        public var members: [Int64]
    }

    /// The number of the commit.
    public var commit = 0
    /// The date of the commit.
    public var date = Date(timeIntervalSinceReferenceDate: 0)
    /// The `transactionAuthor` of the context that saved.
    public var author: String?
    /// The deleted objects.
    public var deleted: [ObjectID] = []
    /// What is kept of deleted objects: the values of attributes with
    /// ``AttributeOption/preserveValueOnDeletion``.
    public var tombstones: [Object] = []
    /// The inserted objects.
    public var inserted: [Object] = []
    /// The updated objects.
    public var updated: [Object] = []
    /// The pairs of objects that were linked.
    public var linked: [Link] = []
    /// The pairs of objects whose link was removed.
    public var unlinked: [Link] = []
    /// The moves of members in ordered relationships; apply them one after the other.
    public var moved: [Move] = []
    /// The new orders of ordered relationships that changed too much to be described by moves.
    public var ordered: [Order] = []
    /// The line of the journal, with its line feed.
    public private(set) var line: Data

    /// Reads a line of a journal; without the values of the objects, which take most of the time, it tells only which they
    /// are.
    init(line: [UInt8], keepsValues: Bool = true) throws {
        self.line = Data(line)
        var record = self
        try JSONReader.read(line) { json in
            try json.beginObject()
            while let key = try json.nextKey(in: JournalKeys.record) {
                switch key {
                case .commit: record.commit = Int(clamping: try json.readInt64())
                case .date:
                    record.date = Date(timeIntervalSinceReferenceDate: try json.readDate())
                case .author: record.author = try json.readString()
                case .delete:
                    let objects = try json.readObjects(keepsValues: keepsValues)
                        .inOrder(of: \.id.entity)
                    record.deleted = objects.map(\.id)
                    record.tombstones = objects.filter { !$0.values.isEmpty }
                case .insert: record.inserted = try json.readObjects(keepsValues: keepsValues)
                case .update: record.updated = try json.readObjects(keepsValues: keepsValues)
                case .unlink: record.unlinked = try json.readLinks()
                case .link: record.linked = try json.readLinks()
                case .move: record.moved = try json.readMoves()
                case .order: record.ordered = try json.readOrders()
                case .opening, .sequence, .values, .model, .synced, .checksum:
                    try json.skipValue()
                }
            }
        }
        self = record
    }
}
