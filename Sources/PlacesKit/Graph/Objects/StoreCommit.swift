/// A save that reached a store.
public struct StoreCommit: Sendable {
    /// How many saves there were, this one included.
    public let number: Int
    /// What the save changed; and those before it that were ``missed``.
    public let objects: ObjectChanges
    /// The numbers of the saves before this one that the consumer was too slow to be told of by
    /// themselves; `nil` where there are none.
    ///
    /// What they changed is part of ``objects``. Each by itself is in the feed of a document, after commit
    /// `missed.lowerBound - 1`, and between two snapshots, if ``GraphStore/historyLimit`` keeps them.
    public let missed: Range<Int>?

    private init(number: Int, objects: ObjectChanges, missed: Range<Int>? = nil) {
        self.number = number
        self.objects = objects
        self.missed = missed
    }

    /// What a consumer is shown of a commit.
    init(_ commit: CommittedChanges) {
        self.init(
            number: commit.committed.number, objects: ObjectChanges(changes: commit.changes))
    }
}

extension GraphStore {
    /// All saves from now on, whichever context makes them, once and in order.
    ///
    /// ```swift
    /// for await commit in store.commits { log("\(commit.number): \(commit.objects.inserted)") }
    /// ```
    /// Any number of consumers may ask for a sequence of their own, which ends with the store. 256 saves
    /// wait for one that is slow: see ``commits(waiting:)``.
    public var commits: ChangeStream<StoreCommit> { commits(waiting: 256) }

    /// All saves from now on, of which so many wait for a consumer who is slow.
    ///
    /// If there are more, those that wait become one: its ``StoreCommit/missed`` tells which saves it stands
    /// for besides its own, its objects what all of them changed together.
    ///
    /// - Parameter limit: How many saves wait at most, where one of many objects counts as one more for
    ///   each hundred of them.
    /// - Returns: The saves, for one consumer.
    public func commits(waiting limit: Int) -> ChangeStream<StoreCommit> {
        let (mailbox, reader) = Mailbox<StoreCommit>.make(
            limit: limit, weight: \.objects.weight, join: StoreCommit.join)
        let token = addListener(
            CommitListener {
                mailbox.put(StoreCommit($0))
            } whenRemoved: {
                mailbox.close()
            })
        mailbox.onTermination { [weak self] in self?.removeListener(token) }
        return ChangeStream(reader)
    }
}

extension StoreCommit {
    /// The one commit that stands for some.
    static func join(_ commits: inout [StoreCommit]) {
        guard let first = commits.first, let last = commits.last else { return }
        let start = first.missed?.lowerBound ?? first.number
        commits = [
            StoreCommit(
                number: last.number, objects: ObjectChanges(from: first.objects, to: last.objects),
                missed: start..<last.number)
        ]
    }
}
