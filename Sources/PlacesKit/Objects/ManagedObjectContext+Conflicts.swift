extension ManagedObjectContext {
    /// A conflict that this context met when it showed what others saved.
    struct UnsettledConflict {
        var place: ChangeSet.Conflict
        /// The value that both contexts started from.
        var base: Datum
    }

    /// The conflicts of the pending changes with what others saved: new ones, and those that were met
    /// before and stand still.
    func conflicts(of changes: ChangeSet, with saved: Graph) -> [UnsettledConflict] {
        let standing = unsettled.filter { stands($0.place, of: changes, with: saved) }
        let known = Set(standing.map(\.place))
        return standing
            + changes.conflicts(with: saved).filter { !known.contains($0) }.map {
                UnsettledConflict(place: $0, base: changes.before.describe($0))
            }
    }

    /// Whether a conflict that was met before is one still.
    private func stands(
        _ place: ChangeSet.Conflict, of changes: ChangeSet, with saved: Graph
    ) -> Bool {
        let isHere = changes.after.contains(place.row, in: place.table)
        let isSaved = saved.contains(place.row, in: place.table)
        guard let slot = place.slot else { return isHere != isSaved }
        return isHere && isSaved
            && changes.after.differs(from: saved, place.row, slot, in: place.table)
    }

    /// Makes the pending changes again on top of what the store has now, as the merge policy settles
    /// the conflicts, and tells nobody.
    func settle(onto head: CommittedGraph) throws(ContextError) -> ChangeSet {
        let changes = gatherChanges()
        let conflicts = self.conflicts(of: changes, with: head.graph)
        if mergePolicy == .error, !conflicts.isEmpty {
            throw .conflict(
                conflicts.map { conflict in
                    let place = conflict.place
                    let properties = head.graph.layout.tables[place.table].properties
                    // Only a graph that has the object knows of which entity it is.
                    let graph =
                        [head.graph, changes.after].first {
                            $0.contains(place.row, in: place.table)
                        } ?? changes.before
                    return SaveConflict(
                        object: graph.objectID(place.row, in: place.table),
                        property: place.slot.map { properties[$0].name },
                        base: conflict.base, saved: head.graph.describe(place),
                        attempted: changes.after.describe(place))
                })
        }
        rebase(Replay(changes, settling: conflicts.map(\.place), by: mergePolicy), onto: head)
        unsettled = []
        return foldDuplicates(onto: head.graph)
    }

    /// Lets new objects whose unique values others saved first become the saved ones, unless the merge
    /// policy is `error`; returns all changes.
    private func foldDuplicates(onto head: Graph) -> ChangeSet {
        let values: FoldedValues
        switch mergePolicy {
        case .error: return gatherChanges()
        case .mergeByPropertyStoreTrump, .rollback: values = .none
        case .mergeByPropertyObjectTrump: values = .given
        case .overwrite: values = .all
        }
        transaction.foldDuplicates(newSince: head, taking: values)
        // What a merge does is nothing to undo.
        let changes = transaction.takeChanges()
        let all = processed?.merging(changes) ?? changes
        processed = all
        return all
    }
}

extension Graph {
    /// The value of a property for an error's text.
    fileprivate func describe(_ place: ChangeSet.Conflict) -> Datum {
        place.slot.map { describe(place.row, $0, in: place.table) } ?? .null
    }
}
