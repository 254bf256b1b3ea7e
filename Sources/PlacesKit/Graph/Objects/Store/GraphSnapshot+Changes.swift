extension GraphSnapshot {
    /// Compares this snapshot with another one of the store.
    ///
    /// ```swift
    /// for change in try store.snapshot().changes(since: store.snapshot(at: 3)).updated {
    ///     print(change.object, change.properties.map(\.name))
    /// }
    /// ```
    ///
    /// - Parameter other: A snapshot of the same store, usually an earlier one.
    /// - Returns: The objects that only one of both has, and the properties that differ.
    /// - Throws: `HistoryError.differentStores`.
    /// - Complexity: O(k) for k objects near those that differ; parts that both share are skipped.
    public func changes(since other: GraphSnapshot) throws(HistoryError) -> SnapshotChanges {
        guard other.committed.graph.layout === committed.graph.layout else {
            throw .differentStores
        }
        return SnapshotChanges(
            ChangeSet(from: other.committed.graph, to: committed.graph))
    }
}

/// The difference between two snapshots of a store.
public struct SnapshotChanges: Hashable, Sendable {
    /// The objects that only the later snapshot has, by entity, oldest first.
    public var inserted: [ObjectID] = []
    /// The objects that only the earlier snapshot has.
    public var deleted: [ObjectID] = []
    /// The objects that both snapshots have, with different values.
    public var updated: [ObjectChange] = []

    /// Whether the snapshots hold the same objects and values.
    public var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && updated.isEmpty }
}

/// The changes of one object.
public struct ObjectChange: Hashable, Sendable {
    /// The object.
    public var object: ObjectID
    /// The properties that changed, in the order in which they are declared.
    public var properties: [PropertyChange]

    package init(object: ObjectID, properties: [PropertyChange]) {
        (self.object, self.properties) = (object, properties)
    }
}

/// The change of one property.
public struct PropertyChange: Hashable, Sendable {
    /// The old and the new value of a property.
    public enum Values: Hashable, Sendable {
        /// The values of an attribute.
        case attribute(old: Datum, new: Datum)
        /// The object that a to-one relationship held, and the one that it holds now.
        case toOne(old: ObjectID?, new: ObjectID?)
        /// The members inserted and removed; both are empty if only the order changed.
        case toMany(inserted: [ObjectID], removed: [ObjectID])
    }

    /// The name of the property.
    public var name: String
    /// How it changed.
    public var values: Values

    package init(name: String, values: Values) { (self.name, self.values) = (name, values) }
}

extension SnapshotChanges {
    fileprivate init(_ changes: ChangeSet) {
        let (before, after) = (changes.before, changes.after)
        let members = MembershipChanges(changes)
        for table in changes.tables.tableNumbers {
            let entity = changes.tables[table]
            inserted += entity.inserted.map { after.objectID($0, in: table) }
            deleted += entity.deleted.map { before.objectID($0, in: table) }
            for update in entity.updated {
                updated.append(
                    ObjectChange(
                        object: after.objectID(update.row, in: table),
                        properties: changes.changedSlots(of: update, in: table)
                            .map { changes.change(of: update.row, $0, in: table, members) }))
            }
        }
    }
}

extension ChangeSet {
    fileprivate func change(
        of row: Row, _ slot: Slot, in table: TableNumber, _ members: MembershipChanges
    ) -> PropertyChange {
        let layout = after.layout.tables[table]
        func object(_ graph: Graph, _ destination: TableNumber) -> ObjectID? {
            let target = graph.reference(row, slot, in: table)
            return target.isNone ? nil : graph.objectID(target, in: destination)
        }
        func toOne(_ destination: TableNumber) -> PropertyChange.Values {
            .toOne(old: object(before, destination), new: object(after, destination))
        }
        let values: PropertyChange.Values
        switch layout.relationships[slot] {
        case nil:
            values = .attribute(
                old: before.datum(row, slot, in: table), new: after.datum(row, slot, in: table))
        case .toOne(let list): values = toOne(list.owners)
        case .oneToOne(let other): values = toOne(other.table)
        case .toMany, .manyToMany:
            values = members.values(
                MembershipChanges.Owner(table: table, row: row, slot: slot))
        }
        return PropertyChange(name: layout.properties[slot].name, values: values)
    }
}

/// The members that came into to-many relationships and left them, by relationship.
private struct MembershipChanges {
    struct Owner: Hashable {
        var table: TableNumber
        var row: Row
        var slot: Slot
    }

    private var inserted: [Owner: [ObjectID]] = [:]
    private var removed: [Owner: [ObjectID]] = [:]

    init(_ changes: ChangeSet) {
        let (before, after) = (changes.before, changes.after)
        for table in changes.tables.tableNumbers {
            let entity = changes.tables[table]
            let rows = entity.inserted + entity.deleted + entity.updated.map(\.row)
            for case .toOne(let list)? in after.layout.tables[table].relationships {
                for row in rows { note(row, list, in: before, after) }
            }
        }
        for table in after.layout.edgeTables {
            guard let (first, second) = after.layout.edgeLists(of: table) else { continue }
            let (parted, joined) = after.edges(differingFrom: before, in: table)
            for ends in parted {
                Self.add(ends.second, second.owners, to: &removed, ends.first, first, before)
                Self.add(ends.first, first.owners, to: &removed, ends.second, second, before)
            }
            for edge in joined {
                let left = after.reference(edge, .firstEnd, in: table)
                let right = after.reference(edge, .secondEnd, in: table)
                Self.add(right, second.owners, to: &inserted, left, first, after)
                Self.add(left, first.owners, to: &inserted, right, second, after)
            }
        }
    }

    private mutating func note(
        _ row: Row, _ list: ListLayout, in before: Graph, _ after: Graph
    ) {
        let old =
            before.contains(row, in: list.members)
            ? before.reference(row, list.owner, in: list.members) : Row.none
        let new =
            after.contains(row, in: list.members)
            ? after.reference(row, list.owner, in: list.members) : Row.none
        guard old != new else { return }
        Self.add(row, list.members, to: &removed, old, list, before)
        Self.add(row, list.members, to: &inserted, new, list, after)
    }

    private static func add(
        _ member: Row, _ table: TableNumber, to changes: inout [Owner: [ObjectID]], _ owner: Row,
        _ list: ListLayout, _ graph: Graph
    ) {
        guard !owner.isNone, let slot = list.ownerSlot else { return }
        changes[Owner(table: list.owners, row: owner, slot: slot), default: []]
            .append(graph.objectID(member, in: table))
    }

    func values(_ owner: Owner) -> PropertyChange.Values {
        .toMany(inserted: inserted[owner] ?? [], removed: removed[owner] ?? [])
    }
}
