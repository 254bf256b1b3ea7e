/// The latest commit of a store, and some before it.
///
/// A graph that is kept costs the chunks that later commits replaced.
struct CommitHistory: Sendable {
    private(set) var head: CommittedGraph
    /// The commits before the head, oldest first.
    private var earlier: ContiguousArray<CommittedGraph> = []
    /// How many commits before the head are kept.
    var limit = 0 {
        didSet {
            limit = max(0, limit)
            if earlier.count > limit { earlier.removeFirst(earlier.count - limit) }
        }
    }

    init(_ head: CommittedGraph) { self.head = head }

    /// The commits that are kept, oldest first, the head among them.
    var commits: [Commit] { earlier.map(\.commit) + [head.commit] }

    /// Lets a graph be the head; returns the one that is kept no longer.
    ///
    /// With it bytes may be freed whose owner runs code then, so whoever holds a lock passes it on.
    mutating func append(_ commit: CommittedGraph) -> CommittedGraph? {
        let former = head
        head = commit
        guard limit > 0 else { return former }
        earlier.append(former)
        return earlier.count > limit ? earlier.removeFirst() : nil
    }

    /// The graph of a commit that is kept.
    ///
    /// - Throws: `HistoryError`, where it is not kept or was not made yet.
    func graph(at number: Int) throws(HistoryError) -> CommittedGraph {
        if number == head.number { return head }
        guard number < head.number else {
            throw .notCommitted(number, latest: head.number)
        }
        // What other processes committed may have come as one, with the number of the last of these commits.
        let index = earlier.indices.endOfPrefix { earlier[$0].number < number }
        guard index < earlier.endIndex, earlier[index].number == number else {
            throw .notKept(number, kept: (earlier.first?.number ?? head.number)...head.number)
        }
        return earlier[index]
    }
}
