import Foundation

/// Reads a graph from JSON that `SnapshotWriter` wrote, or a person edited.
///
/// Objects go straight from the bytes into the columns. Links are tied when all objects are there.
struct SnapshotReader {
    private let schema: Schema
    private let transaction: Transaction
    private var links: [Link] = []

    /// A link whose other end may not have been read yet.
    private struct Link {
        var table: Int
        var row: Int32
        var slot: Int
        /// Where in the members the link belongs, or `nil` for a to-one relationship.
        var isMember: Bool
        var target: Int64
        /// Where the number stands.
        var offset: Int
    }

    /// Reads the graph of a schema.
    ///
    /// - Throws: `JSONError` with the place of what is wrong, or `SnapshotError`.
    static func read(_ bytes: [UInt8], schema: Schema) throws -> Graph {
        let graph = Graph(layout: GraphLayout(schema: schema))
        var reader = SnapshotReader(
            schema: schema,
            transaction: Transaction(graph, rows: RowAllocator(tables: graph.tables.count)))
        return try JSONReader.read(bytes) { json in
            try reader.readSnapshot(from: &json)
            try reader.tieLinks(json)
            try reader.checkUniqueness(json)
            return reader.transaction.freeze()
        }
    }

    private mutating func readSnapshot(from json: inout JSONReader) throws {
        var version: Int64?
        var isSchemaRead = false
        var areObjectsRead = false
        try json.beginObject()
        while let key = try json.nextKey(in: SnapshotKeys.header) {
            switch key {
            case .known(0):
                let found = try json.readInt64()
                guard found <= SnapshotKeys.version else {
                    throw SnapshotError.newerFormat(
                        found: Int(found), supported: Int(SnapshotKeys.version))
                }
                version = found
            case .known(1) where version != nil:
                try check(try SnapshotSchema.read(from: &json))
                isSchemaRead = true
            case .known(2) where isSchemaRead && !areObjectsRead:
                try readObjects(from: &json)
                areObjectsRead = true
            default:
                throw json.failure(
                    .invalidValue(
                        expected: #"the keys "placeskit", "entities" and "objects", in this order"#)
                )
            }
        }
        guard areObjectsRead else {
            throw json.failure(.invalidValue(expected: #"a snapshot with the key "objects""#))
        }
    }

    private func check(_ found: [EntityDescription]) throws {
        let differences = SnapshotSchema.differences(from: found, to: schema)
        if !differences.isEmpty { throw SnapshotError.differentModel(differences) }
    }

    // MARK: - Objects

    private mutating func readObjects(from json: inout JSONReader) throws {
        let names = JSONKeyTable(schema.entities.map(\.name))
        try json.beginObject()
        while let key = try json.nextKey(in: names) {
            guard case .known(let table) = key else {
                throw json.failure(
                    .invalidValue(expected: "the name of an entity that is listed above"))
            }
            let keys = JSONKeyTable(["id"] + schema.entities[table].properties.map(\.name))
            try json.beginArray()
            while try json.nextElement() { try readObject(of: table, keys, from: &json) }
        }
    }

    private mutating func readObject(
        of table: Int, _ keys: JSONKeyTable, from json: inout JSONReader
    ) throws {
        try json.beginObject()
        guard try json.nextKey(in: keys) == .known(0) else {
            throw json.failure(.invalidValue(expected: #"the key "id" first in an object"#))
        }
        let number = try json.readInt64()
        guard number >= 0, let row = Int32(exactly: number), row < .max else {
            throw json.failure(
                .invalidValue(expected: "an object's number from 0 to \(Int32.max - 1)"))
        }
        guard !transaction.contains(row, in: table) else {
            throw json.failure(
                .invalidValue(expected: "a number that no other object of the entity has"))
        }
        transaction.insert(row, into: table)
        while let key = try json.nextKey(in: keys) {
            guard case .known(let index) = key, index > 0 else {
                throw json.failure(
                    .invalidValue(expected: "the name of a property that is listed above"))
            }
            switch schema.entities[table].properties[index - 1] {
            case .attribute(let attribute):
                let value = try json.readValue(of: attribute)
                transaction.write(value, row, index - 1, in: table)
            case .relationship(let relationship):
                try readLinks(relationship, row, index - 1, table, from: &json)
            }
        }
    }

    private mutating func readLinks(
        _ relationship: RelationshipDescription, _ row: Int32, _ slot: Int, _ table: Int,
        from json: inout JSONReader
    ) throws {
        func link(_ target: Int64) -> Link {
            Link(
                table: table, row: row, slot: slot, isMember: relationship.isToMany,
                target: target, offset: json.offset)
        }
        guard relationship.isToMany else {
            let target = try json.readInt64()
            links.append(link(target))
            return
        }
        try json.beginArray()
        while try json.nextElement() {
            let target = try json.readInt64()
            links.append(link(target))
        }
    }

    // MARK: - Links

    private func tieLinks(_ json: borrowing JSONReader) throws {
        /// The members that are listed only for their order, by their owner's relationship.
        var orders: [(first: Link, members: [Int32])] = []
        let layout = transaction.graph.layout
        for link in links {
            let destination = transaction.graph.destination(of: link.slot, in: link.table)
            guard let target = Int32(exactly: link.target),
                transaction.contains(target, in: destination)
            else {
                let entity = schema.entities[destination].name
                throw json.failure(
                    .invalidValue(expected: "the number of an existing \(entity)"),
                    at: link.offset)
            }
            switch layout.tables[link.table].relationships[link.slot] {
            case .toOne, .oneToOne:
                transaction.setToOne(link.row, link.slot, in: link.table, to: target)
            case .manyToMany(let own, _) where own.isFirst:
                guard transaction.addMember(target, to: link.row, link.slot, in: link.table) else {
                    throw json.failure(
                        .invalidValue(expected: "each member once"), at: link.offset)
                }
            case .toMany, .manyToMany, nil:
                if let last = orders.indices.last,
                    orders[last].first.table == link.table, orders[last].first.row == link.row,
                    orders[last].first.slot == link.slot
                {
                    orders[last].members.append(target)
                } else {
                    orders.append((link, [target]))
                }
            }
        }
        for (link, members) in orders
        where !transaction.reorder(link.row, link.slot, in: link.table, to: members) {
            let name = schema.entities[link.table].properties[link.slot].name
            throw json.failure(
                .invalidValue(
                    expected: """
                        in \(name) of \(schema.entities[link.table].name) \(link.row) just the \
                        objects that name it as their own
                        """),
                at: link.offset)
        }
    }

    private func checkUniqueness(_ json: borrowing JSONReader) throws {
        let graph = transaction.graph
        for table in schema.entities.indices {
            for (index, slot) in graph.layout.tables[table].uniqueSlots.enumerated() {
                guard let row = graph.tables[table].uniqueIndexes[index].duplicates.min() else {
                    continue
                }
                let name = schema.entities[table].properties[slot].name
                throw json.failure(
                    .invalidValue(
                        expected: """
                            a unique \(name), but \(graph.datum(row, slot, in: table)) is that \
                            of \(schema.entities[table].name) \(row) and of another object
                            """))
            }
        }
    }
}

/// Why a snapshot, though it is JSON, is not one of this model.
enum SnapshotError: Error {
    case newerFormat(found: Int, supported: Int)
    case differentModel([String])
}

extension JSONReader {
    /// Reads the value of an attribute, which must be one that the attribute may have.
    fileprivate mutating func readValue(of attribute: AttributeDescription) throws -> Datum {
        if try readNullIfPresent() {
            guard attribute.isOptional else {
                throw failure(.invalidValue(expected: "a value, for the attribute is required"))
            }
            return .null
        }
        let value: Datum =
            switch attribute.type {
            case .boolean: .boolean(try readBool())
            case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32:
                .integer(try readInteger(of: attribute.type))
            case .float, .double: .double(try readDouble())
            case .date: .date(Date(timeIntervalSinceReferenceDate: try readDate()))
            case .string, .url: .string(try readString())
            case .uuid:
                .uuid(
                    try readString(as: "a UUID") { bytes in
                        UUID(uuidString: String(decoding: bytes, as: UTF8.self))
                    })
            case .data:
                .data(
                    try readString(as: "Base64") { bytes in
                        Data(base64Encoded: String(decoding: bytes, as: UTF8.self))
                    })
            }
        if let allowed = attribute.allowedValues, !allowed.contains(value) {
            let list = allowed.map(\.description).joined(separator: ", ")
            throw failure(.invalidValue(expected: "one of \(list)"))
        }
        return value
    }

    private mutating func readInteger(of type: AttributeType) throws -> Int64 {
        let value = try readInt64()
        guard type.integerRange?.contains(value) ?? true else {
            throw failure(.numberOutOfRange(type: type.rawValue))
        }
        return value
    }

    private mutating func readDate() throws -> Double {
        guard try peekKind() == .string else { return try readDouble() }
        return try readString(as: "an instant such as 2026-11-21T09:41:00Z") { bytes in
            SnapshotDate.seconds(of: bytes)
        }
    }
}
