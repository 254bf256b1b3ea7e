/// An object without its class: its identifier, and its properties by name.
///
/// ```swift
/// for record in try reader.records(RecordQuery("Photo LIMIT 10")) {
///     print(record.id, record["title"] ?? "")
/// }
/// ```
/// A record is a value that any thread may read; later changes do not affect it.
public struct ObjectRecord: Sendable, Identifiable {
    let graph: Graph
    let row: Row
    let table: TableNumber

    /// The identifier of the object; it names the object's own entity, not a superentity.
    public var id: ObjectID { graph.objectID(row, in: table) }

    /// The names of the properties: those of the object's entity, then those of its superentities.
    public var propertyNames: [String] {
        entity.slots.map { graph.layout.tables[table].properties[$0].name }
    }

    /// The value of a property; `nil` if the object has no property of that name.
    public subscript(name: String) -> PropertyValue? {
        entity.slots.first { graph.layout.tables[table].properties[$0].name == name }
            .map { graph.propertyValue(row, $0, in: table) }
    }

    private var entity: EntityLayout {
        let layout = graph.layout.tables[table]
        let kind = Int(graph.kind(row, in: table))
        // The row exists, so its kind is one of the table's.
        return graph.layout.entities[layout.entities[max(0, kind)]]
    }
}

/// Records in the order of the query that found them.
///
/// The collection reads a record from the graph when you ask for it.
public struct ObjectRecords: Sendable, RandomAccessCollection {
    let graph: Graph
    let table: TableNumber
    let rows: ContiguousArray<Row>

    /// The position of the first record.
    public var startIndex: Int { 0 }
    /// The position after the last record.
    public var endIndex: Int { rows.count }

    /// The record at a position.
    public subscript(position: Int) -> ObjectRecord {
        ObjectRecord(graph: graph, row: rows[position], table: table)
    }
}
