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
        guard var changes = processed else { return }
        if store.isReadOnly, !changes.isEmpty { throw .readOnly }
        try validate(changes)
        guard !changes.isEmpty else { return }
        // Listeners may change and save the context, so they hear of a merge when all is done.
        let told = transaction.base
        var isMerged = false
        defer { if isMerged { tell(ChangeSet(from: told, to: transaction.base)) } }
        // What a listener changed meanwhile is not part of these changes: it stays pending.
        while true {
            if let commit = store.commit(changes.after, onto: committed) {
                committed = commit
                processed = nil
                transaction.forgetDenials(settledIn: commit.graph)
                return
            }
            isMerged = true
            changes = try rebase()
            try validate(changes)
        }
    }

    /// Drops all changes and shows what the store has now.
    public func rollback() {
        forgetMistakes()
        showHead(told: transaction.base)
    }

    /// Shows what other contexts saved, and keeps the changes of this one.
    ///
    /// - Throws: `ContextError.conflict` where both changed the same properties; nothing is changed
    ///   then.
    public func refreshAllObjects() throws(ContextError) {
        processPendingChanges()
        let told = transaction.base
        guard gatherChanges()?.isEmpty == false else { return showHead(told: told) }
        defer { tell(ChangeSet(from: told, to: transaction.base)) }
        _ = try rebase()
    }

    /// Shows what the store has now and nothing else to listeners who were told of `told`.
    private func showHead(told: Graph) {
        processed = nil
        committed = store.head
        transaction.reset(to: committed.graph)
        tell(ChangeSet(from: told, to: committed.graph))
    }

    /// All changes since the last save, those made by listeners of late among them.
    private func gatherChanges() -> ChangeSet? {
        if transaction.hasNotes {
            let changes = transaction.takeChanges()
            processed = processed?.merging(changes) ?? changes
        }
        return processed
    }

    /// Makes the pending changes again on top of what the store has now, and tells nobody.
    private func rebase() throws(ContextError) -> ChangeSet {
        let head = store.head
        if let changes = gatherChanges() {
            try checkConflicts(of: changes, with: head.graph)
            transaction.reset(to: head.graph)
            transaction.apply(changes)
        }
        committed = head
        let rebased = transaction.takeChanges()
        processed = rebased
        return rebased
    }

    private func checkConflicts(
        of changes: ChangeSet, with saved: Graph
    ) throws(ContextError) {
        let conflicts = changes.conflicts(with: saved).map { conflict in
            let properties = saved.layout.tables[conflict.table].properties
            func value(in graph: Graph) -> Datum {
                conflict.slot.map { graph.describe(conflict.row, $0, in: conflict.table) } ?? .null
            }
            return SaveConflict(
                object: saved.objectID(conflict.row, in: conflict.table),
                property: conflict.slot.map { properties[$0].name },
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
            let properties = graph.layout.tables[table].properties
            func fail(_ row: Int32, _ slot: Int?, _ reason: ValidationFailure.Reason) {
                failures.append(
                    ValidationFailure(
                        object: graph.objectID(row, in: table),
                        property: slot.map { properties[$0].name } ?? "", reason: reason))
            }
            for number in graph.layout.tables[table].entities {
                let entity = graph.layout.entities[number]
                let inserted = graph.rows(changes.tables[table].inserted, of: entity)
                if entity.isAbstract {
                    for row in inserted { fail(row, nil, .abstractEntity) }
                }
                for slot in entity.slots where properties[slot].attribute?.isRequired ?? false {
                    let column = graph.tables[table].columns[slot]
                    for row in inserted where !column.isValid(at: row) {
                        fail(row, slot, .missingValue)
                    }
                }
            }
            for (index, slot) in graph.layout.tables[table].uniqueSlots.enumerated() {
                for row in graph.tables[table].uniqueIndexes[index].duplicates.sorted() {
                    let value = graph.datum(row, slot, in: table)
                    guard let other = graph.find(value, slot, in: table) else { continue }
                    let id = graph.objectID(other, in: table)
                    fail(row, slot, .duplicateValue(value, other: id))
                }
            }
        }
        for denied in transaction.deniedDeletes(in: graph) {
            let properties = graph.layout.tables[denied.table].properties
            failures.append(
                ValidationFailure(
                    object: graph.objectID(denied.row, in: denied.table),
                    property: properties[denied.slot].name, reason: .deleteDenied))
        }
        if !failures.isEmpty { throw .invalid(failures) }
    }
}

extension Graph {
    /// The rows, among some of an entity's table, that are objects of just this entity.
    fileprivate func rows(
        _ rows: ContiguousArray<Int32>, of entity: EntityLayout
    ) -> ContiguousArray<Int32> {
        layout.tables[entity.table].kinds == nil
            ? rows : rows.filter { kind($0, in: entity.table) == entity.kind }
    }

    /// The value of a property for an error's text: a relationship is the numbers that it leads to.
    fileprivate func describe(_ row: Int32, _ slot: Int, in table: Int) -> Datum {
        guard layout.tables[table].relationships[slot] != nil else {
            return datum(row, slot, in: table)
        }
        let rows = related(row, slot, in: table).map(String.init)
        return rows.isEmpty ? .null : .string(rows.joined(separator: ", "))
    }
}
