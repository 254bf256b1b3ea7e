extension Transaction {
    /// Whether the accessors tell of reads, so that they can be observed.
    var isTracked: Bool {
        get { tables.contains { access[$0].isTracked } }
        set { for table in tables { access[table].isTracked = newValue } }
    }

    /// Whether somebody observes a row.
    var isObserved: Bool { tables.contains { access[$0].isObserved } }

    private var tables: Range<TableNumber> { layout.entityTables }

    /// Remembers that a property of a row is read, which is being tracked.
    @inline(never)
    fileprivate func noteRead(_ slot: Slot, _ row: Row, in table: TableNumber) {
        observe(PropertyMask(slot: slot), slot, row, in: table)
        // From now on the accessors' shortcut must not write the column.
        if !access[table].traits[slot].isObserved {
            access[table].traits[slot].isObserved = true
            _ = freeze()
        }
    }

    /// Remembers that somebody asks whether a row exists, if reads are being tracked.
    func noteExistenceRead(_ row: Row, in table: TableNumber) {
        if observations.isTracking { observe(.deleted, nil, row, in: table) }
    }

    /// Tells whoever wants to know that a row was noted.
    func noteWatched(_ mask: PropertyMask, _ slot: Slot?, _ row: Row, in table: TableNumber) {
        if access[table].isObserved { observations.touch(mask, slot, row, in: table) }
        recorder.tellFirstNote()
    }

    private func observe(
        _ mask: PropertyMask, _ slot: Slot?, _ row: Row, in table: TableNumber
    ) {
        access[table].isObserved = true
        recorder.isWatched = true
        observations.insert(mask, slot, row, in: table, isGone: !contains(row, in: table))
    }
}

/// Tells the Observation framework that an attribute is read, if it wants to know.
///
/// Its parameters are no references, and it releases none that a caller could hold: so the accessors
/// need not retain anything around a call that is hardly ever made.
@usableFromInline
@inline(never)
@_effects(releasenone)
func noteRead(_ access: UnsafeMutablePointer<TableAccess>, _ row: Row, _ slot: Int32) {
    access.pointee.transaction?._withUnsafeGuaranteedRef { transaction in
        guard transaction.observations.isTracking else { return }
        transaction.noteRead(
            Slot(rawValue: slot), row, in: TableNumber(access - transaction.access))
    }
}
