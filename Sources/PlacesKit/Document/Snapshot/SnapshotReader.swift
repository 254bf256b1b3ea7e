import Foundation

/// Reads a graph from what `SnapshotWriter` wrote, or a person edited.
///
/// Objects go straight from the bytes into the columns. Links are tied when all objects are there.
struct SnapshotReader {
    let schema: Schema
    let transaction: Transaction
    let layout: GraphLayout
    /// The slots of each entity's attributes that must have a value.
    private let requiredSlots: [[Int]]
    /// What checks the values of attributes that may be none of their types, by entity and the
    /// property's place in it.
    private let checks: [[Int: ValueCheck]]
    /// Makes the blobs to which the file refers.
    private var blobs: BlobReader?
    /// The names that the properties of each entity have in the file.
    private var names: [[String: String]] = []
    /// Gets the schema that the file has.
    private var onEntities: ([EntityDescription]) -> Void = { _ in }
    /// Gets the bytes that were read since it was called before, now and then.
    private var onProgress: (Int) -> Void = { _ in }
    private var byteCount = 0
    private var toldOffset = 0
    var links: [Link] = []
    /// The numbers of each table's objects.
    var numbers: [RowNumbersBuilder]
    /// The numbers of the objects of hierarchies, by table.
    var hierarchies: [Int: RowNumbers] = [:]

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
    /// - Parameters:
    ///   - bytes: The file.
    ///   - schema: The schema of the graph.
    ///   - checks: What checks values that may be none of their types, by entity and property.
    ///   - blobs: Makes the blobs to which the file refers.
    ///   - onProgress: Gets the bytes that were read since it was called before, now and then.
    ///   - onEntities: Gets the schema that the file has.
    /// - Returns: The graph.
    /// - Throws: `JSONError` with the place of what is wrong, or `SnapshotError`.
    static func read(
        _ bytes: [UInt8], schema: Schema, checks: [[Int: ValueCheck]] = [],
        blobs: BlobReader? = nil,
        onProgress: @escaping (Int) -> Void = { _ in },
        onEntities: @escaping ([EntityDescription]) -> Void = { _ in }
    ) throws -> Graph {
        var reader = SnapshotReader(schema, checks)
        reader.blobs = blobs
        reader.onEntities = onEntities
        reader.onProgress = onProgress
        reader.byteCount = bytes.count
        return switch SnapshotFormat(of: bytes) {
        case .json: try JSONReader.read(bytes) { try reader.readGraph(from: &$0) }
        case .binaryPropertyList:
            try BinaryPropertyListReader.read(bytes) { try reader.readGraph(from: &$0) }
        case .xmlPropertyList:
            try XMLPropertyListReader.read(bytes) { try reader.readGraph(from: &$0) }
        }
    }

    private mutating func readGraph(
        from json: inout (some SnapshotInput & ~Copyable)
    ) throws -> Graph {
        try readSnapshot(from: &json)
        for table in numbers.indices { transaction.setNumbers(numbers[table].numbers, in: table) }
        try tieLinks(json)
        try checkCombinations(json)
        tellProgress(upTo: byteCount)
        return transaction.freeze()
    }

    private init(_ schema: Schema, _ checks: [[Int: ValueCheck]]) {
        self.schema = schema
        self.checks = checks.isEmpty ? schema.entities.map { _ in [:] } : checks
        let graph = Graph(layout: GraphLayout(schema: schema))
        transaction = Transaction(graph, rows: RowAllocator(tables: graph.tables.count))
        layout = graph.layout
        numbers = Array(repeating: RowNumbersBuilder(), count: graph.tables.count)
        requiredSlots = layout.entities.map { [layout] entity in
            entity.slots.filter {
                layout.tables[entity.table].properties[$0].attribute?.isRequired ?? false
            }
        }
    }

    private mutating func readSnapshot(from json: inout (some SnapshotInput & ~Copyable)) throws {
        var version: Int64?
        var isSchemaRead = false
        var areObjectsRead = false
        try json.beginOrderedObject()
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
                let entities = try SnapshotSchema.read(from: &json)
                onEntities(entities)
                let match = SnapshotMatch(entities, schema.entities)
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

    private mutating func readObjects(from json: inout (some SnapshotInput & ~Copyable)) throws {
        numberHierarchies(ahead: json)
        let entities = JSONKeyTable(schema.entities.map(\.name))
        try json.beginObject()
        while let key = try json.nextKey(in: entities) {
            guard case .known(let number) = key else {
                throw json.failure(
                    .invalidValue(expected: "the name of an entity that is listed above"))
            }
            let keys = JSONKeyTable(["id"] + schema.lineage(of: number).flatMap(keys))
            try json.beginArray()
            while try json.nextElement() {
                try readObject(of: number, keys, from: &json)
                if json.offset - toldOffset >= 1 << 16 { tellProgress(upTo: json.offset) }
            }
        }
    }

    private mutating func tellProgress(upTo offset: Int) {
        onProgress(offset - toldOffset)
        toldOffset = offset
    }

    /// The names in the file of the properties that an entity itself declares.
    ///
    /// No property has the empty name that stands for those that files have not.
    private func keys(of entity: Int) -> [String] {
        schema.entities[entity].properties.map { property in
            let isDerived = property.attribute?.derivation != nil
            return names[entity][property.name] ?? (isDerived ? property.name : "")
        }
    }

    /// The row of an object's number; `nil` where another object has the number.
    private mutating func newRow(of number: Int64, in table: Int) -> Int32? {
        guard let hierarchy = hierarchies[table] else { return numbers[table].append(number) }
        return hierarchy.row(of: number).flatMap {
            transaction.contains($0, in: table) ? nil : $0
        }
    }

    private mutating func readObject(
        of entity: Int, _ keys: JSONKeyTable, from json: inout (some SnapshotInput & ~Copyable)
    ) throws {
        let table = layout.entities[entity].table
        try json.beginObject()
        guard try json.nextKey(in: keys) == .known(0) else {
            throw json.failure(.invalidValue(expected: #"the key "id" first in an object"#))
        }
        let number = try json.readInt64()
        guard number >= 0 else {
            throw json.failure(
                .invalidValue(expected: "an object's number from 0 to \(Int64.max)"))
        }
        guard numbers[table].count < .max else {
            throw json.failure(
                .invalidValue(expected: "at most \(Int32.max) objects of an entity"))
        }
        guard let row = newRow(of: number, in: table) else {
            throw json.failure(
                .invalidValue(expected: "a number that no other object of the entity has"))
        }
        transaction.insert(row, into: table, kind: layout.entities[entity].kind)
        while let key = try json.nextKey(in: keys) {
            guard case .known(let index) = key, index > 0 else {
                throw json.failure(
                    .invalidValue(expected: "the name of a property that is listed above"))
            }
            let slot = layout.entities[entity].slots[index - 1]
            switch layout.tables[table].properties[slot] {
            case .attribute(let attribute) where attribute.derivation != nil:
                try json.skipValue()
            case .attribute(let attribute):
                guard !attribute.isTransient else {
                    throw json.failure(
                        .invalidValue(expected: "the name of a property that is listed above"))
                }
                if attribute.type == .data {
                    try BlobReader.read(
                        attribute, checks[entity][index - 1], row, slot, of: table,
                        into: transaction, by: blobs, from: &json)
                    continue
                }
                let value = try json.readValue(of: attribute, checks[entity][index - 1])
                transaction.write(value, row, slot, in: table)
            case .relationship(let relationship):
                try readLinks(relationship, row, slot, table, from: &json)
            }
        }
        try checkRequiredValues(of: row, entity, table, json)
        try checkUniqueness(of: row, table, json)
    }

    private func checkRequiredValues(
        of row: Int32, _ entity: Int, _ table: Int,
        _ json: borrowing (some SnapshotInput & ~Copyable)
    ) throws {
        for slot in requiredSlots[entity]
        where !transaction.block(row, slot, in: table).isValid(at: Int(row) & ChunkLayout.mask) {
            let name = layout.tables[table].properties[slot].name
            throw json.failure(.invalidValue(expected: "a value of \(name), which is required"))
        }
    }

    private func checkUniqueness(
        of row: Int32, _ table: Int, _ json: borrowing (some SnapshotInput & ~Copyable)
    ) throws {
        for (index, slot) in layout.tables[table].uniqueSlots.enumerated()
        where !transaction.graph.tables[table].uniqueIndexes[index].duplicates.isEmpty {
            let name = layout.tables[table].properties[slot].name
            let value = transaction.graph.datum(row, slot, in: table)
            throw json.failure(
                .invalidValue(
                    expected: """
                        a unique \(name), but another \(layout.tables[table].name) has \
                        \(value) too
                        """))
        }
    }

    /// Checks unique combinations, which links may be part of, when all links are tied.
    private func checkCombinations(_ json: borrowing (some SnapshotInput & ~Copyable)) throws {
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
        from json: inout (some SnapshotInput & ~Copyable)
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
