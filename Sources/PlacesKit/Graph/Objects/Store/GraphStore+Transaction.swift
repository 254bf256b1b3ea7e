import Synchronization

extension GraphStore {
    /// Runs work on a background context and saves it; runs it again after a conflict.
    ///
    /// ```swift
    /// let visits = try await store.transaction { context in
    ///     let place = try context.findOrInsert(Place.self, \.name, "Paris")
    ///     place.visits += 1
    ///     return place.visits
    /// }
    /// ```
    ///
    /// - The work sees one state of the store. When it returns, all its changes are saved, or none.
    ///   If another context wrote the same objects meanwhile, the work runs again on a fresh fork,
    ///   so it must not have effects elsewhere. It need not save; if it does, it does not run
    ///   again.
    /// - After a conflict, work gets its turn before work that came later, so each makes progress.
    ///   A plain `save()` never waits for a transaction. A transaction inside another one, of this store or another,
    ///   does not wait for a turn. Work whose turn takes longer than ten seconds, for it may wait for another
    ///   transaction, is not waited for.
    /// - Objects must not leave the work; their identifiers may. With a merge policy other than
    ///   `error`, the policy settles conflicts as in `save()`, and the work runs once.
    ///
    /// - Parameters:
    ///   - attempts: How often the work runs at most; less than one counts as one.
    ///   - body: The work.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws; what `save()` throws, except conflicts, unless the work has saved before;
    ///   `ContextError.transactionExhausted` if every attempt met a conflict; `CancellationError`
    ///   if the task is cancelled between two attempts, or while it waits for its turn.
    @concurrent
    public func transaction<Result: Sendable>(
        attempts: Int = 100,
        _ body: @Sendable (ManagedObjectContext) async throws -> Result
    ) async throws -> Result {
        var made = 0
        // Two that wait for each other's turn, in two stores, would wait for ever.
        if Self.outermost?.isOpen.load(ordering: .relaxed) == true {
            return try await run(upTo: attempts, &made, body)
        }
        let outermost = OutermostTransaction()
        defer { outermost.isOpen.store(false, ordering: .relaxed) }
        return try await Self.$outermost.withValue(outermost) {
            if !transactions.isTaken,
                let result = try await attempt(upTo: attempts, &made, body)
            {
                return result.value
            }
            return try await transactions.withTurn((Self.longestTurn, clock)) {
                try await run(upTo: attempts, &made, body)
            }
        }
    }

    /// How long others wait for the end of a turn.
    private static let longestTurn = Duration.seconds(10)

    /// The transaction that this task is in, of whatever store, or that made a task which goes on after it.
    @TaskLocal private static var outermost: OutermostTransaction?

    /// Runs work until it meets no conflict.
    private func run<Result: Sendable>(
        upTo attempts: Int, _ made: inout Int,
        _ body: @Sendable (ManagedObjectContext) async throws -> Result
    ) async throws -> Result {
        while true {
            if let result = try await attempt(upTo: attempts, &made, body) { return result.value }
        }
    }

    /// Runs work once; returns `nil` where it met a conflict and may run again.
    private func attempt<Result: Sendable>(
        upTo attempts: Int, _ made: inout Int,
        _ body: @Sendable (ManagedObjectContext) async throws -> Result
    ) async throws -> Attempt<Result>? {
        try Task.checkCancellation()
        made += 1
        let context = ManagedObjectContext(self, isolation: nil)
        let number = context.fork.committed.number
        do {
            let result = try await body(context)
            try context.save()
            return Attempt(value: result)
        } catch let error as ContextError where !context.fork.hasSaved {
            guard isDueToOthers(error, since: number) else { throw error }
            if made < attempts { return nil }
            guard case .conflict(let conflicts) = error else { throw error }
            throw ContextError.transactionExhausted(attempts: made, conflicts)
        }
    }

    /// Whether work may succeed that failed, for it did not know what others committed since.
    private func isDueToOthers(_ error: ContextError, since number: Int) -> Bool {
        switch error {
        case .conflict: true
        case .invalid: head.number != number
        default: false
        }
    }
}

/// A transaction inside which others do not wait for their turn.
private final class OutermostTransaction: Sendable {
    let isOpen = Atomic(true)
}

/// What work returned that was saved.
private struct Attempt<Result> {
    var value: Result
}
