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
        update(followers, row, in: table, linked: linked, isAdded: false)
    }

    /// Enters a row where `leave` took it out, and publishes what follows.
    func join(_ followers: ColumnFollowers, _ row: Row, in table: TableNumber) {
        enter(followers, row, in: table)
        publish(followers, row, in: table)
    }

    /// Enters a row where `leave` took it out.
    func enter(
        _ followers: ColumnFollowers, _ row: Row, in table: TableNumber, linked: [Int] = []
    ) {
        update(followers, row, in: table, linked: linked, isAdded: true)
    }

    /// Writes what is derived from a column of a row that has changed.
    func publish(
        _ followers: ColumnFollowers, _ row: Row, in table: TableNumber, linked: [Int] = []
    ) {
        for number in followers.readers where !linked.contains(number) {
            forEachOwner(of: row, number) { publish(number, of: $0) }
        }
        for number in followers.paths {
            forEachOwner(withPathThrough: row, in: table, number) { publish(number, of: $0) }
        }
    }

    /// Enters a row into the indexes that read a column, and into what is kept for its owners, or takes it out.
    private func update(
        _ followers: ColumnFollowers, _ row: Row, in table: TableNumber, linked: [Int],
        isAdded: Bool
    ) {
        for number in followers.readers where !linked.contains(number) {
            forEachOwner(of: row, number) { contribute(row, to: $0, number, isAdded: isAdded) }
        }
        guard contains(row, in: table), !isNewcomer(row, in: table) else { return }
        for number in followers.orderedIndexes { updateEntry(number, row, in: table, isAdded) }
        for number in followers.wordIndexes { updateWords(number, row, in: table, isAdded) }
        for number in followers.combinations { updateCombination(number, row, in: table, isAdded) }
    }

    /// Enters a new row into all indexes of its table, but for those of unique attributes, or takes one
    /// out that is about to go.
    func updateIndexes(of row: Row, in table: TableNumber, isAdded: Bool) {
        for number in layout.tables[table].orderedIndexes.indices {
            updateEntry(number, row, in: table, isAdded)
        }
        for number in layout.tables[table].wordIndexes.indices {
            updateWords(number, row, in: table, isAdded)
        }
        for number in layout.tables[table].combinations.indices {
            updateCombination(number, row, in: table, isAdded)
        }
    }

    /// Makes the derived values of a row anew that has come: one that was there before may hold those of then.
    ///
    /// For one that comes back, something may be kept that changed while it was gone: members whose rule forbade its delete.
    func publishAll(of row: Row, in table: TableNumber, comesBack: Bool = false) {
        for number in layout.tables[table].derivations {
            let slot = layout.derivations[number].slot
            if comesBack || layout.computations[number] != nil
                || block(row, slot, in: table).isValid(at: row.offset)
            {
                publish(number, of: row)
            }
        }
    }

    private func updateEntry(_ number: Int, _ row: Row, in table: TableNumber, _ isAdded: Bool) {
        let layout = self.layout.tables[table].orderedIndexes[number]
        guard layout.has(row, block: { block($0, $1, in: table) }) else { return }
        let entry = layout.entry(row) { block($0, $1, in: table) }
        func tie(_ other: Row) -> Int {
            layout.isExact ? 0 : layout.order(row, other) { block($0, $1, in: table) }
        }
        let token = token.pointee
        if isAdded {
            current.tables[table].orderedIndexes[number].insert(entry, token: token, tie: tie)
        } else {
            current.tables[table].orderedIndexes[number].remove(entry, token: token, tie: tie)
        }
    }

    private func updateCombination(
        _ number: Int, _ row: Row, in table: TableNumber, _ isAdded: Bool
    ) {
        let layout = self.layout.tables[table].combinations[number]
        guard let hash = layout.hash(row, block: { block($0, $1, in: table) }) else { return }
        func isEqual(_ other: Row) -> Bool {
            layout.isEqual(row, other) { block($0, $1, in: table) }
        }
        let index = self.layout.tables[table].uniqueSlots.count + number
        updateIndex(index, of: table) { index, token in
            if isAdded {
                index.insert(row, hash: hash, token: token, where: isEqual)
            } else {
                index.remove(row, hash: hash, token: token, where: isEqual)
            }
        }
    }
}
