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
