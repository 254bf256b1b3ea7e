import Foundation

/// Writes a graph: the schema, then all objects, in the order of their numbers; in JSON one a line.
///
/// The same graph always gives the same bytes. `Documentation` describes the format.
struct SnapshotWriter<Output: SnapshotOutput> {
    private let graph: Graph
    private let sink: (UnsafeRawBufferPointer) throws -> Void
    private var writer = Output()

    init(graph: Graph, sink: @escaping (UnsafeRawBufferPointer) throws -> Void) {
        self.graph = graph
        self.sink = sink
    }

    mutating func writeSnapshot() throws {
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
    }

    // MARK: - Objects

    private mutating func writeObjects(of entity: EntityLayout) throws {
        let table = entity.table
        let layout = graph.layout.tables[table]
        let keys = JSONKeyTable(["id"] + layout.properties.map(\.name))
        let columns = graph.tables[table].columns
        let numbers = graph.tables[table].numbers
        let steps = entity.slots.compactMap { Step($0, of: table, in: graph) }
        for chunk in 0..<graph.tables[table].chunkCount {
            let blocks = columns.map { $0.block(chunk) }
            let presence = blocks[layout.presence]
            let kinds = layout.kinds.map { blocks[$0].elements(of: Int32.self) }
            for offset in 0..<ChunkLayout.rows where presence.isValid(at: offset) {
                if let kinds, kinds[offset] != entity.kind { continue }
                let row = Int32(chunk << ChunkLayout.shift + offset)
                writer.beginNewLine()
                writer.beginObject()
                writer.writeKey(0, in: keys)
                writer.write(numbers.number(of: row))
                for step in steps {
                    guard let type = step.type else {
                        writeLinks(of: row, step, table, keys)
                        continue
                    }
                    let block = blocks[step.slot]
                    let isValid = block.isValid(at: offset)
                    // No value is written only where reading nothing would not give it.
                    guard isValid || step.hasDefault else { continue }
                    writer.writeKey(step.slot + 1, in: keys)
                    if isValid {
                        writer.writeValue(of: type, in: block, at: offset)
                    } else {
                        writer.writeNull()
                    }
                }
                writer.endObject()
                try writer.drain(atLeast: 1 << 20, into: sink)
            }
        }
    }

    /// How one property is written.
    private struct Step {
        let slot: Int
        /// The attribute's type; `nil` for a relationship.
        let type: AttributeType?
        let hasDefault: Bool
        let relationship: RelationshipLayout?
        /// The table that the relationship leads to, and the numbers of its objects.
        let destination: Int
        let numbers: RowNumbers

        /// `nil` for what is not in files.
        init?(_ slot: Int, of table: Int, in graph: Graph) {
            let layout = graph.layout.tables[table]
            relationship = layout.relationships[slot]
            guard relationship != nil || layout.properties[slot].isStored else { return nil }
            self.slot = slot
            let attribute = layout.properties[slot].attribute
            type = attribute?.type
            hasDefault = attribute.map { $0.defaultValue != .null } ?? false
            destination = relationship == nil ? table : graph.destination(of: slot, in: table)
            numbers = graph.tables[destination].numbers
        }
    }

    /// Writes a link once.
    ///
    /// A to-one relationship is written at its own object, a many-to-many one at the side that the
    /// schema lists first. The other side is written only where its order says more than the numbers
    /// do.
    private mutating func writeLinks(
        of row: Int32, _ step: Step, _ table: Int, _ keys: JSONKeyTable
    ) {
        let (slot, destination, numbers) = (step.slot, step.destination, step.numbers)
        switch step.relationship {
        case nil: break
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
