import Foundation

/// Writes a graph: the schema, then all objects, in the order of their numbers; in JSON one a line.
///
/// The same graph always gives the same bytes. `Documentation` describes the format.
struct SnapshotWriter<Output: SnapshotOutput> {
    private let graph: Graph
    private let blobs: BlobWriter?
    private let progress: Progress?
    private let sink: (UnsafeRawBufferPointer) throws -> Void
    private let usesAllCores: Bool
    private var writer = Output()

    init(
        graph: Graph, blobs: BlobWriter?, progress: Progress?, usesAllCores: Bool = true,
        sink: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) {
        self.usesAllCores = usesAllCores
        self.graph = graph
        self.progress = progress
        self.blobs = blobs
        self.sink = sink
    }

    mutating func writeSnapshot() throws {
        progress?.begin(graph.objectCount)
        writer.beginObject()
        writer.write(SnapshotKeys.version, for: SnapshotKeys.Header.version)
        if graph.schema.version != 1 {
            writer.beginNewLine()
            writer.write(Int64(graph.schema.version), for: SnapshotKeys.Header.modelVersion)
        }
        writer.beginNewLine()
        writer.writeKey(SnapshotKeys.Header.entities)
        writer.beginArray()
        for entity in graph.schema.entities.written {
            writer.beginNewLine()
            entity.write(to: &writer)
        }
        writer.beginNewLine()
        writer.endArray()
        writeNextNumbers()
        writer.beginNewLine()
        writer.writeKey(SnapshotKeys.Header.objects)
        writer.beginObject()
        for entity in graph.layout.entities {
            writer.beginNewLine()
            writer.writeKey(entity.name)
            writer.beginArray()
            try writeObjects(of: entity)
            writer.beginNewLine()
            writer.endArray()
        }
        writer.beginNewLine()
        writer.endObject()
        writer.endObject()
        try writer.finish(into: sink)
        if let progress { progress.completedUnitCount = progress.totalUnitCount }
    }

    /// Writes from which number on new objects have theirs, where the objects do not tell: an object that
    /// is gone had a higher one than any that is there.
    private mutating func writeNextNumbers() {
        let numbers = graph.layout.entityTables.compactMap { table in
            graph.unknownNextNumber(in: table).map { (graph.layout.tables[table].name, $0) }
        }
        guard !numbers.isEmpty else { return }
        writer.beginNewLine()
        writer.writeKey(SnapshotKeys.Header.nextNumbers)
        writer.beginObject()
        for (name, number) in numbers {
            writer.writeKey(name)
            writer.write(number)
        }
        writer.endObject()
    }

    // MARK: - Objects

    private mutating func writeObjects(of entity: EntityLayout) throws {
        let table = graph.layout.tables[entity.table]
        if usesAllCores, Output.writesApart, !table.columns.contains(where: { $0.kind == .blob }) {
            return try writeUnits(of: entity)
        }
        let objects = ObjectWriter<Output>(entity, graph, blobs)
        for chunk in 0..<graph.tables[entity.table].chunkCount {
            try writeRest(of: chunk, by: objects)
        }
    }

    /// Writes the objects of a chunk from a row of it on, straight into the file.
    private mutating func writeRest(
        of chunk: Int, from start: Int = 0, by objects: ObjectWriter<Output>
    ) throws {
        let sink = sink
        let (count, _) = try objects.write(chunk, from: start, to: &writer) {
            try $0.drain(atLeast: Self.pieceSize, into: sink)
            return false
        }
        progress?.completedUnitCount += Int64(count)
    }

    // MARK: - Units

    /// How many bytes are handed on at a time.
    private static var pieceSize: Int { 1 << 20 }
    /// How many chunks are in memory as text.
    private static var unitLimit: Int { 16 }

    /// The text of a chunk's first objects, or of all.
    private struct Unit {
        let chunk: Int
        let text: Output
        let count: Int
        /// From where on objects follow, if the text became long.
        let next: Int?
    }

    /// Writes the objects of each chunk apart, on all cores, and hands on one text after the other.
    private mutating func writeUnits(of entity: EntityLayout) throws {
        let graph = graph
        try concurrentPipeline(graph.tables[entity.table].chunkCount, limit: Self.unitLimit) {
            Self.unit($0, of: entity, in: graph)
        } inOrder: {
            try hand(on: $0, of: entity)
        }
    }

    private static func unit(_ chunk: Int, of entity: EntityLayout, in graph: Graph) -> Unit {
        var text = Output()
        // A table of keys for each, so that no cores share its count of references.
        let (count, next) = ObjectWriter<Output>(entity, graph, nil)
            .write(chunk, to: &text) { $0.isLong(pieceSize) }
        return Unit(chunk: chunk, text: text, count: count, next: next)
    }

    private mutating func hand(on unit: Unit, of entity: EntityLayout) throws {
        try writer.drain(elements: unit.text, into: sink)
        progress?.completedUnitCount += Int64(unit.count)
        if let next = unit.next {
            try writeRest(
                of: unit.chunk, from: next, by: ObjectWriter<Output>(entity, graph, nil))
        }
    }
}
