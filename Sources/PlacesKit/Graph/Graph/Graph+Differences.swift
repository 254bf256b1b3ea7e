extension Graph {
    /// The properties among `mask` that are not what they were in `other`.
    func changes(
        from other: Graph, _ row: Row, among mask: PropertyMask, in table: TableNumber
    ) -> PropertyMask {
        let end = layout.tables[table].relationships.slots.upperBound
        var changes = mask.filtered(below: min(end, .firstShared)) {
            differs(from: other, row, $0, in: table)
        }
        if end > .firstShared, mask.contains(.shared),
            sharedSlots(of: row, in: table).contains(where: {
                differs(from: other, row, $0, in: table)
            })
        {
            changes.insert(.shared)
        }
        return changes
    }

    /// The properties of a row whose slots share a member of masks.
    func sharedSlots(of row: Row, in table: TableNumber) -> [Slot] {
        let tableLayout = layout.tables[table]
        // A table has the columns of all classes of a hierarchy, and an object the properties of one.
        let slots =
            tableLayout.kinds == nil
            ? Array(tableLayout.relationships.slots)
            : layout.entities[tableLayout.entities[Int(max(0, kind(row, in: table)))]].slots
        return slots.filter(\.isShared)
    }

    /// Whether a row came, went, or has other values in properties among `mask`.
    func isChanged(
        _ row: Row, among mask: PropertyMask, since before: Graph, in table: TableNumber
    ) -> Bool {
        switch (before.contains(row, in: table), contains(row, in: table)) {
        case (false, false): false
        case (true, true): !changes(from: before, row, among: mask, in: table).isEmpty
        case (true, false), (false, true): true
        }
    }

    /// Whether a change that a mask tells of is one of this property; the mask alone tells only that one
    /// of those that share a member changed.
    func hasChanged(
        _ slot: Slot, of row: Row, by mask: PropertyMask, since before: Graph, in table: TableNumber
    ) -> Bool {
        mask.contains(PropertyMask(slot: slot))
            && (!slot.isShared || differs(from: before, row, slot, in: table))
    }

    /// The names of the properties that a change changed, as its mask tells.
    func changedNames(
        of row: Row, by mask: PropertyMask, since before: Graph, in table: TableNumber
    ) -> Set<String> {
        let properties = layout.tables[table].properties
        return Set(
            properties.slots.lazy
                .filter { self.hasChanged($0, of: row, by: mask, since: before, in: table) }
                .map { properties[$0].name })
    }

    /// Whether a property of a row is not what it was in `other`.
    ///
    /// - Complexity: O(1); of a to-many relationship whose length and ends give nothing away O(k) for k rows in chunks
    ///   of its links that differ, or O(n) for n members where that is less.
    func differs(from other: Graph, _ row: Row, _ slot: Slot, in table: TableNumber) -> Bool {
        switch layout.tables[table].relationships[slot] {
        case .toMany(let list):
            memberCount(row, slot, in: table) != other.memberCount(row, slot, in: table)
                || [list.head, list.tail].contains {
                    reference(row, $0, in: table) != other.reference(row, $0, in: table)
                }
                || isRearranged(list, nil, of: row, since: other)
        case .manyToMany(let own, let far):
            memberCount(row, slot, in: table) != other.memberCount(row, slot, in: table)
                || [own.head, own.tail].contains {
                    member(at: $0, of: row, own, far) != other.member(at: $0, of: row, own, far)
                }
                || isRearranged(own, far, of: row, since: other)
        case .toOne, .oneToOne, nil:
            !tables[table].columns[slot].isEqual(to: other.tables[table].columns[slot], at: row)
        }
    }

    /// Whether a list with as many members as in `other` has not the same ones in the same order.
    private func isRearranged(
        _ list: ListLayout, _ far: ListLayout?, of owner: Row, since other: Graph
    ) -> Bool {
        let now = ListView(graph: self, list: list, other: far)
        let before = ListView(graph: other, list: list, other: far)
        let count = count(of: owner, list)
        guard count > ChunkLayout.rows, count > now.mostLinks(differingFrom: before) else {
            return !now.related(to: owner).elementsEqual(before.related(to: owner))
        }
        return now.links(differingFrom: before).contains { link in
            guard now.owner(link) == owner else { return false }
            let member = now.member(link)
            return before.link(member, of: owner) == nil
                || now.previous(member, of: owner) != before.previous(member, of: owner)
        }
    }

    /// The row at the other end of the first or the last edge of a row, by the column that holds it.
    private func member(
        at end: Slot, of row: Row, _ own: ListLayout, _ far: ListLayout
    ) -> Row {
        let edge = reference(row, end, in: own.owners)
        return edge.isNone ? Row.none : reference(edge, far.owner, in: own.members)
    }
}

extension PropertyMask {
    /// The slots of this mask below `end`, none of which shares its member, that satisfy `isIncluded`.
    fileprivate func filtered(below end: Slot, _ isIncluded: (Slot) -> Bool) -> PropertyMask {
        var rest = rawValue
        var result: UInt64 = 0
        while rest != 0 {
            let slot = Slot(rest.trailingZeroBitCount)
            guard slot < end else { break }
            if isIncluded(slot) { result |= 1 << UInt64(slot.index) }
            rest &= rest - 1
        }
        return PropertyMask(rawValue: result)
    }
}
