public import Foundation

/// One save of a store: its number, its date and its author.
public struct Commit: Hashable, Sendable, Identifiable {
    /// The number of saves up to this one; the graph that the store began with has number 0.
    public var number: Int
    /// The date of the save.
    public var date: Date
    /// The `transactionAuthor` of the context that saved.
    public var author: String?

    /// The number.
    public var id: Int { number }
}

/// A graph that was committed, and by which save.
struct CommittedGraph: Sendable {
    var graph: Graph
    var commit: Commit

    /// The number of the save.
    var number: Int { commit.number }
}

/// A graph that was committed and what the save changed: what everybody is told of a commit.
struct CommittedChanges: Sendable {
    var committed: CommittedGraph
    var changes: ChangeSet
    /// The first of the commits of a document's feed that are part of it; `nil` where it is one itself.
    var first: Int?
}
