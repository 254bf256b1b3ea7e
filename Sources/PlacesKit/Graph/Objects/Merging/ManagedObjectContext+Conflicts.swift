extension ManagedObjectContext {
    /// Makes the next save with changes meet a conflict if others have changed an object by then.
    ///
    /// Use it for an object that this context only reads, if a change depends on what was read:
    /// ```swift
    /// try context.detectConflicts(for: account)
    /// if account.isOpen { Payment(context: context).account = account }
    /// try context.save()
    /// ```
    /// Under the merge policy `error` the save throws; the other policies settle only objects that
    /// both wrote. The detection starts from the state that the context shows now, and ends when
    /// the context saves or rolls back.
    ///
    /// - Parameter object: An object of this context.
    /// - Throws: `ContextError.noSuchObject` for an object of another context.
    public func detectConflicts(for object: ManagedObject) throws(ContextError) {
        guard let table = object.table, table.state === state else {
            throw .noSuchObject(object.objectID)
        }
        unsaved.bases.rely(on: object.row, in: table.number)
    }

    /// The conflicts of the pending changes with what others wrote: new ones, and those that were met
    /// before.
    func conflicts(of changes: ChangeSet, with head: CommittedGraph) -> WriteBases.Conflicts {
        let committed = fork.committed
        let bases = unsaved.bases
        guard head.number != committed.number else { return bases.conflicts }
        // What only went along with others is no own delete.
        let changes = changes.withUnseenWrites(of: bases.conflicts.keys).without(bases.effects)
            .withBuriedWrites(of: bases.effects)
        let others = ForeignWrites(
            of: fork.writes(since: committed.number, upTo: head.number),
            among: bases.rows(concerning: changes), from: committed.graph, to: head.graph)
        return bases.conflicts(of: changes, with: others)
    }

    /// Makes the pending changes again on top of what the store has now, as the merge policy settles
    /// the conflicts, and checks them; tells nobody.
    ///
    /// - Returns: All changes, and what takes back that new objects became others, if that is to be remembered.
    /// - Throws: `ContextError.invalid`; the changes are as they were made then, for whatever policy is chosen.
    func settle(
        _ pending: ChangeSet, _ conflicts: WriteBases.Conflicts,
        onto head: CommittedGraph, denials: DeniedDeletes, settingAside late: inout LateChanges
    ) throws(ContextError) -> (changes: ChangeSet, folds: Delta?) {
        if head.number != fork.committed.number || !conflicts.isEmpty {
            rebase(
                Replay(
                    pending, without: unsaved.bases.effects, settling: conflicts.keys,
                    by: mergePolicy, keepingWhole: store.model.indivisibleParts),
                onto: head, denials: denials)
        }
        let folds = foldDuplicates(onto: head.graph)
        let changes = allChanges()
        do throws(ContextError) {
            try validate(changes)
        } catch {
            _ = late.take(from: transaction, of: store.rows)
            merge(pending, conflicts, onto: head, denials: denials)
            throw error
        }
        // What an object changed while it was asked stays pending, and is not to be saved with the rows.
        guard !transaction.hasNotes else { return (changes, folds) }
        // Who always saves over another's commit would never clear them otherwise; who is refused would in vain. No
        // change that was made again needs them: it has rows that are in use, or held.
        clearEndedRows()
        return (allChanges(), folds)
    }

    /// Shows what the store has now with the own changes on top, whatever the merge policy, and keeps the
    /// conflicts for the next save.
    ///
    /// - Parameters:
    ///   - changes: The own changes.
    ///   - conflicts: What others wrote of what they write.
    ///   - taken: What of the own changes was taken back.
    ///   - head: What the store has now.
    ///   - denials: The rows that the changes delete against a rule.
    func merge(
        _ changes: ChangeSet, _ conflicts: WriteBases.Conflicts, but taken: TakenBack? = nil,
        onto head: CommittedGraph, denials: DeniedDeletes
    ) {
        let effects = unsaved.bases.effects
        var replay = Replay(
            changes, without: effects, settling: conflicts.keys, by: .error,
            keepingWhole: store.model.indivisibleParts)
        if let taken { replay.leaveOut(taken) }
        rebase(replay, onto: head, denials: denials)
        unsaved.bases.conflicts = conflicts
        // Where others wrote nothing of what the changes write, nothing else follows from them.
        guard
            !conflicts.isEmpty || !effects.isEmpty || !effects.returned.isEmpty
                || effects.hasOverwritten,
            let made = unsaved.changes.all
        else { return }
        unsaved.bases.follow(SideEffects(of: replay, in: made))
    }

    /// Ends the conflicts of pending writes that an undo has taken back, and shows there what others saved, and
    /// nothing of what had followed from them.
    ///
    /// - Parameters:
    ///   - undo: What the undo, or a redo, changed.
    ///   - group: What was taken back; `nil` where no conflict ends.
    /// - Complexity: O(k) for k pending changes, if there is anything of either.
    /// - Returns: What that changed, if anything was to be done.
    func showSaved(after undo: ChangeSet, takingBack group: UndoGroup?) -> ChangeSet? {
        let taken = group.flatMap {
            unsaved.bases.endConflicts(takenBackBy: undo, of: $0, over: fork.saved)
        }
        guard taken != nil || !unsaved.bases.effects.isEmpty, let pending = unsaved.changes.all
        else { return nil }
        return transaction.observations.touch {
            merge(
                pending, unsaved.bases.conflicts, but: taken, onto: fork.committed,
                denials: transaction.denials)
            let changes = [pending, unsaved.changes.all].compactMap { $0?.tables }
            return ChangeSet(from: undo.after, to: transaction.base, among: changes)
        }
    }

    /// Whether new objects have unique values that others have, and a constraint or the merge policy lets
    /// them become those.
    var hasFoldable: Bool {
        state.tables.contains { table in
            guard table.isRoot else { return false }
            let graph = transaction.graph
            return zip(
                graph.tables[table.number].uniqueIndexes,
                graph.layout.tables[table.number].clashPolicies
            ).contains {
                $0.hasDuplicates && FoldedValues($1, otherwise: mergePolicy.folded) != nil
            }
        }
    }

    /// Lets new objects whose unique values others have become those, as constraints and the merge policy
    /// say; returns what takes that back for those whose insert is remembered.
    ///
    /// Without that, taking an insert back would take away what the other object has of it. What is not remembered stays
    /// what it became, for nobody could take the object back that would be there again.
    private func foldDuplicates(onto head: Graph) -> Delta? {
        transaction.foldDuplicates(newSince: head, taking: mergePolicy.folded)
        var folds = transaction.takeChanges()
        unsaved.changes.append(folds)
        guard !folds.isEmpty else { return nil }
        undoStack.interrupt()
        guard undoStack.isRegistering else { return nil }
        let new = folds.rows(\.deleted).filter { !head.contains($0.row, in: $0.table) }
        func object(_ address: RowAddress) -> Delta.Departure {
            Delta.Departure(
                object: folds.before.number(of: address.row, in: address.table),
                table: address.table)
        }
        let remembered = undoStack.inserted(among: Set(new.lazy.map(object)))
        guard !remembered.isEmpty else { return nil }
        if remembered.count < new.count {
            let others = Transaction(folds.before, rows: store.rows)
            others.foldDuplicates(
                newSince: head, taking: mergePolicy.folded,
                among: Set(new.filter { !remembered.contains(object($0)) }))
            folds = ChangeSet(from: others.takeChanges().after, to: folds.after)
        }
        return Delta(undoing: folds, of: store.rows, over: fork.saved)
    }

    /// The conflicts in the words of an error, in the order of objects and properties.
    func describe(
        _ conflicts: WriteBases.Conflicts, of changes: ChangeSet,
        with head: Graph
    ) -> [SaveConflict] {
        func attempted(_ key: ChangeSet.Conflict) -> Graph {
            let buried = key.slot.flatMap {
                unsaved.bases.effects.buriedGraph(
                    of: $0, key.row, in: key.table, under: changes.after)
            }
            return buried ?? changes.after
        }
        return conflicts.keys.sorted().compactMap { key in
            guard let conflict = conflicts[key] else { return nil }
            let properties = head.layout.tables[key.table].properties
            // Only a graph that has the object knows its entity.
            let graph =
                [head, changes.after, conflict.base].first {
                    $0.contains(key.row, in: key.table)
                } ?? changes.before
            let written = properties.slots
                .filter(conflict.written.contains)
                .map { properties[$0].name }
            let isThere = head.contains(key.row, in: key.table)
            let reason: SaveConflict.Reason
            switch key.kind {
            case .written: reason = key.slot == nil ? .deleted : .sameProperty
            case .besides: reason = .otherProperties(written)
            case .read: reason = isThere ? .read(written) : .readAndDeleted
            case .moved(let member):
                let destination = head.destination(of: key.slot ?? Slot(0), in: key.table)
                reason = .moved(head.objectID(member, in: destination))
            }
            return SaveConflict(
                object: graph.objectID(key.row, in: key.table),
                property: key.slot.map { properties[$0].name }, reason: reason,
                base: conflict.base.describe(key), saved: head.describe(key),
                attempted: attempted(key).describe(key))
        }
    }
}

extension Graph {
    /// The value of a property for an error's text.
    fileprivate func describe(_ conflict: ChangeSet.Conflict) -> Datum {
        guard let slot = conflict.slot else { return .null }
        guard case .moved(let member) = conflict.kind else {
            return describe(conflict.row, slot, in: conflict.table)
        }
        let members = related(conflict.row, slot, in: conflict.table)
        return members.enumerated().first { $0.element == member }
            .map { .integer(Int64($0.offset)) } ?? .null
    }
}

extension MergePolicy {
    /// What a saved object takes over from a new one with its unique value; `nil` refuses the new one.
    var folded: FoldedValues? {
        switch self {
        case .error: nil
        case .mergeByPropertyStoreTrump, .rollback: .nothing
        case .mergeByPropertyObjectTrump: .given
        case .overwrite: .all
        }
    }
}
