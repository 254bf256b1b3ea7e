/// Runs work that must not overlap, one piece at a time, in the order in which it arrived.
///
/// It belongs to one isolation, whose other work continues meanwhile.
final class Turnstile {
    /// Whether work is under way or waiting.
    private(set) var isTaken = false
    private var waiting: [(number: Int, turn: AsyncStream<Void>.Continuation)] = []
    private var lastNumber = 0

    /// Runs `body` after all work that came before it.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before its turn, or what `body` throws.
    nonisolated(nonsending) func pass<Value>(
        _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        if isTaken { try await waitForTurn() }
        isTaken = true
        defer { leave() }
        return try await body()
    }

    private nonisolated(nonsending) func waitForTurn() async throws(CancellationError) {
        lastNumber += 1
        let number = lastNumber
        let (turns, turn) = AsyncStream<Void>.makeStream()
        waiting.append((number, turn))
        // They end when the turn comes, or when the task is cancelled.
        for await _ in turns {}
        // Whoever was given the turn must pass it on, even if cancelled meanwhile.
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: index)
        throw CancellationError()
    }

    /// Passes the turn to the one that has waited longest, so that no newcomer can overtake it.
    private func leave() {
        guard !waiting.isEmpty else { return isTaken = false }
        waiting.removeFirst().turn.finish()
    }
}

@available(*, unavailable)
extension Turnstile: Sendable {}
