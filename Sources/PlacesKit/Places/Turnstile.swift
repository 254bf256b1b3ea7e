/// Lets through what must not overlap, one at a time and in the order in which it came.
///
/// It belongs to one isolation, whose other work goes on meanwhile.
final class Turnstile {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Runs `body` when all that came before is done.
    nonisolated(nonsending) func pass<Value>(
        _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        if isTaken { await withCheckedContinuation { waiting.append($0) } }
        isTaken = true
        defer { leave() }
        return try await body()
    }

    /// Hands the turn to who waits longest, so that nobody who comes now is faster.
    private func leave() {
        guard !waiting.isEmpty else { return isTaken = false }
        waiting.removeFirst().resume()
    }
}

@available(*, unavailable)
extension Turnstile: Sendable {}
