extension Outbox {
    /// What the log has, and the commits that it does not have.
    struct Content {
        private(set) var confirmed: CommittedGraph
        var commits: ContiguousArray<UnsharedCommit>
        /// Whether what the log has is the graph that the store shows or showed, and not one that was made again.
        private(set) var isConfirmedShown = true

        init(_ confirmed: CommittedGraph, _ commits: ContiguousArray<UnsharedCommit>) {
            (self.confirmed, self.commits) = (confirmed, commits)
            confirm(confirmed, isShown: true)
        }

        /// Notes what the log has.
        ///
        /// The graph keeps no rows from being used again: what the store does not have any more of it, commits delete that
        /// are still waiting, and they hold the rows.
        mutating func confirm(_ confirmed: CommittedGraph, isShown: Bool) {
            (self.confirmed, isConfirmedShown) = (confirmed, isShown)
            self.confirmed.graph.lifetime = nil
        }

        /// Gives all graphs other numbers.
        mutating func share(_ numbers: (inout Graph) -> Void) {
            numbers(&confirmed.graph)
            for position in commits.indices { commits[position].share(numbers) }
        }
    }
}
