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
        guard head.number != committed.number else { return unsaved.bases.conflicts }
        let others = ForeignWrites(
            of: fork.writes(since: committed.number, upTo: head.number),
            among: unsaved.bases.rows(concerning: changes), from: committed.graph, to: head.graph)
        return unsaved.bases.conflicts(of: changes, with: others)
    }

    /// Makes the pending changes again on top of what the store has now, as the merge policy settles
    /// the conflicts, and checks them; tells nobody.
    ///
    /// - Throws: `ContextError.invalid`; the changes are as they were made then, for whatever policy is chosen.
    func settle(
        _ pending: ChangeSet, _ conflicts: WriteBases.Conflicts,
        onto head: CommittedGraph, denials: DeniedDeletes
    ) throws(ContextError) -> ChangeSet {
        if head.number != fork.committed.number || !conflicts.isEmpty {
            rebase(
                Replay(pending, settling: conflicts.keys, by: mergePolicy), onto: head,
                denials: denials)
        }
        let changes = foldDuplicates(onto: head.graph)
        do throws(ContextError) {
            try validate(changes)
        } catch {
            merge(pending, conflicts, onto: head, denials: denials)
            throw error
        }
        return changes
    }

    /// Shows what the store has now with the own changes on top, whatever the merge policy, and keeps the
    /// conflicts for the next save.
    ///
    /// - Parameters:
    ///   - changes: The own changes.
    ///   - conflicts: What others wrote of what they write.
    ///   - head: What the store has now.
    ///   - denials: The rows that the changes delete against a rule.
    func merge(
        _ changes: ChangeSet, _ conflicts: WriteBases.Conflicts,
        onto head: CommittedGraph, denials: DeniedDeletes
    ) {
        rebase(
            Replay(changes, settling: conflicts.keys, by: .error), onto: head,
            denials: denials)
        unsaved.bases.conflicts = conflicts
    }

    /// Ends the conflicts of pending writes that an undo is taking back, and shows there what others saved.
    ///
    /// Such an object is now as it was when this context began to write it, and was not before the undo.
    func endConflictsTakenBack() {
        guard !unsaved.bases.conflicts.isEmpty else { return }
        let (former, graph, saved) = (transaction.base, transaction.freeze(), fork.committed.graph)
        var gone: [ChangeSet.Conflict] = []
        for key in unsaved.bases.conflicts.keys.sorted() {
            guard let conflict = unsaved.bases.conflicts[key], graph.differs(from: former, key),
                !graph.hasWrites(key, since: conflict.base, saved)
            else { continue }
            unsaved.bases.conflicts[key] = nil
            if saved.contains(key.row, in: key.table) {
                transaction.copyValues(
                    of: key.row, key.slot.map { [$0] }, from: saved, in: key.table)
            } else {
                gone.append(key)
            }
        }
        for key in gone { transaction.delete(key.row, from: key.table) }
    }

    /// Whether new objects have unique values that others have, and a constraint or the merge policy lets
    /// them become those.
    var hasFoldable: Bool {
        tables.contains { table in
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
    /// say; returns all changes.
    private func foldDuplicates(onto head: Graph) -> ChangeSet {
        transaction.foldDuplicates(newSince: head, taking: mergePolicy.folded)
        // What a merge does is nothing to undo.
        unsaved.changes.append(transaction.takeChanges())
        return allChanges()
    }

    /// The conflicts in the words of an error, in the order of objects and properties.
    func describe(
        _ conflicts: WriteBases.Conflicts, of changes: ChangeSet,
        with head: Graph
    ) -> [SaveConflict] {
        conflicts.keys.sorted().compactMap { key in
            guard let conflict = conflicts[key] else { return nil }
            let properties = head.layout.tables[key.table].properties
            // Only a graph that has the object knows of which entity it is.
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
                attempted: changes.after.describe(key))
        }
    }
}

extension Graph {
    /// Whether what a conflict is about differs from an earlier graph.
    fileprivate func differs(from former: Graph, _ conflict: ChangeSet.Conflict) -> Bool {
        let (table, row) = (conflict.table, conflict.row)
        guard contains(row, in: table) == former.contains(row, in: table) else { return true }
        let slots = conflict.slot.map { [$0] } ?? layout.tables[table].valueSlots
        return slots.contains { differs(from: former, row, $0, in: table) }
    }

    /// Whether what a conflict is about is neither as it was in the graph that the conflict is based on nor,
    /// where both wrote other properties, as it is saved.
    fileprivate func hasWrites(
        _ conflict: ChangeSet.Conflict, since base: Graph, _ saved: Graph
    ) -> Bool {
        let (table, row) = (conflict.table, conflict.row)
        guard contains(row, in: table) == base.contains(row, in: table) else { return true }
        switch conflict.kind {
        // Where others moved a member is not shown by taking the own move back, and what was read stays so.
        case .moved, .read: return true
        case .written, .besides: break
        }
        let slots = conflict.slot.map { [$0] } ?? layout.tables[table].valueSlots
        return slots.contains { slot in
            differs(from: base, row, slot, in: table)
                && (conflict.kind != .besides || !saved.contains(row, in: table)
                    || differs(from: saved, row, slot, in: table))
        }
    }

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
