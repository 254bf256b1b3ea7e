/// The turns of the actor on which a context is used: when one ends in which something was changed, the
/// changes are processed.
///
/// - Invariant: One signal waits at most, for all changes are processed at once.
final class ContextTurns {
    /// Given from the first change of a turn on, and when it is time for an alarm.
    let signal: AsyncStream<Void>.Continuation
    private let signals: AsyncStream<Void>
    /// Called when the changes of a turn were processed.
    var onEnd: (() -> Void)?

    /// None where there is no actor.
    init?(of isolation: (any Actor)?) {
        guard isolation != nil else { return nil }
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    deinit { signal.finish() }

    /// Processes the changes of each turn of an actor when the next one begins, until nothing
    /// is left of the context.
    func process(_ context: ManagedObjectContext, isolation: isolated (any Actor)?) {
        Task { [weak context, weak state = context.state, signals] in
            _ = isolation
            for await _ in signals {
                // Held meanwhile, where somebody holds it: it must not end on another thread.
                let context = context ?? state?.context
                context?.processPendingChanges()
                context?.listeners.turns?.onEnd?()
            }
        }
    }
}
