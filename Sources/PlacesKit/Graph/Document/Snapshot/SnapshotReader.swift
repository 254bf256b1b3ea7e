import Foundation
import PlacesBase

/// Reads a graph from what `SnapshotWriter` wrote, or a person edited.
///
/// Objects go straight from the bytes into the columns. Links are tied when all objects are there.
struct SnapshotReader {
    let schema: Schema
    let transaction: Transaction
    let layout: GraphLayout
    /// What checks the values of attributes that may be none of their types, by entity and the
    /// property's position in it.
    let checks: [[Int: ValueCheck]]
    /// Makes the blobs to which the file refers.
    var blobs: BlobReader?
    /// The names that the properties of each entity have in the file.
    var names: [[String: String]] = []
    /// The schema's entities in the order in which the file lists them.
    private(set) var fileOrder: [Int]
    /// Gets the schema that the file has.
    private var onEntities: ([EntityDescription]) -> Void = { _ in }
    /// Gets the bytes that were read since it was called before, now and then.
    var onProgress: (Int) -> Void = { _ in }
    /// Gets the links that cannot be, which are left out then; without it they are errors.
    var onLostLink: ((JSONError) -> Void)?
    /// Whether each object is entered into the indexes as soon as it is read, which takes longer, so
    /// that the location of one with another's value is known.
    var settlesEach = false
    /// Where the object of each row stands, if each is entered as soon as it is read.
    var offsets: [TableNumber: [Row: Int]] = [:]
    /// Whether objects are read on all cores where they can be told apart, so that the location of what is
    /// wrong may not be known.
    var isConcurrent = false
    /// What is in memory of a file that is not read as a whole.
    var window: SnapshotWindow?
    var byteCount = 0
    var toldOffset = 0
    /// Where it is paused next between two objects.
    var pauseOffset = 0
    var pauseDistance = 1 << 16
    var links: [SnapshotLink] = []
    /// The numbers of each table's objects.
    var numbers: [RowNumbersBuilder]
    /// The numbers of the objects of hierarchies, by table.
    var hierarchies: [TableNumber: RowNumbers] = [:]

    /// Two objects have the same value of a unique attribute, or the same unique combination.
    struct DuplicateValue: Error {}

    /// Reads the graph of a schema.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - schema: The schema of the graph.
    ///   - checks: What checks values that may be none of their types, by entity and property.
    ///   - blobs: Makes the blobs to which the file refers.
    ///   - onProgress: Gets the bytes that were read since it was called before, now and then.
    ///   - onEntities: Gets the schema that the file has.
    ///   - usesAllCores: Whether the objects of a binary property list may be read on all cores.
    /// - Returns: The graph.
    /// - Throws: `JSONError` with the location of what is wrong, or `SnapshotError`.
    static func read(
        _ bytes: [UInt8], schema: Schema, checks: [[Int: ValueCheck]] = [],
        blobs: BlobReader? = nil,
        onProgress: @escaping (Int) -> Void = { _ in },
        onEntities: @escaping ([EntityDescription]) -> Void = { _ in },
        usesAllCores: Bool = true
    ) throws -> Graph {
        var reader = SnapshotReader(schema, checks)
        reader.blobs = blobs
        reader.onEntities = onEntities
        reader.onProgress = onProgress
        reader.byteCount = bytes.count
        reader.isConcurrent =
            usesAllCores && SnapshotFormat(of: bytes) == .binaryPropertyList
        do {
            return try reader.readGraph(of: bytes)
        } catch is JSONError where reader.isConcurrent {
            // Again, to find the location.
            return try read(
                bytes, schema: schema, checks: checks, blobs: blobs, onEntities: onEntities,
                usesAllCores: false)
        } catch is DuplicateValue {
            // Again, to find the location.
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
    ///   list, need to be looked through beforehand, have an object that is too long, several in a line, or a
    ///   fault, whose location is told then.
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
        reader.isConcurrent = true
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
        return try makeGraph(json)
    }

    /// Makes the graph of the objects that were read.
    mutating func makeGraph(_ json: borrowing (some SnapshotInput & ~Copyable)) throws -> Graph {
        for table in numbers.tableNumbers {
            transaction.setNumbers(numbers[table].numbers, in: table)
        }
        try settlesEach ? tieLinks(json) : settle(json)
        try checkCombinations(json)
        tellProgress(upTo: byteCount)
        return transaction.freeze()
    }

    init(_ schema: Schema, _ checks: [[Int: ValueCheck]] = []) {
        self.schema = schema
        self.checks = checks.isEmpty ? schema.entities.map { _ in [:] } : checks
        fileOrder = Array(schema.entities.indices)
        let graph = Graph(layout: GraphLayout(schema: schema))
        transaction = Transaction(graph, rows: RowAllocator(tables: graph.tables.count))
        layout = graph.layout
        numbers = Array(repeating: RowNumbersBuilder(), count: graph.tables.count)
    }

    private mutating func readSnapshot(from json: inout (some SnapshotInput & ~Copyable)) throws {
        let top = try SnapshotTop(from: &json)
        onEntities(top.entities)
        names = try SnapshotMatch(top.entities, top.modelVersion, for: schema).names
        fileOrder = top.entities.compactMap { schema.number(named: $0.name) }
        var areObjectsRead = false
        while let key = try json.nextKey(in: SnapshotKeys.header) {
            switch key {
            case .nextNumbers where !areObjectsRead: try readNextNumbers(from: &json)
            case .objects where !areObjectsRead:
                try readObjects(from: &json)
                areObjectsRead = true
            default: throw json.unorderedKeys
            }
        }
        guard areObjectsRead else { throw json.missingObjects }
    }

    /// Reads from which number on new objects of each hierarchy have theirs.
    mutating func readNextNumbers(
        from json: inout (some SnapshotInput & ~Copyable)
    ) throws {
        let entities = JSONKeyTable(schema.entities.map(\.name))
        try json.beginObject()
        while let entity = try json.nextKey(in: entities, expecting: Self.entityName) {
            numbers[layout.entities[entity].table].reserve(below: try json.readObjectNumber())
        }
    }

    /// What a key that names an entity is.
    static let entityName = "the name of an entity that is listed above"
}
