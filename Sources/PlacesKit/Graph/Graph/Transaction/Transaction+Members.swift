extension Transaction {
    /// Lets a to-many relationship have just some members.
    ///
    /// Those that are members already keep their links, and so their places in lists at the other end. Of equal rows
    /// the first one counts.
    ///
    /// - Parameters:
    ///   - members: The members, in the order that they get in an ordered relationship.
    ///   - row: The owner.
    ///   - slot: The slot of the relationship.
    ///   - table: The owner's table.
    ///   - isArranged: Whether they get the order in any relationship; if not, those that stay in one that is not
    ///     ordered come first.
    /// - Complexity: O(n) for n members before and after; O(n log n) where they get an order.
    func setMembers(
        _ members: [Row], of row: Row, _ slot: Slot, in table: TableNumber,
        isArranged: Bool = false
    ) {
        guard !members.isEmpty else { return removeLinks(of: row, slot, in: table) }
        let former = Array(graph.related(row, slot, in: table))
        guard former != members else { return }
        var positions: [Row: Int] = [:]
        for (position, member) in members.enumerated() where positions[member] == nil {
            positions[member] = position
        }
        for member in former where positions[member] == nil {
            removeMember(member, from: row, slot, in: table)
        }
        for member in members { addMember(member, to: row, slot, in: table) }
        let isOrdered = access[table].traits[slot].relationship?.ownList?.order != nil
        guard isArranged || isOrdered else { return }
        let present = graph.related(row, slot, in: table).compactMap { positions[$0] }
        let staying = Set(heaviestIncreasingSubsequence(of: present).map { present[$0] })
        var previous: Row?
        for (position, member) in members.enumerated() where positions[member] == position {
            if !staying.contains(position) {
                moveMember(member, behind: previous, of: row, slot, in: table)
            }
            previous = member
        }
    }
}
