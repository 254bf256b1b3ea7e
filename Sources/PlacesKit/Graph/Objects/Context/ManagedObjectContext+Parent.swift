extension ManagedObjectContext {
    /// What the context is a fork of, as it is now: what the store committed last, or what the parent
    /// shows.
    ///
    /// The parent tells nobody: whoever hears of its changes may change this context, which is halfway through
    /// something. It does so at the end: see `tellingParent(_:)`.
    var head: CommittedGraph {
        guard let parent else { return store.head }
        if !parent.isHeld { parent.gatherChanges() }
        return parent.shown
    }

    /// Does something with what the parent has now; when all of it is done the parent tells of its changes.
    func tellingParent<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { parent?.processPendingChanges() }
        return try body()
    }

    /// The processed changes of this context on top of what it forked, for its children to fork.
    var shown: CommittedGraph {
        var commit = fork.committed.commit
        commit.number = transaction.version
        return CommittedGraph(graph: transaction.base, commit: commit)
    }

    /// Hands changes to the store or the parent, unless there is more in it than this context knows;
    /// returns what is there then.
    func commit(_ changes: ChangeSet) -> CommittedGraph? {
        guard let parent else {
            let commit = store.commit(
                changes, reviving: transaction.suppliedRows.revived(by: changes),
                onto: fork.committed, author: transactionAuthor, by: fork.listener)
            if let commit {
                transaction.begin(commit.graph.lifetime)
                transaction.suppliedRows.freeCleared()
            }
            return commit
        }
        guard head.number == fork.committed.number else { return nil }
        holdUndoneRows()
        holdRows(deletedBy: changes)
        parent.transaction.takeRows(of: transaction)
        // The parent never showed what this context wrote to an object before it deleted it.
        parent.transaction.apply(Replay(changes, keepingLastValues: true))
        parent.gatherChanges()
        let commit = parent.shown
        let (former, denials) = (transaction.base, transaction.knownDenials)
        // What hooks changed here meanwhile stays pending.
        let late = transaction.hasNotes ? transaction.takeChanges() : nil
        transaction.reset(to: commit.graph)
        keepLastValues(from: former, denials)
        if !children.isEmpty { noteShown(ChangeSet(from: former, to: transaction.base)) }
        if let late { transaction.apply(Replay(late)) }
        return commit
    }

    // MARK: - Children

    /// Remembers for children what is shown from now on, as others' writes.
    func noteShown(_ changes: ChangeSet) {
        if !children.isEmpty { children.note(changes.writes, as: transaction.version) }
    }

    /// Remembers for children what they see of what `show` does, which may let the context be based on another
    /// commit: what others committed in between, and what is different in the end.
    func noteShown<Result, Failure: Error>(
        by show: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (former, number, version) = (
            transaction.base, fork.committed.number, transaction.version
        )
        defer {
            if !children.isEmpty, transaction.version != version {
                if let commits = fork.writes(since: number, upTo: fork.committed.number) {
                    for tables in commits { children.note(tables, as: transaction.version) }
                    noteShown(ChangeSet(from: former, to: transaction.base))
                } else {
                    children.forget(upTo: transaction.version)
                }
            }
        }
        return try show()
    }
}
