import Foundation

/// Writes a graph: the schema, then all objects, in the order of their numbers; in JSON one a line.
///
/// The same graph always gives the same bytes. `Documentation` describes the format.
struct SnapshotWriter<Output: SnapshotOutput> {
    private let graph: Graph
    private let blobs: BlobWriter?
    private let progress: Progress?
    private let sink: (UnsafeRawBufferPointer) throws -> Void
    private var writer = Output()

    init(
        graph: Graph, blobs: BlobWriter?, progress: Progress?,
        sink: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) {
        self.graph = graph
        self.progress = progress
        self.blobs = blobs
        self.sink = sink
    }

    mutating func writeSnapshot() throws {
        progress?.totalUnitCount = Int64(graph.objectCount)
        progress?.completedUnitCount = 0
        writer.beginObject()
        writer.writeKey("placeskit")
        writer.write(SnapshotKeys.version)
        writer.beginNewLine()
        writer.writeKey("entities")
        writer.beginArray()
        for entity in graph.schema.entities {
            writer.beginNewLine()
            writer.write(entity)
        }
        writer.beginNewLine()
        writer.endArray()
        writer.beginNewLine()
        writer.writeKey("objects")
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

    // MARK: - Objects

    private mutating func writeObjects(of entity: EntityLayout) throws {
        let table = entity.table
        let layout = graph.layout.tables[table]
        let keys = JSONKeyTable(["id"] + layout.properties.map(\.name))
        let columns = graph.tables[table].columns
        for chunk in 0..<graph.tables[table].chunkCount {
            var written: Int64 = 0
            defer { progress?.completedUnitCount += written }
            let blocks = columns.map { $0.block(chunk) }
            let presence = blocks[layout.presence]
            for offset in 0..<ChunkLayout.rows where presence.isValid(at: offset) {
                let row = Int32(chunk << ChunkLayout.shift + offset)
                guard graph.kind(row, in: table) == entity.kind else { continue }
                written += 1
                writer.beginNewLine()
                writer.beginObject()
                writer.writeKey(0, in: keys)
                writer.write(graph.tables[table].numbers.number(of: row))
                for slot in entity.slots {
                    if let relationship = layout.relationships[slot] {
                        writeLinks(relationship, row, slot, table, keys)
                    } else if let attribute = layout.properties[slot].attribute,
                        layout.properties[slot].isStored
                    {
                        writeValue(attribute, blocks[slot], offset, slot, keys)
                    }
                }
                writer.endObject()
                try writer.drain(atLeast: 1 << 20, into: sink)
            }
        }
    }

    /// Writes an attribute; `nil` only where reading nothing would not give it.
    private mutating func writeValue(
        _ attribute: AttributeDescription, _ block: UnsafeMutableRawPointer, _ offset: Int,
        _ slot: Int, _ keys: JSONKeyTable
    ) {
        guard block.isValid(at: offset) else {
            if attribute.defaultValue != .null {
                writer.writeKey(slot + 1, in: keys)
                writer.writeNull()
            }
            return
        }
        writer.writeKey(slot + 1, in: keys)
        writer.writeValue(of: attribute.type, in: block, at: offset, blobs)
    }

    /// Writes a link once.
    ///
    /// A to-one relationship is written at its own object, a many-to-many one at the side that the
    /// schema lists first. The other side is written only where its order says more than the numbers
    /// do.
    private mutating func writeLinks(
        _ relationship: RelationshipLayout, _ row: Int32, _ slot: Int, _ table: Int,
        _ keys: JSONKeyTable
    ) {
        let destination = graph.destination(of: slot, in: table)
        let numbers = graph.tables[destination].numbers
        switch relationship {
        case .toOne:
            writeReference(graph.reference(row, slot, in: table), numbers, slot, keys)
        case .oneToOne(let other):
            guard (table, slot) < (other.table, other.column) else { return }
            writeReference(graph.reference(row, slot, in: table), numbers, slot, keys)
        case .toMany:
            let members = Array(graph.related(row, slot, in: table))
            if !isOrderOfFile(members, in: destination) {
                writeMembers(members, numbers, slot, keys)
            }
        case .manyToMany(let own, _):
            let members = Array(graph.related(row, slot, in: table))
            if own.isFirst ? !members.isEmpty : !isOrderOfFile(members, in: destination) {
                writeMembers(members, numbers, slot, keys)
            }
        }
    }

    /// Whether rows follow each other as their objects do in the file: entity by entity.
    private func isOrderOfFile(_ rows: [Int32], in table: Int) -> Bool {
        zip(rows, rows.dropFirst()).allSatisfy {
            (graph.kind($0, in: table), $0) < (graph.kind($1, in: table), $1)
        }
    }

    private mutating func writeReference(
        _ target: Int32, _ numbers: RowNumbers, _ slot: Int, _ keys: JSONKeyTable
    ) {
        guard target >= 0 else { return }
        writer.writeKey(slot + 1, in: keys)
        writer.write(numbers.number(of: target))
    }

    private mutating func writeMembers(
        _ members: [Int32], _ numbers: RowNumbers, _ slot: Int, _ keys: JSONKeyTable
    ) {
        writer.writeKey(slot + 1, in: keys)
        writer.beginArray()
        for member in members { writer.write(numbers.number(of: member)) }
        writer.endArray()
    }
}

extension ListLayout {
    /// Whether this is the side of a many-to-many relationship at which its links are written.
    var isFirst: Bool { owner == 0 }
}
