import Synchronization

/// Lets one task do something while another one is in the midst of its own, unless a log makes it wait for the other's end.
final class Interlude: Sendable {
    private let beginning: AsyncStream<Void>
    private let begun: AsyncStream<Void>.Continuation
    private let isPaused = Atomic(false)
    private let isOver = Atomic(false)

    init() { (beginning, begun) = AsyncStream<Void>.makeStream() }

    /// Waits until the other one is done, but not forever; returns false if it was called before.
    func pause() async throws -> Bool {
        guard !isPaused.exchange(true, ordering: .relaxed) else { return false }
        begun.finish()
        for _ in 0..<200 where !isOver.load(ordering: .acquiring) {
            try await Task.sleep(for: .milliseconds(5))
        }
        return true
    }

    /// Does something as soon as the first one pauses, or has ended.
    func fill(_ body: @Sendable () async throws -> Void) async throws {
        for await _ in beginning {}
        defer { isOver.store(true, ordering: .releasing) }
        try await body()
    }

    /// Tells that the first one has ended, perhaps without a pause.
    func end() { begun.finish() }
}
