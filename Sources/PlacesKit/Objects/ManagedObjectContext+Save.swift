extension ManagedObjectContext {
    /// Saves all changes into the store, or none.
    ///
    /// Where another context saved other values of the same properties first, the context's
    /// ``mergePolicy`` decides.
    ///
    /// - Throws: `ContextError.invalid` with every rule that the changes break,
    ///   `ContextError.conflict` where the merge policy is `error`, the first change that could not be
    ///   made, or `ContextError.readOnly`. The changes stay pending then.
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
            if unsettled.isEmpty, let commit = store.commit(changes.after, onto: committed) {
                committed = commit
                processed = nil
                transaction.forgetDenials(settledIn: commit.graph)
                return
            }
            isMerged = true
            changes = try settle(onto: store.head)
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
    /// Where both changed the same properties this context goes on showing its own values; the next
    /// save settles the conflict by the ``mergePolicy``.
    public func refreshAllObjects() {
        processPendingChanges()
        let told = transaction.base
        let changes = gatherChanges()
        guard !changes.isEmpty else { return showHead(told: told) }
        defer { tell(ChangeSet(from: told, to: transaction.base)) }
        let head = store.head
        unsettled = conflicts(of: changes, with: head.graph)
        rebase(Replay(changes, settling: unsettled.map(\.place), by: .error), onto: head)
    }

    /// Shows what the store has now and nothing else to listeners who were told of `told`.
    private func showHead(told: Graph) {
        processed = nil
        unsettled = []
        committed = store.head
        transaction.reset(to: committed.graph)
        tell(ChangeSet(from: told, to: committed.graph))
    }

    /// All changes since the last save, those made by listeners of late among them.
    func gatherChanges() -> ChangeSet {
        if let processed, !transaction.hasNotes { return processed }
        let changes = transaction.takeChanges()
        let all = processed?.merging(changes) ?? changes
        processed = all
        return all
    }

    /// Makes changes again on top of what the store has, and tells nobody.
    func rebase(_ replay: Replay, onto head: CommittedGraph) {
        transaction.reset(to: head.graph)
        transaction.apply(replay)
        committed = head
        processed = transaction.takeChanges()
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
}
