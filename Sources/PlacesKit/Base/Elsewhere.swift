/// Calls what does not run on the caller's actor, and is back on the actor when that has thrown, too.
///
/// NB: a `nonisolated(nonsending)` function that passes on the error of such a call leaves its callers on another thread
/// (Swift 6.3). So nothing that runs elsewhere and throws is called in one without this.
nonisolated(nonsending) package func elsewhere<Value: Sendable, Failure: Error>(
    _ body: @Sendable () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    try await outcome(of: body).get()
}

@concurrent
private func outcome<Value: Sendable, Failure: Error>(
    of body: @Sendable () async throws(Failure) -> Value
) async -> Result<Value, Failure> {
    do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
}
