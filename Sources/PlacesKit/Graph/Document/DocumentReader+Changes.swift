import Foundation

extension DocumentReader {
    /// Compares this document with another one, or with another commit of it.
    ///
    /// ```swift
    /// let before = try await DocumentReader.open(at: url, commit: 3)
    /// let changes = try await DocumentReader.open(at: url).changes(since: before)
    /// ```
    /// Objects are matched by entity and number, so compare only documents with a common origin.
    /// Entities and properties that only one of both has are left out; compare ``schema`` for
    /// these.
    ///
    /// - Parameter other: The document to compare with, usually an earlier state.
    /// - Returns: The objects that only one of both has, and the properties that differ.
    /// - Complexity: O(n) for n objects.
    public func changes(since other: DocumentReader) -> SnapshotChanges {
        let (before, after) = (other.committed.graph, committed.graph)
        var changes = SnapshotChanges()
        for entity in schema.entities {
            guard let old = before.layout.entity(named: entity.name),
                let new = after.layout.entity(named: entity.name)
            else { continue }
            EntityComparison(old: old, new: new, before: before, after: after).note(in: &changes)
        }
        return changes
    }
}

/// Compares the objects of one entity in two graphs that need not have a layout in common.
private struct EntityComparison {
    let old: EntityLayout
    let new: EntityLayout
    let before: Graph
    let after: Graph
    /// The slots of the properties that both have.
    private let slots: [(name: String, old: Slot, new: Slot)]

    init(old: EntityLayout, new: EntityLayout, before: Graph, after: Graph) {
        (self.old, self.new, self.before, self.after) = (old, new, before, after)
        let names = Dictionary(
            old.slots.map { (before.layout.tables[old.table].properties[$0].name, $0) },
            uniquingKeysWith: { first, _ in first })
        slots = new.slots.compactMap { slot in
            let name = after.layout.tables[new.table].properties[slot].name
            return names[name].map { (name, $0, slot) }
        }
    }

    func note(in changes: inout SnapshotChanges) {
        for row in objects(of: new, in: after) {
            let id = after.objectID(row, in: new.table)
            guard let former = before.livingRow(of: id, in: old.table) else {
                changes.inserted.append(id)
                continue
            }
            let properties = slots.compactMap { change(former, row, $0) }
            if !properties.isEmpty {
                changes.updated.append(ObjectChange(object: id, properties: properties))
            }
        }
        for row in objects(of: old, in: before) {
            let id = before.objectID(row, in: old.table)
            if after.livingRow(of: id, in: new.table) == nil { changes.deleted.append(id) }
        }
    }

    /// The rows that are objects of the entity itself.
    private func objects(of entity: EntityLayout, in graph: Graph) -> [Row] {
        graph.rows(in: entity.table).rows.filter {
            graph.kind($0, in: entity.table) == entity.kind
        }
    }

    private func change(
        _ former: Row, _ row: Row, _ slot: (name: String, old: Slot, new: Slot)
    ) -> PropertyChange? {
        let values: PropertyChange.Values
        switch (
            before.propertyValue(former, slot.old, in: old.table),
            after.propertyValue(row, slot.new, in: new.table)
        ) {
        case (.attribute(let old), .attribute(let new)):
            guard !old.isIdentical(to: new) else { return nil }
            values = .attribute(old: old, new: new)
        case (.object(let old), .object(let new)):
            guard old != new else { return nil }
            values = .toOne(old: old, new: new)
        case (.objects(let old), .objects(let new)):
            guard old != new else { return nil }
            let (left, joined) = (Set(old).subtracting(new), Set(new).subtracting(old))
            values = .toMany(
                inserted: new.filter(joined.contains), removed: old.filter(left.contains))
        default: return nil
        }
        return PropertyChange(name: slot.name, values: values)
    }
}

extension Graph {
    /// The row of an object that there is.
    fileprivate func livingRow(of id: ObjectID, in table: TableNumber) -> Row? {
        row(of: id, in: table).flatMap { contains($0, in: table) ? $0 : nil }
    }
}

extension Datum {
    /// Whether both are the same to the last bit and the last scalar, but that one NaN is like another.
    fileprivate func isIdentical(to other: Datum) -> Bool {
        switch (self, other) {
        case (.double(let left), .double(let right)):
            left.bitPattern == right.bitPattern || left.isNaN && right.isNaN
        case (.date(let left), .date(let right)):
            Datum.double(left.timeIntervalSinceReferenceDate)
                .isIdentical(to: .double(right.timeIntervalSinceReferenceDate))
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        default: self == other
        }
    }
}
