extension Transaction {
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
