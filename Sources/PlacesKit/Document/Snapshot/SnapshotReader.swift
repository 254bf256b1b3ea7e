import Foundation

/// Reads a graph from JSON that `SnapshotWriter` wrote, or a person edited.
///
/// Objects go straight from the bytes into the columns. Links are tied when all objects are there.
struct SnapshotReader {
    let schema: Schema
    let transaction: Transaction
    /// The slots of each entity's attributes that must have a value.
    private let requiredSlots: [[Int]]
    /// The slots of each entity's unique attributes.
    private let uniqueSlots: [[Int]]
    /// What checks the values of attributes that may be none of their types, by entity and slot.
    private let checks: [[Int: ValueCheck]]
    /// The names that the properties of each entity have in the file.
    private var names: [[String: String]] = []
    var links: [Link] = []

    /// A link whose other end may not have been read yet.
    struct Link {
        var table: Int
        var row: Int32
        var slot: Int
        var target: Int64
        /// Where the number stands.
        var offset: Int
    }

    /// Reads the graph of a schema.
    ///
    /// - Throws: `JSONError` with the place of what is wrong, or `SnapshotError`.
    static func read(
        _ bytes: [UInt8], schema: Schema, checks: [[Int: ValueCheck]] = []
    ) throws -> Graph {
        var reader = SnapshotReader(schema, checks)
        return try JSONReader.read(bytes) { json in
            try reader.readSnapshot(from: &json)
            try reader.tieLinks(json)
            try reader.checkCombinations(json)
            return reader.transaction.freeze()
        }
    }

    private init(_ schema: Schema, _ checks: [[Int: ValueCheck]]) {
        self.schema = schema
        self.checks = checks.isEmpty ? schema.entities.map { _ in [:] } : checks
        let graph = Graph(layout: GraphLayout(schema: schema))
        transaction = Transaction(graph, rows: RowAllocator(tables: graph.tables.count))
        uniqueSlots = graph.layout.tables.map(\.uniqueSlots)
        requiredSlots = schema.entities.map { entity in
            entity.properties.indices.filter {
                entity.properties[$0].attribute?.isRequired ?? false
            }
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
                guard found > 0 else {
                    throw json.failure(.invalidValue(expected: "the number of a format from 1 on"))
                }
                guard found <= SnapshotKeys.version else {
                    throw SnapshotError.newerFormat(
                        found: Int(found), supported: Int(SnapshotKeys.version))
                }
                version = found
            case .known(1) where version != nil:
                let match = SnapshotMatch(
                    try SnapshotSchema.read(from: &json), schema.entities)
                guard match.differences.isEmpty else {
                    throw SnapshotError.differentModel(match.differences)
                }
                names = match.names
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

    // MARK: - Objects

    private mutating func readObjects(from json: inout JSONReader) throws {
        let entities = JSONKeyTable(schema.entities.map(\.name))
        try json.beginObject()
        while let key = try json.nextKey(in: entities) {
            guard case .known(let table) = key else {
                throw json.failure(
                    .invalidValue(expected: "the name of an entity that is listed above"))
            }
            // No property has the empty name that stands for those that files have not.
            let keys = JSONKeyTable(
                ["id"]
                    + schema.entities[table].properties.map { property in
                        let isDerived = property.attribute?.derivation != nil
                        return names[table][property.name] ?? (isDerived ? property.name : "")
                    })
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
            case .attribute(let attribute) where attribute.derivation != nil:
                try json.skipValue()
            case .attribute(let attribute):
                guard !attribute.isTransient else {
                    throw json.failure(
                        .invalidValue(expected: "the name of a property that is listed above"))
                }
                let value = try json.readValue(of: attribute, checks[table][index - 1])
                transaction.write(value, row, index - 1, in: table)
            case .relationship(let relationship):
                try readLinks(relationship, row, index - 1, table, from: &json)
            }
        }
        try checkRequiredValues(row, table, json)
        try checkUniqueness(of: row, table, json)
    }

    private func checkRequiredValues(
        _ row: Int32, _ table: Int, _ json: borrowing JSONReader
    ) throws {
        for slot in requiredSlots[table]
        where !transaction.block(row, slot, in: table).isValid(at: Int(row) & ChunkLayout.mask) {
            let name = schema.entities[table].properties[slot].name
            throw json.failure(.invalidValue(expected: "a value of \(name), which is required"))
        }
    }

    private func checkUniqueness(
        of row: Int32, _ table: Int, _ json: borrowing JSONReader
    ) throws {
        for (index, slot) in uniqueSlots[table].enumerated()
        where !transaction.graph.tables[table].uniqueIndexes[index].duplicates.isEmpty {
            let name = schema.entities[table].properties[slot].name
            let value = transaction.graph.datum(row, slot, in: table)
            throw json.failure(
                .invalidValue(
                    expected: """
                        a unique \(name), but another \(schema.entities[table].name) has \
                        \(value) too
                        """))
        }
    }

    /// Checks unique combinations, which links may be part of, when all links are tied.
    private func checkCombinations(_ json: borrowing JSONReader) throws {
        for (table, layout) in transaction.graph.layout.tables.enumerated() {
            for (number, combination) in layout.combinations.enumerated() {
                let index = layout.uniqueSlots.count + number
                let duplicates = transaction.graph.tables[table].uniqueIndexes[index].duplicates
                guard let row = duplicates.min() else { continue }
                let names = combination.columns.map { layout.properties[$0.column].name }
                throw json.failure(
                    .invalidValue(
                        expected: """
                            a unique combination of \(names.joined(separator: ", ")), but \
                            \(layout.name) \(row) shares it with another
                            """))
            }
        }
    }

    private mutating func readLinks(
        _ relationship: RelationshipDescription, _ row: Int32, _ slot: Int, _ table: Int,
        from json: inout JSONReader
    ) throws {
        func link(_ target: Int64) -> Link {
            Link(
                table: table, row: row, slot: slot, target: target, offset: json.offset)
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
}
