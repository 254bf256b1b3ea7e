import Foundation
import PlacesBase

/// Writes one commit as a line of a journal.
///
/// Values are written as snapshots have them. What follows from something else is left out: derived
/// attributes, the other ends of relationships, the links of deleted objects, and the positions of
/// members that come last.
///
/// - Complexity: O(k) for k changed objects and links.
struct JournalEncoder {
    let changes: ChangeSet
    private let names: JournalNames
    private let blobs: (any BlobNotation)?
    private var writer = JSONWriter()
    /// The rows of each table in the order in which they are written.
    private(set) var order: [[Row]]

    /// The line of a commit.
    ///
    /// - Parameters:
    ///   - commit: Its number, when it was made, by whom, and what it changed.
    ///   - names: The names of the properties.
    ///   - synced: The latest commit that is known to be on disk before the line is written.
    ///   - origin: Who made the commit, where several processes do.
    ///   - blobs: Says what stands for blobs; without it their bytes do.
    /// - Returns: The bytes, with the line feed at the end.
    static func line(
        _ commit: CommittedChanges, names: JournalNames, synced: Int, origin: CommitOrigin? = nil,
        blobs: (any BlobNotation)? = nil
    ) -> [UInt8] {
        var encoder = JournalEncoder(commit.changes, names, blobs)
        encoder.encode(commit.committed.commit, synced: synced, origin)
        return JournalLine.seal(encoder.writer.bytes)
    }

    private init(_ changes: ChangeSet, _ names: JournalNames, _ blobs: (any BlobNotation)?) {
        (self.changes, self.names, self.blobs) = (changes, names, blobs)
        order = changes.tables.map { _ in [] }
    }

    private mutating func encode(_ commit: Commit, synced: Int, _ origin: CommitOrigin?) {
        writer.beginObject()
        writer.write(commit)
        if let origin { writer.write(origin, blobs?.values ?? []) }
        writer.write(Int64(synced), for: JournalKeys.Record.synced)
        writeDeleted()
        writeSection(.insert, \.inserted) { $0.writeInserted($1, $2) }
        writeSection(.update, { ContiguousArray($0.updated.map(\.row)) }) {
            $0.writeUpdated($1, $2)
        }
        let joined = writeLinks()
        writePositions(joined)
        writer.endObject()
    }

    // MARK: - Objects

    private mutating func writeDeleted() {
        let (before, layout) = (changes.before, changes.before.layout)
        var isBegun = false
        for table in changes.tables.tableNumbers where !changes.tables[table].deleted.isEmpty {
            for (kind, entity) in layout.tables[table].entities.enumerated() {
                let rows = changes.tables[table].deleted.filter {
                    before.kind($0, in: table) == Int32(kind)
                }
                guard !rows.isEmpty else { continue }
                if !isBegun { beginSection(.delete) }
                isBegun = true
                writer.writeKey(layout.entities[entity].name)
                writer.beginArray()
                let kept = layout.entities[entity].slots.enumerated().filter {
                    layout.tables[table].properties[$1].attribute?.preservesValueOnDeletion == true
                }
                if kept.isEmpty {
                    for row in rows { writer.write(before.number(of: row, in: table)) }
                } else {
                    let keys = names.objects[entity]
                    for row in rows { writeTombstone(row, kept, keys, in: before, table) }
                }
                writer.endArray()
            }
        }
        if isBegun { writer.endObject() }
    }

    /// Writes the number of a deleted object, and the values that are to be kept.
    private mutating func writeTombstone(
        _ row: Row, _ kept: [(offset: Int, element: Slot)], _ keys: JSONKeyTable,
        in before: Graph, _ table: TableNumber
    ) {
        writer.beginObject()
        writer.writeKey(0, in: keys)
        writer.write(before.number(of: row, in: table))
        for (index, slot) in kept {
            let block = before.tables[table].columns[slot].block(row.chunk)
            guard let attribute = before.layout.tables[table].properties[slot].attribute,
                block.isValid(at: row.offset)
            else { continue }
            writer.writeKey(index + 1, in: keys)
            writer.writeValue(of: attribute.type, in: block, at: row.offset, blobs)
        }
        writer.endObject()
    }

    private mutating func beginSection(_ key: JournalKeys.Record) {
        writer.writeKey(key)
        writer.beginObject()
    }

    /// Writes objects by their entities; `write` tells whether it wrote one.
    private mutating func writeSection(
        _ key: JournalKeys.Record, _ rows: (TableChanges) -> ContiguousArray<Row>,
        _ write: (inout JournalEncoder, Row, EntityLayout) -> Bool
    ) {
        let layout = changes.after.layout
        var isBegun = false
        for table in changes.tables.tableNumbers {
            let rows = rows(changes.tables[table])
            guard !rows.isEmpty else { continue }
            for (kind, entity) in layout.tables[table].entities.enumerated() {
                let entity = layout.entities[entity]
                // Whether there is anything to write shows only when it is written.
                let outer = writer
                writer = JSONWriter()
                writer.beginArray()
                var isEmpty = true
                for row in rows where changes.after.kind(row, in: table) == Int32(kind) {
                    guard write(&self, row, entity) else { continue }
                    isEmpty = false
                    order[table].append(row)
                }
                writer.endArray()
                let objects = writer
                writer = outer
                guard !isEmpty else { continue }
                if !isBegun { beginSection(key) }
                isBegun = true
                writer.writeKey(entity.name)
                writer.append(objects)
            }
        }
        if isBegun { writer.endObject() }
    }

    private mutating func begin(_ row: Row, _ table: TableNumber, _ keys: JSONKeyTable) {
        writer.beginObject()
        writer.writeKey(0, in: keys)
        writer.write(changes.after.number(of: row, in: table))
    }

    private mutating func writeInserted(_ row: Row, _ entity: EntityLayout) -> Bool {
        let (table, layout) = (entity.table, changes.after.layout.tables[entity.table])
        let keys = names.objects[changes.after.layout.number(of: entity)]
        begin(row, table, keys)
        for (index, slot) in entity.slots.enumerated() where layout.properties[slot].isStored {
            if layout.relationships[slot] != nil {
                writeReference(row, slot, table, index, keys, isNew: true)
            } else if let attribute = layout.properties[slot].attribute {
                writeValue(attribute, row, slot, table, index, keys, isNew: true)
            }
        }
        writer.endObject()
        return true
    }

    private mutating func writeUpdated(_ row: Row, _ entity: EntityLayout) -> Bool {
        let (table, layout) = (entity.table, changes.after.layout.tables[entity.table])
        guard let update = updates[table][row] else { return false }
        let keys = names.objects[changes.after.layout.number(of: entity)]
        let slots = entity.slots.enumerated().filter { _, slot in
            layout.properties[slot].isStored && layout.isWritten(slot, of: table)
                && changes.hasChanged(update, slot, in: table)
        }
        guard !slots.isEmpty else { return false }
        begin(row, table, keys)
        for (index, slot) in slots {
            if layout.relationships[slot] != nil {
                writeReference(row, slot, table, index, keys, isNew: false)
            } else if let attribute = layout.properties[slot].attribute {
                writeValue(attribute, row, slot, table, index, keys, isNew: false)
            }
        }
        writer.endObject()
        return true
    }

    private lazy var updates: [[Row: RowUpdate]] = changes.tables.map { table in
        Dictionary(table.updated.map { ($0.row, $0) }) { first, _ in first }
    }

    /// Writes an attribute; in a new object, `nil` only where leaving it out would not give it.
    private mutating func writeValue(
        _ attribute: AttributeDescription, _ row: Row, _ slot: Slot, _ table: TableNumber,
        _ index: Int, _ keys: JSONKeyTable, isNew: Bool
    ) {
        let block = changes.after.tables[table].columns[slot].block(row.chunk)
        let offset = row.offset
        if block.isValid(at: offset) {
            writer.writeKey(index + 1, in: keys)
            writer.writeValue(of: attribute.type, in: block, at: offset, blobs)
        } else if !isNew || attribute.defaultValue != .null {
            writer.writeKey(index + 1, in: keys)
            writer.writeNull()
        }
    }

    private mutating func writeReference(
        _ row: Row, _ slot: Slot, _ table: TableNumber, _ index: Int, _ keys: JSONKeyTable,
        isNew: Bool
    ) {
        guard changes.after.layout.tables[table].isWritten(slot, of: table) else { return }
        let target = changes.after.reference(row, slot, in: table)
        if !target.isNone {
            let destination = changes.after.layout.destination(of: slot, in: table)
            writer.writeKey(index + 1, in: keys)
            writer.write(changes.after.number(of: target, in: destination))
        } else if !isNew {
            writer.writeKey(index + 1, in: keys)
            writer.writeNull()
        }
    }

    // MARK: - Links

    /// Writes who was joined and parted in many-to-many relationships; returns the joined pairs of
    /// each table of edges in their order.
    private mutating func writeLinks() -> [TableNumber: [EdgeEnds]] {
        let (before, after) = (changes.before, changes.after)
        var joined: [TableNumber: [EdgeEnds]] = [:]
        var parted: [TableNumber: [EdgeEnds]] = [:]
        for table in after.layout.edgeTables {
            guard let (first, second) = after.layout.edgeLists(of: table) else { continue }
            let (removed, added) = after.edges(differingFrom: before, in: table)
            if !added.isEmpty {
                joined[table] = after.sequenced(added, first, second).map { edge in
                    EdgeEnds(
                        first: after.reference(edge, first.owner, in: table),
                        second: after.reference(edge, second.owner, in: table))
                }
            }
            let living = removed.filter {
                after.contains($0.first, in: first.owners)
                    && after.contains($0.second, in: second.owners)
            }
            if !living.isEmpty { parted[table] = living }
        }
        writePairs(.unlink, parted)
        writePairs(.link, joined)
        return joined
    }

    private mutating func writePairs(
        _ section: JournalKeys.Record, _ pairs: [TableNumber: [EdgeEnds]]
    ) {
        guard !pairs.isEmpty else { return }
        let after = changes.after
        beginSection(section)
        for (table, pairs) in pairs.sorted(by: { $0.key < $1.key }) {
            guard let (first, second) = after.layout.edgeLists(of: table),
                let key = first.ownerSlot.flatMap({ names.number(of: $0, in: first.owners) })
            else { continue }
            writer.writeKey(key, in: names.lists)
            writer.beginArray()
            for pair in pairs {
                writer.beginArray()
                writer.write(after.number(of: pair.first, in: first.owners))
                writer.write(after.number(of: pair.second, in: second.owners))
                writer.endArray()
            }
            writer.endArray()
        }
        writer.endObject()
    }

    // MARK: - Positions

    /// Writes the positions of members that do not follow from the order in which they came.
    private mutating func writePositions(_ joined: [TableNumber: [EdgeEnds]]) {
        let lists = ListPositions.all(changes, order: order, joined: joined)
        let after = changes.after
        writeLists(.move, lists.filter { !$0.moves.isEmpty }) { writer, list, destination in
            for move in list.moves {
                writer.beginArray()
                writer.write(after.number(of: list.owner, in: list.table))
                writer.write(after.number(of: move.member, in: destination))
                if !move.previous.isNone {
                    writer.write(after.number(of: move.previous, in: destination))
                } else {
                    writer.writeNull()
                }
                writer.endArray()
            }
        }
        writeLists(.order, lists.filter { !$0.order.isEmpty }) { writer, list, destination in
            writer.beginArray()
            writer.write(after.number(of: list.owner, in: list.table))
            writer.beginArray()
            for member in list.order {
                writer.write(after.number(of: member, in: destination))
            }
            writer.endArray()
            writer.endArray()
        }
    }

    private mutating func writeLists(
        _ section: JournalKeys.Record, _ lists: [ListPositions],
        _ write: (inout JSONWriter, ListPositions, _ destination: TableNumber) -> Void
    ) {
        guard !lists.isEmpty else { return }
        let after = changes.after
        beginSection(section)
        var current: Int?
        for list in lists {
            guard let key = names.number(of: list.slot, in: list.table) else { continue }
            if current != key {
                if current != nil { writer.endArray() }
                current = key
                writer.writeKey(key, in: names.lists)
                writer.beginArray()
            }
            let destination = after.layout.destination(of: list.slot, in: list.table)
            write(&writer, list, destination)
        }
        if current != nil { writer.endArray() }
        writer.endObject()
    }
}

extension TableLayout {
    /// Whether links are written at this end: a to-one relationship is, a one-to-one relationship at
    /// the end that the schema lists first, and the members of others by themselves.
    fileprivate func isWritten(_ slot: Slot, of table: TableNumber) -> Bool {
        switch relationships[slot] {
        case nil, .toOne?: true
        case .oneToOne(let other)?: (table, slot) < (other.table, other.column)
        case .toMany?, .manyToMany?: false
        }
    }
}

extension GraphLayout {
    /// The number of an entity.
    fileprivate func number(of entity: EntityLayout) -> Int {
        tables[entity.table].entities[Int(entity.kind)]
    }
}
