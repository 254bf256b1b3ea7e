extension Transaction {
    /// Brings a member back between its former neighbours, one of which is enough; without either it
    /// comes first if it was, or stays where it is.
    ///
    /// - Complexity: O(1).
    func restorePlace(
        of link: Int32, _ list: ListLayout, behind previous: Int32, before next: Int32
    ) {
        let owner = reference(link, list.owner, in: list.members)
        func isBeside(_ other: Int32) -> Bool {
            other >= 0 && contains(other, in: list.members)
                && reference(other, list.owner, in: list.members) == owner
        }
        if isBeside(previous) {
            move(link, behind: previous, of: owner, list)
        } else if isBeside(next) {
            move(link, behind: reference(next, list.previous, in: list.members), of: owner, list)
        } else if previous < 0 {
            move(link, behind: noRow, of: owner, list)
        }
    }

    /// Moves a member of a list behind another, or to the front.
    func move(
        _ link: Int32, behind previous: Int32, of owner: Int32, _ list: ListLayout
    ) {
        guard link != previous, reference(link, list.previous, in: list.members) != previous else {
            return
        }
        connect(
            reference(link, list.previous, in: list.members),
            to: reference(link, list.next, in: list.members), of: owner, list)
        let next =
            previous < 0
            ? reference(owner, list.head, in: list.owners)
            : reference(previous, list.next, in: list.members)
        connect(previous, to: link, of: owner, list)
        connect(link, to: next, of: owner, list)
        if let slot = list.ownerSlot { note(PropertyMask(slot: slot), owner, in: list.owners) }
    }

    /// Makes two members neighbours; one that is none stands for the end of the list.
    private func connect(
        _ previous: Int32, to next: Int32, of owner: Int32, _ list: ListLayout
    ) {
        if previous >= 0 {
            setReference(previous, list.next, in: list.members, to: next)
        } else {
            setReference(owner, list.head, in: list.owners, to: next)
        }
        if next >= 0 {
            setReference(next, list.previous, in: list.members, to: previous)
        } else {
            setReference(owner, list.tail, in: list.owners, to: previous)
        }
    }

    /// Brings the members of a to-many relationship into an order; returns whether `members` are
    /// just its members.
    func reorder(_ row: Int32, _ slot: Int, in table: Int, to members: [Int32]) -> Bool {
        let list: ListLayout
        let target: Int?
        switch access[table].traits[slot].relationship {
        case .toMany(let own): (list, target) = (own, nil)
        case .manyToMany(let own, let other): (list, target) = (own, other.owner)
        case .toOne, .oneToOne, nil: return false
        }
        var links: [Int32: Int32] = [:]
        var link = reference(row, list.head, in: list.owners)
        while link >= 0 {
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
                link, list.previous, in: list.members, to: index == 0 ? noRow : order[index - 1])
            setReference(
                link, list.next, in: list.members,
                to: index == order.count - 1 ? noRow : order[index + 1])
        }
        if list.order != nil { renumber(links: order, of: row, list) }
        note(PropertyMask(slot: slot), row, in: table)
        return true
    }
}
