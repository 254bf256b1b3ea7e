extension ChangeSet {
    /// What this change and commits of others both wrote.
    struct Conflict: Hashable, Comparable {
        /// How both met.
        enum Kind: Hashable {
            /// Both wrote the property; where `slot` is `nil`, one deleted the row that the other changed.
            case written
            /// Both wrote the row, and no property of it that the other wrote.
            case besides
            /// This side relies on what it read of the row, and the others wrote it.
            case read
            /// Both moved a member of the ordered relationship, whose row this is.
            case moved(member: Row)
        }

        var table: TableNumber
        var row: Row
        var slot: Slot?
        var kind = Kind.written

        /// By tables, rows and slots.
        static func < (left: Conflict, right: Conflict) -> Bool {
            left.order.lexicographicallyPrecedes(right.order)
        }

        private var order: [Int] {
            var member = -1
            if case .moved(let row) = kind { member = row.index }
            return [table.index, row.index, slot?.index ?? -1, member]
        }
    }

    /// The rows that others must not have written since `before`: those that this change writes.
    var writtenRows: [Set<Row>] {
        tables.map { Set($0.deleted).union($0.updated.lazy.map(\.row)) }
    }

    /// What others wrote too since `before`.
    ///
    /// Members of to-many relationships never conflict: adding and removing members commute. What leads
    /// to a row is part of it when it is deleted: neither side may lead to what the other deleted.
    ///
    /// - Parameters:
    ///   - others: What others wrote.
    ///   - former: Rows that others had deleted and that came back for an own write of theirs, each with a graph that has
    ///     it as it was before that: a link that it had there is no write.
    /// - Returns: The conflicts.
    func conflicts(
        with others: ForeignWrites, returned former: [RowAddress: Graph] = [:]
    ) -> Set<Conflict> {
        var conflicts: Set<Conflict> = []
        for table in tables.tableNumbers {
            addMoves(in: table, with: others, to: &conflicts)
            let values = after.layout.tables[table].valueSlots
            let mask = PropertyMask(slots: values)
            for update in tables[table].updated {
                let own = update.changes.intersection(mask)
                // The member that slots share may tell of a to-many relationship, or of what is derived.
                guard
                    own == .shared
                        ? values.contains(where: { hasChanged(update, $0, in: table) })
                        : !own.isEmpty
                else { continue }
                guard others.head.contains(update.row, in: table) else {
                    conflicts.insert(Conflict(table: table, row: update.row, slot: nil))
                    continue
                }
                conflicts.formUnion(
                    others.conflicts(of: update.row, in: table) {
                        hasChanged(update, $0, in: table)
                    })
            }
            for row in tables[table].deleted
            where others.head.contains(row, in: table)
                && (!others.slots(of: row, in: table).isEmpty
                    || others.linked(to: row, in: table))
            {
                conflicts.insert(Conflict(table: table, row: row, slot: nil))
            }
            // Others can have only what came back in both: new rows are nobody else's.
            for row in tables[table].inserted where others.head.contains(row, in: table) {
                conflicts.insert(Conflict(table: table, row: row, slot: nil))
            }
        }
        addLinksToDeleted(with: others, returned: former, to: &conflicts)
        return conflicts
    }

    /// Whether an update changed a property.
    func hasChanged(_ update: RowUpdate, _ slot: Slot, in table: TableNumber) -> Bool {
        if slot.isShared, let listed = tables[table].beyondMask[update.row] {
            return update.changes.contains(.shared) && listed.contains(slot)
        }
        return after.hasChanged(slot, of: update.row, by: update.changes, since: before, in: table)
    }

    /// The properties that an update changed, in the order in which they are declared.
    func changedSlots(of update: RowUpdate, in table: TableNumber) -> [Slot] {
        after.layout.tables[table].properties.slots.filter { hasChanged(update, $0, in: table) }
    }

    /// Adds the rows that this change leads to, and others deleted.
    private func addLinksToDeleted(
        with others: ForeignWrites, returned former: [RowAddress: Graph],
        to conflicts: inout Set<Conflict>
    ) {
        forEachNewLink(unlikeIn: former) { target, table in
            guard !target.isNone, before.contains(target, in: table),
                after.contains(target, in: table), !others.head.contains(target, in: table)
            else { return }
            conflicts.insert(Conflict(table: table, row: target, slot: nil))
        }
    }

    /// Calls `body` with each row to which this change made something lead, or none; what came back leads to something
    /// new where it did not in the graph that is given for it.
    func forEachNewLink(
        unlikeIn former: [RowAddress: Graph] = [:], _ body: (Row, TableNumber) -> Void
    ) {
        for table in tables.tableNumbers {
            let layout = after.layout.tables[table]
            for slot in layout.relationships.slots {
                let destination: TableNumber
                switch layout.relationships[slot] {
                case .toOne(let list): destination = list.owners
                case .oneToOne(let other): destination = other.table
                case .toMany, .manyToMany, nil: continue
                }
                for row in tables[table].inserted {
                    let target = after.reference(row, slot, in: table)
                    let known = former[RowAddress(table: table, row: row)]
                    guard known?.reference(row, slot, in: table) != target else { continue }
                    body(target, destination)
                }
                for update in tables[table].updated where hasChanged(update, slot, in: table) {
                    body(after.reference(update.row, slot, in: table), destination)
                }
            }
        }
        for table in after.layout.edgeTables {
            guard let (first, second) = after.layout.edgeLists(of: table) else { continue }
            let added = after.edges(differingFrom: before, in: table).added
            let known = added.isEmpty ? [] : Self.pairs(in: table, [first, second], of: former)
            for edge in added
            where known.isEmpty || !known.contains(after.ends(of: edge, in: table)) {
                body(after.reference(edge, first.owner, in: table), first.owners)
                body(after.reference(edge, second.owner, in: table), second.owners)
            }
        }
    }

    /// The pairs of rows that edges joined when one of them was there before it came back.
    ///
    /// A row that came back has all its edges anew, so whoever searched its list for each would search it that often.
    private static func pairs(
        in table: TableNumber, _ lists: [ListLayout], of former: [RowAddress: Graph]
    ) -> Set<EdgeEnds> {
        var pairs: Set<EdgeEnds> = []
        for (address, graph) in former {
            for list in lists where list.owners == address.table {
                for edge in graph.links(of: address.row, list) {
                    pairs.insert(graph.ends(of: edge, in: table))
                }
            }
        }
        return pairs
    }

    /// Adds the members of ordered relationships that both moved.
    ///
    /// - Complexity: O(k log n) for k links in lists of n that either changed.
    private func addMoves(
        in table: TableNumber, with others: ForeignWrites, to conflicts: inout Set<Conflict>
    ) {
        let relationships = after.layout.tables[table].relationships
        for (slot, relationship) in zip(relationships.slots, relationships)
        where relationship?.ownList?.order != nil {
            let rows = tables[table].updated.lazy.filter { hasChanged($0, slot, in: table) }
                .map(\.row).filter { others.head.contains($0, in: table) }
            guard !rows.isEmpty,
                let own = OrderedMoves(of: relationship, from: before, to: after)
            else { continue }
            lazy var foreign = OrderedMoves(of: relationship, from: before, to: others.head)
            for row in rows {
                let moved = own.membersMoved(of: row)
                guard !moved.isEmpty, let foreign else { continue }
                for member in moved.intersection(foreign.membersMoved(of: row)) {
                    conflicts.insert(
                        Conflict(
                            table: table, row: row, slot: slot, kind: .moved(member: member)))
                }
            }
        }
    }
}
