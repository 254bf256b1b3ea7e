import Foundation

/// Reads a graph from what `SnapshotWriter` wrote, or a person edited.
///
/// Objects go straight from the bytes into the columns. Links are tied when all objects are there.
struct SnapshotReader {
    let schema: Schema
    let transaction: Transaction
    let layout: GraphLayout
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
    /// Gets the links to objects that are not there, which are left out then; without it they are errors.
    var onLostLink: ((JSONError) -> Void)?
    /// Whether each object is entered into the indexes as soon as it is read, which takes longer, so
    /// that the place of one with another's value is known.
    private var settlesEach = false
    /// What is in memory of a file that is not read as a whole.
    private var window: SnapshotWindow?
    private var byteCount = 0
    private var toldOffset = 0
    /// Where it is paused next between two objects.
    private var pauseOffset = 0
    private var pauseDistance = 1 << 16
    var links: [Link] = []
    /// The numbers of each table's objects.
    var numbers: [RowNumbersBuilder]
    /// The numbers of the objects of hierarchies, by table.
    var hierarchies: [Int: RowNumbers] = [:]

    /// Two objects have the same value of a unique attribute.
    private struct DuplicateValue: Error {}

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
    ///   - onLostLink: Gets the links to objects that are not there, which are left out then; without it
    ///     they are errors.
    /// - Returns: The graph.
    /// - Throws: `JSONError` with the place of what is wrong, or `SnapshotError`.
    static func read(
        _ bytes: [UInt8], schema: Schema, checks: [[Int: ValueCheck]] = [],
        blobs: BlobReader? = nil,
        onProgress: @escaping (Int) -> Void = { _ in },
        onEntities: @escaping ([EntityDescription]) -> Void = { _ in },
        onLostLink: ((JSONError) -> Void)? = nil
    ) throws -> Graph {
        var reader = SnapshotReader(schema, checks)
        reader.blobs = blobs
        reader.onLostLink = onLostLink
        reader.onEntities = onEntities
        reader.onProgress = onProgress
        reader.byteCount = bytes.count
        do {
            return try reader.readGraph(of: bytes)
        } catch is DuplicateValue {
            // Again, to find the place.
            reader = SnapshotReader(schema, checks)
            reader.blobs = blobs
            reader.settlesEach = true
            return try reader.readGraph(of: bytes)
        }
    }

    /// Reads the graph of a schema from a file of which a part is in memory at a time.
    ///
    /// - Parameters:
    ///   - window: The beginning of the file.
    ///   - schema: The schema of the graph.
    ///   - checks: What checks values that may be none of their types, by entity and property.
    ///   - blobs: Makes the blobs to which the file refers.
    ///   - onProgress: Gets the bytes that were read since it was called before, now and then.
    ///   - onEntities: Gets the schema that the file has.
    /// - Returns: The graph; `nil` where the file has to be read as a whole: it may be a binary property
    ///   list, need to be looked through beforehand, have an object that is too long, or a fault, whose
    ///   place is told then.
    /// - Throws: `FileSystemError`, or `SnapshotError`.
    static func read(
        _ window: SnapshotWindow, schema: Schema, checks: [[Int: ValueCheck]] = [],
        blobs: BlobReader? = nil,
        onProgress: @escaping (Int) -> Void = { _ in },
        onEntities: @escaping ([EntityDescription]) -> Void = { _ in }
    ) throws -> Graph? {
        var reader = SnapshotReader(schema, checks)
        guard !reader.hasHierarchies else { return nil }
        reader.blobs = blobs
        reader.onEntities = onEntities
        reader.onProgress = onProgress
        reader.window = window
        reader.byteCount = window.lines.count
        reader.pauseDistance = min(reader.pauseDistance, window.lines.count / 16)
        do {
            let graph: Graph
            switch SnapshotFormat(of: window.lines) {
            case .json:
                var json = JSONReader(window.lines)
                graph = try reader.readGraph(from: &json)
                try json.expectEnd()
            case .xmlPropertyList:
                var list = try XMLPropertyListReader(inOrder: window.lines)
                graph = try reader.readGraph(from: &list)
                try list.expectEnd()
            case .binaryPropertyList: return nil
            }
            return window.isLast ? graph : nil
        } catch is JSONError {
            return nil
        } catch is DuplicateValue {
            return nil
        }
    }

    private mutating func readGraph(of bytes: [UInt8]) throws -> Graph {
        switch SnapshotFormat(of: bytes) {
        case .json: try JSONReader.read(bytes) { try readGraph(from: &$0) }
        case .binaryPropertyList:
            try BinaryPropertyListReader.read(bytes) { try readGraph(from: &$0) }
        case .xmlPropertyList:
            try XMLPropertyListReader.read(bytes) { try readGraph(from: &$0) }
        }
    }

    private mutating func readGraph(
        from json: inout (some SnapshotInput & ~Copyable)
    ) throws -> Graph {
        try readSnapshot(from: &json)
        for table in numbers.indices {
            transaction.setNumbers(numbers[table].numbers, in: table)
            guard !settlesEach else { continue }
            transaction.settleRows(of: table)
            guard duplicate(in: table) == nil else { throw DuplicateValue() }
        }
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
    }

    private mutating func readSnapshot(from json: inout (some SnapshotInput & ~Copyable)) throws {
        var version: Int64?
        var modelVersion = 1
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
            case .known(1) where version != nil && !isSchemaRead:
                modelVersion = try json.readModelVersion()
            case .known(2) where version != nil:
                let entities = try SnapshotSchema.read(from: &json)
                onEntities(entities)
                names = try SnapshotMatch(entities, modelVersion, for: schema).names
                isSchemaRead = true
            case .known(3) where isSchemaRead && !areObjectsRead:
                try readObjects(from: &json)
                areObjectsRead = true
            case .unknown: try json.skipValue()
            case .known:
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
            let plan = EntityPlan(number, layout, names, checks[number])
            try json.beginArray()
            while try json.nextElement() {
                try readObject(plan, from: &json)
                if json.offset >= pauseOffset { try pause(&json) }
            }
        }
    }

    /// Tells how far it is, and goes on in the file where little of it is left in memory.
    private mutating func pause(_ json: inout (some SnapshotInput & ~Copyable)) throws {
        tellProgress(upTo: json.offset)
        if let window, window.isShort(at: json.offset) {
            try window.slide(to: json.offset)
            json.goOn(in: window.lines)
            (toldOffset, byteCount) = (0, window.lines.count)
        }
        pauseOffset = json.offset + pauseDistance
    }

    private mutating func tellProgress(upTo offset: Int) {
        onProgress(offset - toldOffset)
        toldOffset = offset
    }

    /// The row of an object's number; `nil` where another object has the number.
    private mutating func newRow(of number: Int64, in table: Int) -> Int32? {
        guard !hierarchies.isEmpty, let hierarchy = hierarchies[table] else {
            return numbers[table].append(number)
        }
        return hierarchy.row(of: number).flatMap {
            transaction.contains($0, in: table) ? nil : $0
        }
    }

    private mutating func readObject(
        _ plan: borrowing EntityPlan, from json: inout (some SnapshotInput & ~Copyable)
    ) throws {
        let table = plan.table
        try json.beginObject()
        guard try json.nextKey(in: plan.keys) == .known(0) else {
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
        transaction.load(row, into: table, kind: plan.kind)
        // The default may have come after the file, in which what is left out has no value.
        for slot in plan.nullableSlots { transaction.load(.null, row, slot, in: table) }
        while let key = try json.nextKey(in: plan.keys) {
            guard case .known(let index) = key, index > 0 else {
                throw json.failure(
                    .invalidValue(expected: "the name of a property that is listed above"))
            }
            let step = plan.steps[index - 1]
            switch step.kind {
            case .link, .links: try readLinks(step, row, table, from: &json)
            case .derived: try json.skipValue()
            case .unknown:
                throw json.failure(
                    .invalidValue(expected: "the name of a property that is listed above"))
            default: try readValue(step, plan, row, from: &json)
            }
        }
        for slot in plan.requiredSlots
        where !transaction.block(row, slot, in: table).isValid(at: Int(row) & ChunkLayout.mask) {
            let name = layout.tables[table].properties[slot].name
            throw json.failure(.invalidValue(expected: "a value of \(name), which is required"))
        }
        guard settlesEach else { return }
        transaction.settle(row, in: table)
        try checkUniqueness(of: row, table, json)
    }

    @inline(__always)
    private func readValue(
        _ step: EntityPlan.Step, _ plan: borrowing EntityPlan, _ row: Int32,
        from json: inout (some SnapshotInput & ~Copyable)
    ) throws {
        let (slot, table) = (step.slot, plan.table)
        guard step.kind != .other else {
            let (attribute, check) = (plan.attributes[step.position], plan.checks[step.position])
            guard attribute.type == .data else {
                let value = try json.readValue(of: attribute, check)
                return transaction.load(value, row, slot, in: table)
            }
            switch try BlobReader.read(attribute, check, by: blobs, from: &json) {
            case .blob(let blob): transaction.load(blob, row, slot, in: table)
            case .value(let value):
                if value == attribute.defaultValue, let blob = plan.defaults[step.position] {
                    transaction.load(blob, row, slot, in: table)
                } else {
                    transaction.load(value, row, slot, in: table)
                }
            }
            return
        }
        if try json.readNullIfPresent() {
            guard step.isOptional else {
                throw json.failure(
                    .invalidValue(expected: "a value, for the attribute is required"))
            }
            return transaction.load(.null, row, slot, in: table)
        }
        switch step.kind {
        case .boolean: transaction.load(try json.readBool(), row, slot, in: table)
        case .integer: transaction.load(try json.readInt64(), row, slot, in: table)
        case .double: transaction.load(try json.readDouble(), row, slot, in: table)
        case .date: transaction.load(try json.readDate(), row, slot, in: table)
        case .string: transaction.load(try json.readString(), row, slot, in: table)
        case .link, .links, .derived, .unknown, .other: break
        }
    }

    @inline(__always)
    private mutating func readLinks(
        _ step: EntityPlan.Step, _ row: Int32, _ table: Int,
        from json: inout (some SnapshotInput & ~Copyable)
    ) throws {
        func link(_ target: Int64) -> Link {
            Link(
                table: table, row: row, slot: step.slot, target: target, offset: json.offset)
        }
        guard step.kind == .links else {
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
