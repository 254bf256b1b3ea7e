extension Transaction {
    /// Lets a to-one relationship lead to `target`, or nowhere, and mends its inverse.
    ///
    /// - Complexity: O(1).
    func setToOne(_ row: Row, _ slot: Slot, in table: TableNumber, to target: Row) {
        switch access[table].traits[slot].relationship {
        case .toOne(let list):
            let owner = reference(row, slot, in: table)
            guard owner != target else { return }
            let followers = followers(of: slot, in: table)
            let linked = derivations(over: list)
            if let followers { leave(followers, row, in: table, linked: linked) }
            if !owner.isNone {
                contribute(row, to: owner, linked, isAdded: false)
                removeMember(row, from: owner, list)
            }
            if !target.isNone {
                appendMember(row, to: target, list)
                contribute(row, to: target, linked, isAdded: true)
            }
            if let followers { enter(followers, row, in: table, linked: linked) }
            if !owner.isNone { publish(linked, of: owner) }
            if !target.isNone { publish(linked, of: target) }
            if let followers { publish(followers, row, in: table, linked: linked) }
            note(slot, row, in: table)
        case .oneToOne(let other):
            let partner = reference(row, slot, in: table)
            guard partner != target else { return }
            if !partner.isNone { setPartner(partner, other.column, in: other.table, to: .none) }
            if !target.isNone {
                let rival = reference(target, other.column, in: other.table)
                if !rival.isNone { setPartner(rival, slot, in: table, to: .none) }
                setPartner(target, other.column, in: other.table, to: row)
            }
            setPartner(row, slot, in: table, to: target)
        case .toMany, .manyToMany, nil:
            preconditionFailure("the accessor of a to-one relationship has a to-one slot")
        }
    }

    /// Adds a member to a to-many relationship, at its end; returns whether it was not one before.
    ///
    /// - Complexity: O(1).
    @discardableResult
    func addMember(_ member: Row, to row: Row, _ slot: Slot, in table: TableNumber) -> Bool {
        switch access[table].traits[slot].relationship {
        case .toMany(let list):
            guard reference(member, list.owner, in: list.members) != row else { return false }
            setToOne(member, list.owner, in: list.members, to: row)
            return true
        case .manyToMany(let own, let other): return join(row, member, own, other)
        case .toOne, .oneToOne, nil:
            preconditionFailure("an object set has the slot of a to-many relationship")
        }
    }

    /// Takes a member out of a to-many relationship; returns whether it was one.
    ///
    /// - Complexity: O(1).
    @discardableResult
    func removeMember(_ member: Row, from row: Row, _ slot: Slot, in table: TableNumber) -> Bool {
        switch access[table].traits[slot].relationship {
        case .toMany(let list):
            guard reference(member, list.owner, in: list.members) == row else { return false }
            setToOne(member, list.owner, in: list.members, to: .none)
            return true
        case .manyToMany(let own, let other): return part(row, member, own, other)
        case .toOne, .oneToOne, nil:
            preconditionFailure("an object set has the slot of a to-many relationship")
        }
    }

    /// Whether a row is a member of a to-many relationship, or a to-one relationship leads to it.
    ///
    /// - Complexity: O(1).
    func isMember(_ member: Row, of row: Row, _ slot: Slot, in table: TableNumber) -> Bool {
        switch access[table].traits[slot].relationship {
        case .toMany(let list): reference(member, list.owner, in: list.members) == row
        case .manyToMany(let own, let other): edge(row, own, member, other) != nil
        case .toOne, .oneToOne: reference(row, slot, in: table) == member
        case nil: false
        }
    }

    /// What links a member to an owner: the member's row itself, or that of the edge between them.
    func link(of member: Row, of row: Row, _ slot: Slot, in table: TableNumber) -> Row? {
        switch access[table].traits[slot].relationship {
        case .toMany: member
        case .manyToMany(let own, let other): edge(row, own, member, other)
        case .toOne, .oneToOne, nil: nil
        }
    }

    /// Takes every link of a relationship away.
    func removeLinks(of row: Row, _ slot: Slot, in table: TableNumber) {
        switch access[table].traits[slot].relationship {
        case .toOne, .oneToOne: setToOne(row, slot, in: table, to: .none)
        case .toMany(let list): removeMembers(of: row, list)
        case .manyToMany(let own, let other):
            while case let edge = reference(row, own.head, in: own.owners), !edge.isNone {
                remove(edge: edge, own, other)
            }
        case nil: break
        }
    }

    /// Calls `body` with each row at the other end of a relationship; `body` must change no links.
    @inline(__always)
    func forEachRelated(
        _ row: Row, _ slot: Slot, _ relationship: RelationshipLayout, in table: TableNumber,
        _ body: (Row) -> Void
    ) {
        switch relationship {
        case .toOne, .oneToOne:
            let target = reference(row, slot, in: table)
            if !target.isNone { body(target) }
        case .toMany(let list):
            var member = reference(row, list.head, in: table)
            while !member.isNone {
                body(member)
                member = reference(member, list.next, in: list.members)
            }
        case .manyToMany(let own, let other):
            var edge = reference(row, own.head, in: table)
            while !edge.isNone {
                body(reference(edge, other.owner, in: own.members))
                edge = reference(edge, own.next, in: own.members)
            }
        }
    }

    /// Takes every member out of an owner's list.
    func removeMembers(of row: Row, _ list: ListLayout) {
        while case let member = reference(row, list.head, in: list.owners), !member.isNone {
            setToOne(member, list.owner, in: list.members, to: .none)
        }
    }

    private func setPartner(_ row: Row, _ slot: Slot, in table: TableNumber, to partner: Row) {
        linkChanges &+= 1
        let followers = followers(of: slot, in: table)
        if let followers { leave(followers, row, in: table) }
        setReference(row, slot, in: table, to: partner)
        if let followers { join(followers, row, in: table) }
        note(slot, row, in: table)
    }

    // MARK: - Lists

    private func appendMember(_ member: Row, to owner: Row, _ list: ListLayout) {
        linkChanges &+= 1
        let tail = reference(owner, list.tail, in: list.owners)
        setReference(member, list.owner, in: list.members, to: owner)
        connect(tail, to: member, of: owner, list)
        connect(member, to: .none, of: owner, list)
        if let order = list.order { insertIntoOrder(member, in: list, order) }
        addToCount(1, of: owner, list)
    }

    private func removeMember(_ member: Row, from owner: Row, _ list: ListLayout) {
        if let order = list.order { removeFromOrder(member, in: list, order) }
        connect(
            reference(member, list.previous, in: list.members),
            to: reference(member, list.next, in: list.members), of: owner, list)
        setReference(member, list.owner, in: list.members, to: .none)
        setReference(member, list.previous, in: list.members, to: .none)
        setReference(member, list.next, in: list.members, to: .none)
        addToCount(-1, of: owner, list)
    }

    private func addToCount(_ difference: Int32, of owner: Row, _ list: ListLayout) {
        setElement(
            Int32(truncatingIfNeeded: count(of: owner, list)) + difference, owner, list.count,
            in: list.owners)
        if let slot = list.ownerSlot { note(slot, owner, in: list.owners) }
    }

    // MARK: - Edges

    /// Joins two rows by an edge, at the end of the lists of both; returns whether they were apart.
    @discardableResult
    func join(_ row: Row, _ member: Row, _ own: ListLayout, _ other: ListLayout) -> Bool {
        guard edge(row, own, member, other) == nil else { return false }
        let edge = insertEdge(into: own.members)
        appendMember(edge, to: row, own)
        appendMember(edge, to: member, other)
        let (first, second) = own.isFirst ? (row, member) : (member, row)
        updateIndex(0, of: own.members) { index, token in
            index.insert(edge, hash: edgeHash(first, second), token: token) { _ in false }
        }
        let (forth, back) = (derivations(over: own), derivations(over: other))
        contribute(member, to: row, forth, isAdded: true)
        contribute(row, to: member, back, isAdded: true)
        publish(forth, of: row)
        publish(back, of: member)
        return true
    }

    /// Takes the edge between two rows away; returns whether there was one.
    @discardableResult
    func part(_ row: Row, _ member: Row, _ own: ListLayout, _ other: ListLayout) -> Bool {
        guard let edge = edge(row, own, member, other) else { return false }
        remove(edge: edge, own, other)
        return true
    }

    /// The edge that joins two rows.
    func edge(
        _ row: Row, _ own: ListLayout, _ member: Row, _ other: ListLayout
    ) -> Row? {
        let (first, second) = own.isFirst ? (row, member) : (member, row)
        let table = own.members
        return access[table].indexes[0].find(hash: edgeHash(first, second)) { edge in
            reference(edge, .firstEnd, in: table) == first
                && reference(edge, .secondEnd, in: table) == second
        }
    }

    private func remove(edge: Row, _ own: ListLayout, _ other: ListLayout) {
        let table = own.members
        let hash = edgeHash(
            reference(edge, .firstEnd, in: table), reference(edge, .secondEnd, in: table))
        updateIndex(0, of: table) { index, token in
            index.remove(edge, hash: hash, token: token) { _ in false }
        }
        let row = reference(edge, own.owner, in: table)
        let member = reference(edge, other.owner, in: table)
        let (forth, back) = (derivations(over: own), derivations(over: other))
        contribute(member, to: row, forth, isAdded: false)
        contribute(row, to: member, back, isAdded: false)
        removeMember(edge, from: row, own)
        removeMember(edge, from: member, other)
        removeEdge(edge, from: table)
        publish(forth, of: row)
        publish(back, of: member)
    }
}

extension Graph {
    /// The edge that joins two rows.
    func edge(from first: Row, to second: Row, in table: TableNumber) -> Row? {
        tables[table].uniqueIndexes[0].find(hash: edgeHash(first, second)) { edge in
            reference(edge, .firstEnd, in: table) == first
                && reference(edge, .secondEnd, in: table) == second
        }
    }
}

/// The hash under which the index of a table of edges keeps a pair of rows.
private func edgeHash(_ first: Row, _ second: Row) -> Int {
    (UInt64(UInt32(bitPattern: first.rawValue)) << 32 ^ UInt64(UInt32(bitPattern: second.rawValue)))
        .mixed
}

extension UInt64 {
    /// The bits of this number, spread by the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
    var mixed: Int {
        var bits = self &+ 0x9e37_79b9_7f4a_7c15
        bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
        return Int(truncatingIfNeeded: bits ^ bits >> 31)
    }
}
