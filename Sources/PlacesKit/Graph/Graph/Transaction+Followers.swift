/// What follows the columns of a row: ordered indexes, words and unique combinations.
///
/// A row leaves before a column changes and joins again afterwards, since both are found by the
/// values that the columns hold.
extension Transaction {
    /// What follows a column, if anything does.
    @inline(__always)
    func followers(of column: Slot, in table: TableNumber) -> ColumnFollowers? {
        access[table].traits[column].followers?.takeUnretainedValue()
    }

    /// What follows a to-many relationship that shows a list.
    @inline(__always)
    func derivations(over list: ListLayout) -> [Int] {
        guard let slot = list.ownerSlot else { return [] }
        return followers(of: slot, in: list.owners)?.derivations ?? []
    }

    /// Takes a row out of what follows a column of its that is about to change; `linked` are
    /// derivations whose link to the row changes too, and which are told of that.
    func leave(
        _ followers: ColumnFollowers, _ row: Row, in table: TableNumber, linked: [Int] = []
    ) {
        if contains(row, in: table), !isNewcomer(row, in: table) {
            for number in followers.orderedIndexes { leaveIndex(number, row, in: table) }
            for number in followers.wordIndexes { leaveWords(number, row, in: table) }
            for number in followers.combinations { leaveCombination(number, row, in: table) }
        }
        for number in followers.readers where !linked.contains(number) {
            forEachOwner(of: row, number) { contribute(row, to: $0, number, isAdded: false) }
        }
    }

    /// Enters a row where `leave` took it out.
    func join(
        _ followers: ColumnFollowers, _ row: Row, in table: TableNumber, linked: [Int] = []
    ) {
        if contains(row, in: table), !isNewcomer(row, in: table) {
            for number in followers.orderedIndexes { joinIndex(number, row, in: table) }
            for number in followers.wordIndexes { joinWords(number, row, in: table) }
            for number in followers.combinations { joinCombination(number, row, in: table) }
        }
        for number in followers.readers where !linked.contains(number) {
            forEachOwner(of: row, number) {
                contribute(row, to: $0, number, isAdded: true)
                publish(number, of: $0)
            }
        }
        for number in followers.paths {
            forEachOwner(withPathThrough: row, in: table, number) { publish(number, of: $0) }
        }
    }

    /// Enters a new row into all indexes of its table, but for those of unique attributes.
    func joinIndexes(_ row: Row, in table: TableNumber) {
        for number in layout.tables[table].orderedIndexes.indices {
            joinIndex(number, row, in: table)
        }
        for number in layout.tables[table].wordIndexes.indices {
            joinWords(number, row, in: table)
        }
        for number in layout.tables[table].combinations.indices {
            joinCombination(number, row, in: table)
        }
    }

    /// Makes the derived values of a new row anew: one that was there before may hold those of then.
    func publishAll(of row: Row, in table: TableNumber) {
        for number in layout.tables[table].derivations {
            let slot = layout.derivations[number].slot
            if layout.computations[number] != nil
                || block(row, slot, in: table).isValid(at: row.offset)
            {
                publish(number, of: row)
            }
        }
    }

    /// Takes a row that is about to go out of all these indexes.
    func leaveIndexes(_ row: Row, in table: TableNumber) {
        for number in layout.tables[table].orderedIndexes.indices {
            leaveIndex(number, row, in: table)
        }
        for number in layout.tables[table].wordIndexes.indices {
            leaveWords(number, row, in: table)
        }
        for number in layout.tables[table].combinations.indices {
            leaveCombination(number, row, in: table)
        }
    }

    // MARK: - Ordered indexes

    private func joinIndex(_ number: Int, _ row: Row, in table: TableNumber) {
        let layout = self.layout.tables[table].orderedIndexes[number]
        guard layout.has(row, block: { block($0, $1, in: table) }) else { return }
        let entry = layout.entry(row) { block($0, $1, in: table) }
        updateOrderedIndex(number, of: table) { index, token in
            if layout.isExact {
                index.insert(entry, token: token)
            } else {
                index.insert(entry, token: token) { other in
                    layout.order(row, other) { block($0, $1, in: table) }
                }
            }
        }
    }

    private func leaveIndex(_ number: Int, _ row: Row, in table: TableNumber) {
        let layout = self.layout.tables[table].orderedIndexes[number]
        guard layout.has(row, block: { block($0, $1, in: table) }) else { return }
        let entry = layout.entry(row) { block($0, $1, in: table) }
        updateOrderedIndex(number, of: table) { index, token in
            if layout.isExact {
                index.remove(entry, token: token)
            } else {
                index.remove(entry, token: token) { other in
                    layout.order(row, other) { block($0, $1, in: table) }
                }
            }
        }
    }

    // MARK: - Unique combinations

    private func joinCombination(_ number: Int, _ row: Row, in table: TableNumber) {
        let layout = self.layout.tables[table].combinations[number]
        guard let hash = layout.hash(row, block: { block($0, $1, in: table) }) else { return }
        let index = self.layout.tables[table].uniqueSlots.count + number
        updateIndex(index, of: table) { index, token in
            index.insert(row, hash: hash, token: token) { other in
                layout.isEqual(row, other) { block($0, $1, in: table) }
            }
        }
    }

    private func leaveCombination(_ number: Int, _ row: Row, in table: TableNumber) {
        let layout = self.layout.tables[table].combinations[number]
        guard let hash = layout.hash(row, block: { block($0, $1, in: table) }) else { return }
        let index = self.layout.tables[table].uniqueSlots.count + number
        updateIndex(index, of: table) { index, token in
            index.remove(row, hash: hash, token: token) { other in
                layout.isEqual(row, other) { block($0, $1, in: table) }
            }
        }
    }
}
