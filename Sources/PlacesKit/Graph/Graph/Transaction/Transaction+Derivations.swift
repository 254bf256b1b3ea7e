import Foundation

/// The derived attributes of owners, as their members come, change and go.
///
/// A change first lets members *contribute* to what is kept for their owners, everywhere, and only then *publishes*
/// the values that follow: one of them may itself be counted over the link that changes, or where the value that
/// changes is a condition, and would be taken away where it was not added yet.
///
/// - Invariant: When a value is published, just the members in each list have contributed, with the values that
///   they hold.
extension Transaction {
    /// Adds what a member has to what is kept for some derivations of an owner, or takes it away.
    @inline(__always)
    func contribute(_ member: Row, to owner: Row, _ derivations: [Int], isAdded: Bool) {
        for number in derivations { contribute(member, to: owner, number, isAdded: isAdded) }
    }

    /// Writes some derived attributes of an owner as what is kept for it says.
    @inline(__always)
    func publish(_ derivations: [Int], of owner: Row) {
        for number in derivations { publish(number, of: owner) }
    }

    /// Calls `body` with every owner that has a member by the relationship of a derivation.
    func forEachOwner(of member: Row, _ number: Int, _ body: (Row) -> Void) {
        let derivation = layout.derivations[number]
        switch access[derivation.owners].traits[derivation.relationship].relationship {
        case .toMany(let list):
            let owner = reference(member, list.owner, in: list.members)
            if !owner.isNone { body(owner) }
        case .manyToMany(let own, let other):
            var edge = reference(member, other.head, in: other.owners)
            while !edge.isNone {
                body(reference(edge, own.owner, in: own.members))
                edge = reference(edge, other.next, in: other.members)
            }
        case .toOne, .oneToOne, nil: break
        }
    }

    /// Calls `body` with every owner whose path, of a derivation, goes through a row or ends there.
    func forEachOwner(
        withPathThrough row: Row, in table: TableNumber, _ number: Int, _ body: (Row) -> Void
    ) {
        let path = layout.paths[number]
        if layout.derivations[number].members == table {
            forEachOwner(of: row, along: path[...], body)
        }
        for position in path.indices where path[position].table == table {
            forEachOwner(of: row, along: path[..<position], body)
        }
    }

    /// Calls `body` with every row from which a path leads to another, going back by the inverses.
    private func forEachOwner(
        of row: Row, along path: ArraySlice<ColumnAddress>, _ body: (Row) -> Void
    ) {
        guard let last = path.last else { return body(row) }
        switch access[last.table].traits[last.column].relationship {
        case .toOne(let list):
            var owner = reference(row, list.head, in: list.owners)
            while !owner.isNone {
                forEachOwner(of: owner, along: path.dropLast(), body)
                owner = reference(owner, list.next, in: list.members)
            }
        case .oneToOne(let other):
            let owner = reference(row, other.column, in: other.table)
            if !owner.isNone { forEachOwner(of: owner, along: path.dropLast(), body) }
        case .toMany, .manyToMany, nil: break
        }
    }

    /// Adds what a member has to what is kept for an owner, or takes it away.
    ///
    /// - Complexity: O(1); O(log n) for n members where their values are kept in order.
    func contribute(_ member: Row, to owner: Row, _ number: Int, isAdded: Bool) {
        let derivation = layout.derivations[number]
        guard has(derivation, owner) else { return }
        if let condition = derivation.condition,
            !element(Bool.self, member, condition, in: derivation.members)
        {
            return
        }
        if let value = derivation.value,
            value.isNull(member, block(member, value.column, in: derivation.members))
        {
            return
        }
        switch derivation.function {
        case .count, .any: addToCount(isAdded ? 1 : -1, of: owner, derivation)
        case .sum: addToSum(member, of: owner, derivation, isAdded: isAdded)
        case .minimum, .maximum:
            updateMembers(member, of: owner, derivation, layout.orders[number], isAdded: isAdded)
        case .countDistinct:
            let own = layout.orders[number]
            if updateMembers(member, of: owner, derivation, own, isAdded: isAdded) {
                addToCount(isAdded ? 1 : -1, of: owner, derivation)
            }
        case .value, .computed: break
        }
    }

    /// Writes a derived attribute of an owner as what is kept for it says.
    func publish(_ number: Int, of owner: Row) {
        let derivation = layout.derivations[number]
        // What is gone keeps its last values, but for those of links that a rule has kept.
        guard
            contains(owner, in: derivation.owners)
                || access[derivation.owners].traits[derivation.slot].relationship != nil
                || denies(owner, in: derivation.owners),
            has(derivation, owner)
        else { return }
        switch derivation.function {
        case .count, .countDistinct: write(kept(0, of: owner, derivation), true, owner, derivation)
        case .any: write(kept(0, of: owner, derivation) > 0, true, owner, derivation)
        case .sum where derivation.value?.kind == .double:
            write(exactSum(of: owner, derivation).value, true, owner, derivation)
        case .sum: write(Int64(clamping: sum(of: owner, derivation)), true, owner, derivation)
        case .minimum, .maximum: publishExtreme(of: owner, derivation)
        case .value:
            var end = owner
            for column in layout.paths[number] where !end.isNone {
                end = reference(end, column.column, in: column.table)
            }
            publishValue(of: end, to: owner, derivation)
        case .computed: publishComputed(number, of: owner, derivation)
        }
    }

    /// Whether a row has a derived attribute: it may be of another class that has the relationship.
    @inline(__always)
    private func has(_ derivation: DerivationLayout, _ owner: Row) -> Bool {
        derivation.isOfWholeTable
            || layout.entities[derivation.entity].kinds.contains(kind(owner, in: derivation.owners))
    }

    private func publishComputed(_ number: Int, of owner: Row, _ derivation: DerivationLayout) {
        let table = derivation.owners
        guard let (sources, computation) = layout.computations[number] else { return }
        // A row that comes inside a closure goes at once.
        guard !isComputing else { return }
        isComputing = true
        let value = computation.make({ block(owner, sources[$0], in: table) }, owner.offset)
        isComputing = false
        write(value, owner, derivation.slot, in: table)
    }

    private func write<Element: ColumnElement>(
        _ value: Element, _ isValid: Bool, _ owner: Row, _ derivation: DerivationLayout
    ) {
        write(value, isValid, owner, derivation.slot, derivation.owners)
    }

    // MARK: - Counts and sums

    private func kept(_ position: Int, of owner: Row, _ derivation: DerivationLayout) -> Int64 {
        element(
            Int64.self, owner, derivation.accumulator.advanced(by: position), in: derivation.owners)
    }

    private func keep<Element: ColumnElement>(
        _ value: Element, _ position: Int, of owner: Row, _ derivation: DerivationLayout
    ) {
        let column = derivation.accumulator.advanced(by: position)
        writableBlock(owner, column, in: derivation.owners)
            .elements(of: Element.self)[owner.offset] = value
    }

    private func addToCount(
        _ difference: Int64, of owner: Row, _ derivation: DerivationLayout
    ) {
        keep(kept(0, of: owner, derivation) &+ difference, 0, of: owner, derivation)
    }

    private func sum(of owner: Row, _ derivation: DerivationLayout) -> Int128 {
        Int128(kept(1, of: owner, derivation)) << 64
            | Int128(UInt64(bitPattern: kept(0, of: owner, derivation)))
    }

    private func exactSum(of owner: Row, _ derivation: DerivationLayout) -> ExactSum {
        ExactSum(element(Data.self, owner, derivation.accumulator, in: derivation.owners))
    }

    private func addToSum(
        _ member: Row, of owner: Row, _ derivation: DerivationLayout, isAdded: Bool
    ) {
        guard let value = derivation.value else { return }
        if value.kind == .double {
            var sum = exactSum(of: owner, derivation)
            sum.add(
                element(Double.self, member, value.column, in: derivation.members),
                isAdded: isAdded)
            keep(sum.data, 0, of: owner, derivation)
        } else {
            let stored = element(Int64.self, member, value.column, in: derivation.members)
            let number = derivation.isUnsigned ? Int128(UInt64(ordered: stored)) : Int128(stored)
            // Fewer than 2^31 members of less than 2^64 each are always within 128 bits.
            let sum = sum(of: owner, derivation) &+ (isAdded ? number : -number)
            keep(Int64(truncatingIfNeeded: sum), 0, of: owner, derivation)
            keep(Int64(truncatingIfNeeded: sum >> 64), 1, of: owner, derivation)
        }
    }

    // MARK: - Values in order

    /// Enters a member's value into the index of its owner's, or takes it out; returns whether
    /// no other member has it.
    @discardableResult
    private func updateMembers(
        _ member: Row, of owner: Row, _ derivation: DerivationLayout, _ own: OwnOrder?,
        isAdded: Bool
    ) -> Bool {
        guard let value = derivation.value, let number = derivation.index else { return false }
        let block = self.block(member, value.column, in: derivation.members)
        let entry = OrderedEntry(
            group: owner.rawValue, row: member, key: own == nil ? value.key(member, block) : 0)
        let blocks = access[derivation.members].columns[value.column]
        let compare = own?.comparing(value.datum(member, block))
        func tie(_ other: Row) -> Int {
            if let compare { return compare(value.datum(other, blocks[other.chunk])).rawValue }
            return value.isExact
                ? 0
                : value.order(member, block, other, blocks[other.chunk])
        }
        var isAlone = true
        updateMemberIndex(number, of: derivation.owners) { index, token in
            if !isAdded { index.remove(entry, token: token, tie: tie) }
            if derivation.function == .countDistinct {
                var first = entry
                first.row = .min
                if let next = index.first(notBefore: first, tie: tie) {
                    isAlone =
                        next.group != entry.group || next.key != entry.key || tie(next.row) != 0
                }
            }
            if isAdded { index.insert(entry, token: token, tie: tie) }
        }
        return isAlone
    }

    private func publishExtreme(of owner: Row, _ derivation: DerivationLayout) {
        guard let number = derivation.index else { return }
        // No row waits for it.
        let index = current.tables[derivation.owners].memberIndexes[number]
        let entry =
            derivation.function == .minimum
            ? index.first(ofGroup: owner.rawValue) : index.last(ofGroup: owner.rawValue)
        let member = entry?.row ?? .none
        if access[derivation.owners].traits[derivation.slot].relationship != nil {
            setToOne(owner, derivation.slot, in: derivation.owners, to: member)
        } else {
            publishValue(of: member, to: owner, derivation)
        }
    }

    /// Gives an owner the value of a member, or none.
    private func publishValue(of member: Row, to owner: Row, _ derivation: DerivationLayout) {
        guard let value = derivation.value else { return }
        func publish<Element: ColumnElement>(_ type: Element.Type) {
            let isThere =
                !member.isNone
                && !value.isNull(member, block(member, value.column, in: derivation.members))
            write(
                isThere
                    ? element(type, member, value.column, in: derivation.members) : Element.unset,
                isThere, owner, derivation)
        }
        switch value.kind {
        case .boolean: publish(Bool.self)
        case .integer: publish(Int64.self)
        case .double: publish(Double.self)
        case .decimal: publish(Decimal.self)
        case .string: publish(String.self)
        case .uuid: publish(UUID.self)
        case .data: publish(Data.self)
        case .blob, .reference: break
        }
    }
}
