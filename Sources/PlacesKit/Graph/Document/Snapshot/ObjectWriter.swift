import PlacesBase

/// Writes the objects of one entity, chunk by chunk.
///
/// It only reads what is shared but for blobs, so several may write at a time where there are none.
struct ObjectWriter<Output: SnapshotOutput> {
    private let graph: Graph
    private let entity: EntityLayout
    private let blobs: BlobWriter?
    /// The numbers of the objects of each table.
    private let numbers: [ObjectNumbers]
    private let keys: JSONKeyTable
    private let steps: [Step]

    init(_ entity: EntityLayout, _ graph: Graph, _ blobs: BlobWriter?) {
        self.graph = graph
        self.entity = entity
        self.blobs = blobs
        numbers = graph.tables.tableNumbers.map { ObjectNumbers($0, in: graph) }
        keys = JSONKeyTable(
            [SnapshotKeys.identifier]
                + graph.layout.tables[entity.table].properties.map {
                    SnapshotKeys.key(of: $0.name)
                })
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
            writeObject(Row(chunk: chunk, offset: offset), in: blocks, to: &writer)
            if try isDone(&writer) { return (count, offset + 1) }
        }
        return (count, nil)
    }

    private func writeObject(
        _ row: Row, in blocks: [UnsafeMutableRawPointer], to writer: inout Output
    ) {
        let offset = row.offset
        writer.beginNewLine()
        writer.beginObject()
        writer.writeKey(0, in: keys)
        writer.write(numbers[entity.table].number(of: row))
        for step in steps {
            switch step {
            case .reference(let slot, let table):
                let target = blocks[slot].elements(of: Row.self)[offset]
                guard !target.isNone else { continue }
                writer.writeKey(slot.index + 1, in: keys)
                writer.write(numbers[table].number(of: target))
            case .members(let slot, let isAlwaysWritten, let table):
                let members = Array(graph.related(row, slot, in: entity.table))
                guard
                    isAlwaysWritten ? !members.isEmpty : !isOrderOfFile(members, in: table)
                else { continue }
                writer.writeKey(slot.index + 1, in: keys)
                writer.beginArray()
                for member in members { writer.write(numbers[table].number(of: member)) }
                writer.endArray()
            case .attribute(let slot, let type, let hasDefault):
                let block = blocks[slot]
                let isValid = block.isValid(at: offset)
                // No value is written only where reading nothing would not give it.
                guard isValid || hasDefault else { continue }
                writer.writeKey(slot.index + 1, in: keys)
                if isValid {
                    writer.writeValue(of: type, in: block, at: offset, blobs)
                } else {
                    writer.writeNull()
                }
            }
        }
        writer.endObject()
    }

    /// How one property is written.
    ///
    /// A link is written once: a to-one relationship at its own object, a one-to-one or many-to-many one at
    /// the side that the schema lists first. Members at the other side are written only where their order
    /// says more than the numbers do.
    private enum Step {
        case attribute(Slot, AttributeType, hasDefault: Bool)
        case reference(Slot, to: TableNumber)
        case members(Slot, isAlwaysWritten: Bool, of: TableNumber)

        /// `nil` for what is not in files.
        init?(_ slot: Slot, of table: TableNumber, in graph: Graph) {
            let layout = graph.layout.tables[table]
            guard layout.properties[slot].isStored else { return nil }
            if let attribute = layout.properties[slot].attribute {
                self = .attribute(
                    slot, attribute.type, hasDefault: attribute.defaultValue != .null)
                return
            }
            guard let relationship = layout.relationships[slot] else { return nil }
            let destination = graph.destination(of: slot, in: table)
            switch relationship {
            case .toOne:
                self = .reference(slot, to: destination)
            case .oneToOne(let other):
                guard (table, slot) < (other.table, other.column) else { return nil }
                self = .reference(slot, to: destination)
            case .toMany:
                self = .members(slot, isAlwaysWritten: false, of: destination)
            case .manyToMany(let own, _):
                self = .members(slot, isAlwaysWritten: own.isFirst, of: destination)
            }
        }
    }

    /// Whether rows follow each other as their objects do in the file: entity by entity, as the schema lists
    /// them, which need not list a superentity before its heirs.
    private func isOrderOfFile(_ rows: [Row], in table: TableNumber) -> Bool {
        let entities = graph.layout.tables[table].entities
        return zip(rows, rows.dropFirst()).allSatisfy {
            (entities[Int(graph.kind($0, in: table))], $0)
                < (entities[Int(graph.kind($1, in: table))], $1)
        }
    }
}
