/// A save that reached a store.
public struct StoreCommit: Sendable {
    /// The number, the date and the author of the save; where it joins others, those of the last one.
    public let commit: Commit
    /// What the save changed, together with the saves before it that were ``missed``.
    public let objects: ObjectChanges
    /// The numbers of earlier saves for which the consumer was too slow, or that came from another process together with
    /// this one, if any.
    ///
    /// Their changes are part of ``objects``. The change feed of a document has each of them, after
    /// commit `missed.lowerBound - 1`. You can also compare two snapshots, if
    /// ``GraphStore/historyLimit`` keeps them. In a shared document they may include saves that you know: those that
    /// waited for the log while it got those of others, which have other numbers now.
    public private(set) var missed: Range<Int>?

    /// The number of saves up to this one.
    public var number: Int { commit.number }
}

extension GraphStore {
    /// A sequence of all saves from now on, by any context, once and in order.
    ///
    /// ```swift
    /// for await commit in store.commits { log("\(commit.number): \(commit.objects.inserted)") }
    /// ```
    /// Each consumer asks for a sequence of its own. The sequence ends with the store. Up to 256
    /// saves wait for a slow consumer: see ``commits(waiting:)``.
    public var commits: ChangeStream<StoreCommit> { commits(waiting: 256) }

    /// Makes a sequence of all saves from now on, with a limit for waiting saves.
    ///
    /// If more saves wait for a slow consumer, they become one. Its ``StoreCommit/missed`` has the
    /// numbers of the saves that it joins, and its objects have what all of them changed together.
    ///
    /// - Parameter limit: How many saves wait at most. A save of many objects counts as one more
    ///   for each hundred of them.
    /// - Returns: The saves, for one consumer.
    public func commits(waiting limit: Int) -> ChangeStream<StoreCommit> {
        let (mailbox, reader) = Mailbox<StoreCommit>.make(
            limit: limit, weight: \.objects.weight, join: StoreCommit.join)
        let token = addListener(
            CommitListener {
                let joined = mailbox.add(StoreCommit($0))
                return joined.isEmpty ? nil : joined
            } wake: {
                mailbox.wake()
            } whenRemoved: {
                mailbox.close()
            })
        mailbox.onTermination { [weak self] in self?.removeListener(token) }
        return ChangeStream(reader)
    }
}

extension StoreCommit {
    /// What a consumer is shown of a commit.
    init(_ commit: CommittedChanges) {
        self.init(
            commit: commit.committed.commit, objects: ObjectChanges(changes: commit.changes),
            missed: commit.first.map { $0..<commit.committed.number })
    }

    /// Makes of some commits the one that stands for them; returns those that it was made of.
    static func join(_ commits: inout [StoreCommit]) -> [StoreCommit] {
        let former = commits
        guard let first = commits.first, let last = commits.last else { return [] }
        let start = commits.reduce(first.number) { min($0, $1.missed?.lowerBound ?? $1.number) }
        commits = [
            StoreCommit(
                commit: last.commit, objects: ObjectChanges(from: first.objects, to: last.objects),
                missed: start..<last.number)
        ]
        return former
    }
}
