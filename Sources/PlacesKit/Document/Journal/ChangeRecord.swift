public import Foundation

/// What one commit of a document changed, as its journal has it: names, numbers and values, without the
/// classes.
///
/// It encodes to what stands in the journal, so any `Encoder` writes the feed for another program.
public struct ChangeRecord: Sendable, Hashable {
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
    /// The line of the journal, with its line feed.
    public let line: Data

    /// Reads a line of a journal.
    init(line: [UInt8]) throws {
        self.line = Data(line)
        var (commit, date, author) = (0, date, String?.none)
        var (deleted, inserted, updated): ([ObjectID], [Object], [Object]) = ([], [], [])
        var (linked, unlinked): ([Link], [Link]) = ([], [])
        try JSONReader.read(line) { json in
            try json.beginObject()
            while let key = try json.nextKey(in: JournalKeys.record) {
                switch key {
                case .known(0): commit = Int(clamping: try json.readInt64())
                case .known(1):
                    date = Date(timeIntervalSinceReferenceDate: try json.readDate())
                case .known(2): author = try json.readString()
                case .known(4): deleted = try json.readNumbers()
                case .known(5): inserted = try json.readObjects()
                case .known(6): updated = try json.readObjects()
                case .known(7): unlinked = try json.readLinks()
                case .known(8): linked = try json.readLinks()
                case .known, .unknown: try json.skipValue()
                }
            }
        }
        (self.commit, self.date, self.author) = (commit, date, author)
        (self.deleted, self.inserted, self.updated) = (deleted, inserted, updated)
        (self.linked, self.unlinked) = (linked, unlinked)
    }
}

extension ChangeRecord: Codable {
    /// Reads what `encode(to:)` wrote.
    public init(from decoder: any Decoder) throws {
        let value = try JSONValue(from: decoder)
        var writer = JSONWriter()
        writer.write(value)
        writer.endLine()
        do {
            try self.init(line: writer.buffer)
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "\(error)"))
        }
    }

    /// Writes the record as the journal has it.
    public func encode(to encoder: any Encoder) throws {
        let value = try JSONReader.read(Array(line)) { try $0.readJSONValue() }
        try value.encode(to: encoder)
    }
}

extension JSONReader {
    fileprivate mutating func readNumbers() throws -> [ObjectID] {
        var ids: [ObjectID] = []
        try beginObject()
        while let entity = try nextKey() {
            try beginArray()
            while try nextElement() {
                ids.append(ObjectID(entity: entity, number: try readInt64()))
            }
        }
        return ids
    }

    fileprivate mutating func readObjects() throws -> [ChangeRecord.Object] {
        var objects: [ChangeRecord.Object] = []
        try beginObject()
        while let entity = try nextKey() {
            try beginArray()
            while try nextElement() {
                var (number, values): (Int64, [String: JSONValue]) = (0, [:])
                try beginObject()
                while let key = try nextKey() {
                    if key == "id" {
                        number = try readInt64()
                    } else {
                        values[key] = try readJSONValue()
                    }
                }
                objects.append(
                    ChangeRecord.Object(
                        id: ObjectID(entity: entity, number: number), values: values))
            }
        }
        return objects
    }

    fileprivate mutating func readLinks() throws -> [ChangeRecord.Link] {
        var links: [ChangeRecord.Link] = []
        try beginObject()
        while let relationship = try nextKey() {
            try beginArray()
            while try nextElement() {
                var numbers: [Int64] = []
                try beginArray()
                while try nextElement() { numbers.append(try readInt64()) }
                guard numbers.count == 2 else {
                    throw failure(.invalidValue(expected: "two numbers"))
                }
                links.append(
                    ChangeRecord.Link(
                        relationship: relationship, owner: numbers[0], member: numbers[1]))
            }
        }
        return links
    }
}
