public import Foundation
import PlacesBase

/// What one commit of a document changed, as its journal has it: names, numbers and values, without the
/// classes.
///
/// It encodes to what stands in the journal, so any `Encoder` writes the feed for another program. What concerns
/// objects and relationships comes in the order of their entities' names. Two records are equal if they say the
/// same, however their lines are written.
public struct ChangeRecord: Hashable, Codable, Sendable {
    /// An object's new values.
    public struct Object: Sendable, Hashable {
        /// The object.
        public var id: ObjectID
        /// The values by the names of the properties.
        ///
        /// A new object has all of its values here, another those that changed. A to-one relationship is
        /// the number of the object that it leads to.
        public var values: [String: JSONValue]
    }

    /// A pair of objects in a many-to-many relationship, by number.
    public struct Link: Sendable, Hashable {
        /// The entity and the name of the relationship, as in `Album.readers`.
        public var relationship: String
        /// The number of the object that has the relationship.
        public var owner: Int64
        /// The number of the other.
        public var member: Int64
    }

    /// The position that a member of an ordered relationship was moved to.
    public struct Move: Sendable, Hashable {
        /// The entity and the name of the relationship, as in `Album.works`.
        public var relationship: String
        /// The number of the object that has the relationship.
        public var owner: Int64
        /// The number of the member.
        public var member: Int64
        /// The number of the member that it comes behind; `nil` where it comes first.
        public var predecessor: Int64?
    }

    /// The members of an ordered relationship, all of them in their order.
    public struct Order: Sendable, Hashable {
        /// The entity and the name of the relationship, as in `Album.works`.
        public var relationship: String
        /// The number of the object that has the relationship.
        public var owner: Int64
        /// The numbers of the members.
        public var members: [Int64]
    }

    /// The number of the commit.
    public var commit = 0
    /// When it was made.
    public var date = Date(timeIntervalSinceReferenceDate: 0)
    /// The `transactionAuthor` of the context that saved.
    public var author: String?
    /// The objects that are gone.
    public var deleted: [ObjectID] = []
    /// The objects that are new.
    public var inserted: [Object] = []
    /// The objects that changed.
    public var updated: [Object] = []
    /// The pairs that were joined.
    public var linked: [Link] = []
    /// The pairs that were parted.
    public var unlinked: [Link] = []
    /// The members of ordered relationships that came to another position, one move after the other.
    public var moved: [Move] = []
    /// The members of ordered relationships whose positions changed too much to be told by moves.
    public var ordered: [Order] = []
    /// The line of the journal, with its line feed.
    public private(set) var line: Data

    /// Reads a line of a journal.
    init(line: [UInt8]) throws {
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
                case .delete: record.deleted = try json.readNumbers()
                case .insert: record.inserted = try json.readObjects()
                case .update: record.updated = try json.readObjects()
                case .unlink: record.unlinked = try json.readLinks()
                case .link: record.linked = try json.readLinks()
                case .move: record.moved = try json.readMoves()
                case .order: record.ordered = try json.readOrders()
                case .synced, .checksum: try json.skipValue()
                }
            }
        }
        self = record
    }
}
