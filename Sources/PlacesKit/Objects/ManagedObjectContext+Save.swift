extension ManagedObjectContext {
    /// Saves all changes into the store, or none.
    ///
    /// - Throws: `ContextError.invalid` with every rule that the changes break,
    ///   `ContextError.conflict` where another context saved other values of the same properties
    ///   first, the first change that could not be made, or `ContextError.readOnly`. The changes stay
    ///   pending then.
    /// - Complexity: O(k) for k changed objects.
    public func save() throws(ContextError) {
        processPendingChanges()
        if let mistake = mistakes.first { throw mistake }
        guard let changes = processed, !changes.isEmpty else { return }
        guard !store.isReadOnly else { throw .readOnly }
        try validate(changes)
        var changesToSave = changes
        while true {
            if let commit = store.commit(transaction.freeze(), onto: committed) {
                committed = commit
                processed = nil
                return
            }
            changesToSave = try rebase(changesToSave)
            try validate(changesToSave)
        }
    }

    /// Drops all changes and shows what the store has now.
    public func rollback() {
        forgetMistakes()
        // What the listeners were told last: changes since then were pending and never shown.
        let told = transaction.base
        processed = nil
        committed = store.head
        transaction.reset(to: committed.graph)
        tell(ChangeSet(from: told, to: committed.graph))
    }

    /// Shows what other contexts saved, and keeps the changes of this one.
    ///
    /// - Throws: `ContextError.conflict` where both changed the same properties; nothing is changed
    ///   then.
    public func refreshAllObjects() throws(ContextError) {
        processPendingChanges()
        guard let changes = processed, !changes.isEmpty else {
            rollback()
            return
        }
        _ = try rebase(changes)
    }

    /// Makes the pending changes again on top of what the store has now.
    private func rebase(_ changes: ChangeSet) throws(ContextError) -> ChangeSet {
        let head = store.head
        try checkConflicts(of: changes, with: head.graph)
        transaction.reset(to: head.graph)
        transaction.apply(changes)
        let shown = changes.after
        committed = head
        let rebased = transaction.takeChanges()
        processed = rebased
        tell(ChangeSet(from: shown, to: rebased.after))
        return rebased
    }

    private func checkConflicts(
        of changes: ChangeSet, with saved: Graph
    ) throws(ContextError) {
        let conflicts = changes.conflicts(with: saved).map { conflict in
            let entity = saved.schema.entities[conflict.table]
            func value(in graph: Graph) -> Datum {
                conflict.slot.map { graph.describe(conflict.row, $0, in: conflict.table) } ?? .null
            }
            return SaveConflict(
                object: ObjectID(entity: entity.name, number: Int64(conflict.row)),
                property: conflict.slot.map { entity.properties[$0].name },
                base: value(in: changes.before), saved: value(in: saved),
                attempted: value(in: changes.after))
        }
        if !conflicts.isEmpty { throw .conflict(conflicts) }
    }

    // MARK: - Validation

    private func validate(_ changes: ChangeSet) throws(ContextError) {
        let graph = changes.after
        var failures: [ValidationFailure] = []
        for table in changes.tables.indices {
            let entity = graph.schema.entities[table]
            func fail(_ row: Int32, _ slot: Int, _ reason: ValidationFailure.Reason) {
                failures.append(
                    ValidationFailure(
                        object: ObjectID(entity: entity.name, number: Int64(row)),
                        property: entity.properties[slot].name, reason: reason))
            }
            let required = entity.properties.indices.filter {
                entity.properties[$0].attribute?.isRequired ?? false
            }
            for row in changes.tables[table].inserted {
                for slot in required
                where !transaction.block(row, slot, in: table)
                    .isValid(at: Int(row) & ChunkLayout.mask)
                {
                    fail(row, slot, .missingValue)
                }
            }
            for (index, slot) in graph.layout.tables[table].uniqueSlots.enumerated() {
                for row in graph.tables[table].uniqueIndexes[index].duplicates.sorted() {
                    let value = graph.datum(row, slot, in: table)
                    guard let other = graph.find(value, slot, in: table) else { continue }
                    let id = ObjectID(entity: entity.name, number: Int64(other))
                    fail(row, slot, .duplicateValue(value, other: id))
                }
            }
        }
        for denied in transaction.deniedDeletes(in: changes) {
            let entity = graph.schema.entities[denied.table]
            failures.append(
                ValidationFailure(
                    object: ObjectID(entity: entity.name, number: Int64(denied.row)),
                    property: entity.properties[denied.slot].name, reason: .deleteDenied))
        }
        if !failures.isEmpty { throw .invalid(failures) }
    }
}

extension Graph {
    /// The value of a property for an error's text: a relationship is the numbers that it leads to.
    fileprivate func describe(_ row: Int32, _ slot: Int, in table: Int) -> Datum {
        guard layout.tables[table].relationships[slot] != nil else {
            return datum(row, slot, in: table)
        }
        let rows = related(row, slot, in: table).map(String.init)
        return rows.isEmpty ? .null : .string(rows.joined(separator: ", "))
    }
}
