/// Writes the objects of one entity, chunk by chunk.
///
/// It only reads what is shared but for blobs, so several may write at a time where there are none.
struct ObjectWriter<Output: SnapshotOutput> {
    private let graph: Graph
    private let entity: EntityLayout
    private let blobs: BlobWriter?
    private let numbers: RowNumbers
    private let keys: JSONKeyTable
    private let steps: [Step]

    init(_ entity: EntityLayout, _ graph: Graph, _ blobs: BlobWriter?) {
        self.graph = graph
        self.entity = entity
        self.blobs = blobs
        numbers = graph.tables[entity.table].numbers
        keys = JSONKeyTable(["id"] + graph.layout.tables[entity.table].properties.map(\.name))
        steps = entity.slots.compactMap { Step($0, of: entity.table, in: graph) }
    }

    /// Writes the objects of a chunk from a row of it on, until `isDone` says so after one.
    ///
    /// - Returns: How many were written, and from where on there may be more.
    func write(
        _ chunk: Int, from start: Int = 0, to writer: inout Output,
        until isDone: (inout Output) throws -> Bool
    ) rethrows -> (count: Int, next: Int?) {
        let layout = graph.layout.tables[entity.table]
        let blocks = graph.tables[entity.table].columns.map { $0.block(chunk) }
        let presence = blocks[layout.presence]
        let kinds = layout.kinds.map { blocks[$0].elements(of: Int32.self) }
        var count = 0
        for offset in start..<ChunkLayout.rows where presence.isValid(at: offset) {
            if let kinds, kinds[offset] != entity.kind { continue }
            count += 1
            writeObject(chunk << ChunkLayout.shift + offset, in: blocks, to: &writer)
            if try isDone(&writer) { return (count, offset + 1) }
        }
        return (count, nil)
    }

    private func writeObject(
        _ row: Int, in blocks: [UnsafeMutableRawPointer], to writer: inout Output
    ) {
        let offset = row & ChunkLayout.mask
        let row = Int32(row)
        writer.beginNewLine()
        writer.beginObject()
        writer.writeKey(0, in: keys)
        writer.write(numbers.number(of: row))
        for step in steps {
            guard let type = step.type else {
                writeLinks(of: row, step, to: &writer)
                continue
            }
            let block = blocks[step.slot]
            let isValid = block.isValid(at: offset)
            // No value is written only where reading nothing would not give it.
            guard isValid || step.hasDefault else { continue }
            writer.writeKey(step.slot + 1, in: keys)
            if isValid {
                writer.writeValue(of: type, in: block, at: offset, blobs)
            } else {
                writer.writeNull()
            }
        }
        writer.endObject()
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
    private func writeLinks(of row: Int32, _ step: Step, to writer: inout Output) {
        let (slot, table) = (step.slot, entity.table)
        switch step.relationship {
        case nil: break
        case .toOne:
            writeReference(graph.reference(row, slot, in: table), step, to: &writer)
        case .oneToOne(let other):
            guard (table, slot) < (other.table, other.column) else { return }
            writeReference(graph.reference(row, slot, in: table), step, to: &writer)
        case .toMany:
            let members = Array(graph.related(row, slot, in: table))
            if !isOrderOfFile(members, in: step.destination) {
                writeMembers(members, step, to: &writer)
            }
        case .manyToMany(let own, _):
            let members = Array(graph.related(row, slot, in: table))
            if own.isFirst ? !members.isEmpty : !isOrderOfFile(members, in: step.destination) {
                writeMembers(members, step, to: &writer)
            }
        }
    }

    /// Whether rows follow each other as their objects do in the file: entity by entity.
    private func isOrderOfFile(_ rows: [Int32], in table: Int) -> Bool {
        zip(rows, rows.dropFirst()).allSatisfy {
            (graph.kind($0, in: table), $0) < (graph.kind($1, in: table), $1)
        }
    }

    private func writeReference(_ target: Int32, _ step: Step, to writer: inout Output) {
        guard target >= 0 else { return }
        writer.writeKey(step.slot + 1, in: keys)
        writer.write(step.numbers.number(of: target))
    }

    private func writeMembers(_ members: [Int32], _ step: Step, to writer: inout Output) {
        writer.writeKey(step.slot + 1, in: keys)
        writer.beginArray()
        for member in members { writer.write(step.numbers.number(of: member)) }
        writer.endArray()
    }
}

extension ListLayout {
    /// Whether this is the side of a many-to-many relationship at which its links are written.
    var isFirst: Bool { owner == 0 }
}
