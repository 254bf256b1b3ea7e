extension Transaction {
    /// Moves a member of a list behind another, or to the front; all are links.
    ///
    /// - Complexity: O(1), O(log n) in an ordered list.
    func move(
        _ link: Row, behind previous: Row, of owner: Row, _ list: ListLayout
    ) {
        guard link != previous, reference(link, list.previous, in: list.members) != previous else {
            return
        }
        if let order = list.order { removeFromOrder(link, in: list, order) }
        connect(
            reference(link, list.previous, in: list.members),
            to: reference(link, list.next, in: list.members), of: owner, list)
        let next =
            previous.isNone
            ? reference(owner, list.head, in: list.owners)
            : reference(previous, list.next, in: list.members)
        connect(previous, to: link, of: owner, list)
        connect(link, to: next, of: owner, list)
        if let order = list.order { insertIntoOrder(link, in: list, order) }
        if let slot = list.ownerSlot { note(slot, owner, in: list.owners) }
    }

    /// Moves a member of a list before another, or to the end; all are links.
    ///
    /// - Complexity: O(1), O(log n) in an ordered list.
    func move(_ link: Row, before next: Row, of owner: Row, _ list: ListLayout) {
        guard link != next else { return }
        let previous =
            next.isNone
            ? reference(owner, list.tail, in: list.owners)
            : reference(next, list.previous, in: list.members)
        move(link, behind: previous, of: owner, list)
    }

    /// Makes two members neighbours; one that is none stands for the end of the list.
    @inline(__always)
    func connect(
        _ previous: Row, to next: Row, of owner: Row, _ list: ListLayout
    ) {
        if !previous.isNone {
            setReference(previous, list.next, in: list.members, to: next)
        } else {
            setReference(owner, list.head, in: list.owners, to: next)
        }
        if !next.isNone {
            setReference(next, list.previous, in: list.members, to: previous)
        } else {
            setReference(owner, list.tail, in: list.owners, to: previous)
        }
    }

    /// Moves a member of a relationship behind another, or to the front; returns whether both are its
    /// members.
    @discardableResult
    func moveMember(
        _ member: Row, behind previous: Row?, of row: Row, _ slot: Slot, in table: TableNumber
    ) -> Bool {
        guard let list = access[table].traits[slot].relationship?.ownList, member != previous,
            let link = memberLink(member, of: row, slot, in: table)
        else { return false }
        guard let previous else {
            move(link, behind: .none, of: row, list)
            return true
        }
        guard let other = memberLink(previous, of: row, slot, in: table) else { return false }
        move(link, behind: other, of: row, list)
        return true
    }

    /// Moves a member of a relationship before another; returns whether both are its members.
    func moveMember(
        _ member: Row, before next: Row, of row: Row, _ slot: Slot, in table: TableNumber
    ) -> Bool {
        guard let list = access[table].traits[slot].relationship?.ownList, member != next,
            let link = memberLink(member, of: row, slot, in: table),
            let other = memberLink(next, of: row, slot, in: table)
        else { return false }
        move(link, before: other, of: row, list)
        return true
    }

    /// What links a member to an owner, if it is one.
    private func memberLink(
        _ member: Row, of row: Row, _ slot: Slot, in table: TableNumber
    ) -> Row? {
        isMember(member, of: row, slot, in: table)
            ? link(of: member, of: row, slot, in: table) : nil
    }

    /// Brings the members of a to-many relationship into an order; returns whether `members` are
    /// just its members.
    func reorder(_ row: Row, _ slot: Slot, in table: TableNumber, to members: [Row]) -> Bool {
        let list: ListLayout
        let target: Slot?
        switch access[table].traits[slot].relationship {
        case .toMany(let own): (list, target) = (own, nil)
        case .manyToMany(let own, let other): (list, target) = (own, other.owner)
        case .toOne, .oneToOne, nil: return false
        }
        var links: [Row: Row] = [:]
        var link = reference(row, list.head, in: list.owners)
        while !link.isNone {
            links[target.map { reference(link, $0, in: list.members) } ?? link] = link
            link = reference(link, list.next, in: list.members)
        }
        let order = members.compactMap { links.removeValue(forKey: $0) }
        guard order.count == members.count, links.isEmpty, let first = order.first,
            let last = order.last
        else { return members.isEmpty && links.isEmpty }
        setReference(row, list.head, in: list.owners, to: first)
        setReference(row, list.tail, in: list.owners, to: last)
        for (index, link) in order.enumerated() {
            setReference(
                link, list.previous, in: list.members, to: index == 0 ? Row.none : order[index - 1])
            setReference(
                link, list.next, in: list.members,
                to: index == order.count - 1 ? Row.none : order[index + 1])
        }
        if list.order != nil { renumber(links: order, in: list) }
        note(slot, row, in: table)
        return true
    }
}
