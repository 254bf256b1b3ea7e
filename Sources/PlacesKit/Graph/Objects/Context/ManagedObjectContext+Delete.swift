extension ManagedObjectContext {
    /// Deletes an object, and others as the delete rules say.
    ///
    /// A second delete does nothing. If a relationship with the rule `deny` forbids the delete, its
    /// links stay, and saves are refused until the objects at their other ends are deleted or moved
    /// away. Objects that `prepareForDeletion` deletes are deleted after it has returned.
    public func delete(_ object: ManagedObject) {
        guard let table = object.table, table.state === state else {
            note(.noSuchObject(object.objectID))
            return
        }
        delete(object.row, from: table)
    }

    /// Deletes the object of a row, after telling it and those that go with it.
    func delete(_ row: Row, from table: ObjectTable) {
        guard !transaction.isComputing else { return note(.changeInsideDerivation) }
        let deletion = HookCalls.Deletion(of: row, from: table)
        guard hooks.pointee.deletions == nil else {
            hooks.pointee.deletions?.append(deletion)
            return
        }
        hooks.pointee.deletions = [deletion]
        defer { hooks.pointee.deletions = nil }
        while let deletion = hooks.pointee.deletions?.popLast() {
            prepare(for: deletion)
            if deletion.isDue { transaction.delete(deletion.row, from: deletion.table.number) }
        }
        transaction.observations.tell()
    }

    /// Tells the object that is to be deleted, and all that its delete takes along, while every link is there.
    private func prepare(for deletion: HookCalls.Deletion) {
        guard deletion.isDue else { return }
        let (transaction, tables) = (transaction, state.tables)
        let (row, table) = (deletion.row, deletion.table)
        guard transaction.traits[table.number].cascades else {
            return table.object(row).prepareForDeletion()
        }
        let tableCount = transaction.graph.tables.count
        var prepared = [VisitedRows](repeating: VisitedRows(), count: tableCount)
        var handles = [ManagedObject?](repeating: nil, count: tableCount)
        for _ in 0..<HookCalls.limit {
            let links = (transaction.version, transaction.linkChanges)
            var visited = [VisitedRows](repeating: VisitedRows(), count: tableCount)
            var pending = [deletion]
            while let deletion = pending.popLast() {
                let (number, row) = (deletion.table.number, deletion.row)
                guard deletion.isDue, visited[number].insert(row) else { continue }
                if prepared[number].insert(row) {
                    tables[number].move(&handles[number], to: row)
                    Unmanaged.passUnretained(handles[number].unsafelyUnwrapped)
                        ._withUnsafeGuaranteedRef { $0.prepareForDeletion() }
                }
                transaction.forEachCascaded(from: row, in: number) {
                    pending.append(HookCalls.Deletion(of: $1, from: tables[$0]))
                }
            }
            // A hook may link more objects to one that was told already: then all are gone through again.
            guard links != (transaction.version, transaction.linkChanges) else { return }
        }
        note(.endlessHook("prepareForDeletion", transaction.graph.objectID(row, in: table.number)))
    }
}
