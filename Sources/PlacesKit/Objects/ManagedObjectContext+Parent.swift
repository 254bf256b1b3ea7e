extension ManagedObjectContext {
    /// What the context is a fork of, as it is now: what the store committed last, or what the parent
    /// shows.
    var head: CommittedGraph {
        guard let parent else { return store.head }
        parent.processPendingChanges()
        return parent.shown
    }

    /// The processed changes of this context on top of what it forked, for its children to fork.
    var shown: CommittedGraph {
        var commit = committed.commit
        commit.number = transaction.version
        return CommittedGraph(graph: transaction.base, commit: commit)
    }

    /// Hands changes to the store or the parent, unless there is more in it than this context knows;
    /// returns what is there then.
    func commit(_ changes: ChangeSet) -> CommittedGraph? {
        guard let parent else {
            return store.commit(
                changes, onto: committed, author: transactionAuthor, by: observer)
        }
        guard head.number == committed.number else { return nil }
        isPushing = true
        defer { isPushing = false }
        parent.transaction.apply(Replay(changes))
        parent.processPendingChanges()
        let commit = parent.shown
        // What listeners changed here meanwhile stays pending.
        let late = transaction.hasNotes ? transaction.takeChanges() : nil
        transaction.reset(to: commit.graph)
        if let late { transaction.apply(Replay(late)) }
        return commit
    }
}
