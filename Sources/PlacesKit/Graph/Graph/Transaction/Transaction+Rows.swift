import PlacesBase

// Rows come and go.

extension Transaction {
    /// Whether a row exists.
    func contains(_ row: Row, in table: TableNumber) -> Bool {
        access[table].contains(row)
    }

    /// A new row of a kind that holds the defaults.
    @inline(__always)
    func insert(into table: TableNumber, kind: Int32 = 0) -> Row {
        let use = suppliedRows.next(in: table)
        if use.generation > 0 { renew(use, in: table) }
        insert(use.row, into: table, kind: kind)
        return use.row
    }

    /// Makes a row of the given number and kind exist, with the defaults; it must not exist yet.
    func insert(_ row: Row, into table: TableNumber, kind: Int32) {
        insert(row, into: table, of: kind)
        guard table < entityTables.upperBound, traits[table].kinds.rawValue >= 0 else { return }
        for (slot, value) in layout.tables[table].defaults[Int(kind)] {
            write(value, row, slot, in: table)
        }
        // What a closure makes is made for the entities that have it.
        if isJoined(table) { publishAll(of: row, in: table) }
    }

    private func insert(
        _ row: Row, into table: TableNumber, of kind: Int32 = 0, holdsValues: Bool = false
    ) {
        makePresent(row, in: table)
        guard table < entityTables.upperBound else { return }
        // First, for it says which indexes the row is in.
        let isShared = traits[table].kinds.rawValue >= 0
        if isShared { setElement(kind, row, traits[table].kinds, in: table) }
        if holdsValues || traits[table].hasUniqueDefaults {
            for slot in layout.tables[table].uniqueSlots {
                enterIntoIndex(row, slot, in: table)
            }
        }
        if isJoined(table) {
            joinNewcomer()
            waiting.newcomer = (row, table)
            // Of several kinds, the caller does so when the row has the defaults of its own.
            if !isShared { publishAll(of: row, in: table, comesBack: holdsValues) }
        }
        note([.inserted, .all], row, in: table)
    }

    /// Whether a row is still to be entered into the indexes of its table.
    @inline(__always)
    func isNewcomer(_ row: Row, in table: TableNumber) -> Bool {
        waiting.contains(row, in: table)
    }

    /// Enters the row that was inserted last into the indexes of its table.
    func joinNewcomer() {
        let (row, table) = waiting.newcomer
        guard row != .none else { return }
        waiting.newcomer.row = Row.none
        updateIndexes(of: row, in: table, isAdded: true)
    }

    /// Makes a row exist, and nothing else.
    @inline(__always)
    func makePresent(_ row: Row, in table: TableNumber) {
        makeRoom(for: row, in: table)
        setPresent(true, row, in: table)
        current.tables[table].noteRow(row)
    }

    /// Makes room for rows up to one, so that their chunks can be written.
    @inline(__always)
    func makeRoom(for row: Row, in table: TableNumber) {
        let chunk = row.chunk
        if chunk >= access[table].chunkCapacity {
            access[table].grow(to: chunk + 1, of: current.tables[table])
        }
    }

    /// The column of a table that says of which kind rows are; `nil` without one.
    func kindColumn(of table: TableNumber) -> Slot? {
        traits[table].kinds.rawValue < 0 ? nil : traits[table].kinds
    }

    /// Whether a table has indexes, or derived attributes, that new rows have to join.
    func isJoined(_ table: TableNumber) -> Bool { traits[table].isJoined }

    /// Which of a table's entities a row is an object of; negative for a row that never existed.
    func kind(_ row: Row, in table: TableNumber) -> Int32 {
        traits[table].kinds.rawValue < 0
            ? 0 : element(Int32.self, row, traits[table].kinds, in: table)
    }

    /// How often a row was used before the object whose row it is, or was last.
    func generation(_ row: Row, in table: TableNumber) -> Int32 {
        guard current.tables[table].highestGeneration > 0,
            row.chunk < access[table].chunkCapacity
        else { return 0 }
        return element(Int32.self, row, traits[table].presence, in: table).generation
    }

    /// Says how often a row was used before its object.
    func setGeneration(_ generation: Int32, of row: Row, in table: TableNumber) {
        guard generation != self.generation(row, in: table) else { return }
        writableBlock(row, traits[table].presence, in: table)
            .elements(of: Int32.self)[row.offset] = Int32(generation: generation)
        current.tables[table].highestGeneration = max(
            current.tables[table].highestGeneration, generation)
    }

    /// The number by which the object whose row this is, or was last, is known outside.
    func number(of row: Row, in table: TableNumber) -> Int64 {
        current.tables[table].numbers
            .number(of: row, generation: generation(row, in: table))
    }

    /// The row of the object of a number, whether it lives or not; `nil` where it can't be there.
    func row(of number: Int64, in table: TableNumber) -> Row? {
        current.tables[table].numbers.row(of: number) { generation($0, in: table) }
    }

    /// Gives a row the number by which its object is known outside.
    func give(_ number: Int64, to row: Row, in table: TableNumber) {
        let generation = generation(row, in: table)
        current.tables[table].numbers.give(
            number, to: row, generation: generation, token: currentToken)
    }

    /// Makes a row of the given number and kind exist, as nobody's own: whatever it holds is to be written.
    ///
    /// It may have existed before, in this transaction too, and then holds what it held last.
    func revive(_ row: Row, in table: TableNumber, kind: Int32, generation: Int32 = 0) {
        if generation > 0 {
            renew(RowAllocator.Use(row: row, generation: generation), in: table)
        }
        // What it holds is in the indexes before a derived value replaces it.
        insert(row, into: table, of: kind, holdsValues: true)
        if traits[table].kinds.rawValue >= 0 { publishAll(of: row, in: table, comesBack: true) }
        guard table < entityTables.upperBound else { return }
        access[table].replaceNote(
            of: row, with: base.contains(row, in: table) ? .all : [.inserted, .all])
    }

    /// Makes a row cease to exist; its links are gone already, its values stay readable, but for blobs,
    /// whose files would stay too.
    func remove(_ row: Row, from table: TableNumber) {
        for slot in layout.tables[table].uniqueSlots where table < entityTables.upperBound {
            removeFromIndex(row, slot, in: table)
        }
        if isNewcomer(row, in: table) {
            waiting.newcomer.row = Row.none
        } else if isJoined(table) {
            updateIndexes(of: row, in: table, isAdded: false)
        }
        for column in traits[table].blobColumns { dropBlob(row, column, in: table) }
        setPresent(false, row, in: table)
        current.tables[table].count -= 1
        guard table < entityTables.upperBound else { return }
        let mask = access[table].changes(of: row)
        note(.deleted, row, in: table)
        access[table].replaceNote(
            of: row, with: mask.contains(.inserted) ? [.inserted, .deleted] : .deleted)
    }

    private func dropBlob(_ row: Row, _ column: Slot, in table: TableNumber) {
        let offset = row.offset
        guard block(row, column, in: table).isValid(at: offset) else { return }
        let block = writableBlock(row, column, in: table)
        block.elements(of: Blob.self)[offset] = .unset
        block.setValid(false, at: offset)
    }

    private func setPresent(_ isPresent: Bool, _ row: Row, in table: TableNumber) {
        writableBlock(row, traits[table].presence, in: table)
            .setValid(isPresent, at: row.offset)
    }

    /// Gives the rows of a table the numbers by which they are known outside.
    func setNumbers(_ numbers: RowNumbers, in table: TableNumber) {
        current.tables[table].numbers = numbers
        recorder.base.tables[table].numbers = numbers
    }

    // MARK: - Edges

    /// A row of an edge table, one that was freed before if there is any.
    func insertEdge(into table: TableNumber) -> Row {
        let free = current.tables[table].firstFreeEdge
        let bound = current.tables[table].upperBound
        if free.isNone, bound >= Int(Int32.max) {
            mistake("A store holds at most \(Int32.max) links of a many-to-many relationship.")
        }
        let row = free.isNone ? Row(bound) : free
        if !free.isNone {
            current.tables[table].firstFreeEdge = reference(free, .firstEnd, in: table)
        }
        insert(row, into: table)
        return row
    }

    /// Frees a row of an edge table.
    func removeEdge(_ row: Row, from table: TableNumber) {
        remove(row, from: table)
        setReference(row, .firstEnd, in: table, to: current.tables[table].firstFreeEdge)
        current.tables[table].firstFreeEdge = row
    }
}
