import Testing

/// Suspends until others have had their turn and something holds.
///
/// - Throws: `CancellationError` when the time limit of the test is over, so that it fails instead of
///   keeping all others waiting.
nonisolated(nonsending) func wait(until condition: () -> Bool) async throws {
    while !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that waits for what never comes.
    ///
    /// It says nothing about how long a test may take: all begin at once, and under a sanitizer a test
    /// may wait minutes for its turn.
    static var endsWaiting: Self { .timeLimit(.minutes(12)) }
}
