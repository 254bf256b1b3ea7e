/// Runs work that must not overlap, one piece at a time, in the order in which it arrived.
///
/// It belongs to one isolation, whose other work continues meanwhile.
final class Turnstile {
    /// Whether work is under way or waiting.
    private(set) var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Runs `body` after all work that came before it.
    nonisolated(nonsending) func pass<Value>(
        _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        if isTaken { await withCheckedContinuation { waiting.append($0) } }
        isTaken = true
        defer { leave() }
        return try await body()
    }

    /// Passes the turn to the one that has waited longest, so that no newcomer can overtake it.
    private func leave() {
        guard !waiting.isEmpty else { return isTaken = false }
        waiting.removeFirst().resume()
    }
}

@available(*, unavailable)
extension Turnstile: Sendable {}
