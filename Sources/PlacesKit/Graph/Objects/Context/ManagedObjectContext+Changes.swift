extension ManagedObjectContext {
    /// The objects inserted since the last save.
    ///
    /// - Complexity: O(k) for k changes since the last save. Each of the objects gets a handle.
    public var insertedObjects: Set<ManagedObject> {
        let saved = saved
        return objects({ $0.inserted }, noted: { $0.contains(.inserted) }) { row, table in
            transaction.contains(row, in: table) && !saved.contains(row, in: table)
        }
    }

    /// The objects changed since the last save, without the inserted ones.
    ///
    /// - Complexity: O(k) for k changes since the last save. Each of the objects gets a handle.
    public var updatedObjects: Set<ManagedObject> {
        let saved = saved
        return objects({ $0.updated.map(\.row) }, noted: { _ in true }) { row, table in
            guard transaction.contains(row, in: table), saved.contains(row, in: table) else {
                return false
            }
            let noted = transaction.isComputing ? [] : transaction.access[table].changes(of: row)
            // What is noted of a row may come to nothing, and take back what was processed.
            guard !noted.isEmpty else { return true }
            let mask = noted.union(unsaved.changes.properties(of: row, in: table))
            return transaction.graph.isChanged(row, among: mask, since: saved, in: table)
        }
    }

    /// The objects deleted since the last save.
    ///
    /// - Complexity: O(k) for k changes since the last save. Each of the objects gets a handle.
    public var deletedObjects: Set<ManagedObject> {
        let saved = saved
        return objects({ $0.deleted }, noted: { $0.contains(.deleted) }) { row, table in
            !transaction.contains(row, in: table) && saved.contains(row, in: table)
        }
    }

    /// The objects of rows among those that were processed as some changes, or noted so since.
    ///
    /// What is noted is not made a change set: who asks again and again would pay for that each time.
    private func objects<Rows: Sequence<Row>>(
        _ processed: (TableChanges) -> Rows,
        noted: (PropertyMask) -> Bool, where isIncluded: (Row, TableNumber) -> Bool
    ) -> Set<ManagedObject> {
        let changes = unsaved.changes.all
        var objects: Set<ManagedObject> = []
        for table in state.tables where table.isRoot {
            let number = table.number
            var rows = changes.map { Array(processed($0.tables[number])) } ?? []
            // The closure of a derived attribute is asked in the midst of a change.
            if !transaction.isComputing {
                rows += transaction.access[number].notedRows.filter {
                    noted(transaction.access[number].changes(of: $0))
                }
            }
            for row in rows.filter({ isIncluded($0, number) }) {
                objects.insert(table.object(row))
            }
        }
        return objects
    }

    /// All changes since the last save, as they are now; `nil` without any.
    ///
    /// They are not made a batch by that: whoever looks ends no group of undo, and tells nobody.
    var unsavedChanges: ChangeSet? {
        let processed = unsaved.changes.all
        // The closure of a derived attribute is asked in the midst of a change.
        guard !transaction.isComputing, let noted = transaction.notedChanges else {
            return processed
        }
        return processed?.merging(noted) ?? noted
    }
}
