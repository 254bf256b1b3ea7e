import Synchronization

/// Which of a store's commits is on disk.
final class DocumentProgress: Sendable {
    private struct State {
        var generation: Int64
        var commitNumber: Int
    }

    private let state: Mutex<State>

    init(generation: Int64, commitNumber: Int) {
        state = Mutex(State(generation: generation, commitNumber: commitNumber))
    }

    /// Calls `body` with the number of a new generation, unless the commit is on disk already.
    ///
    /// A document that was never written is written in any case.
    func write(_ commitNumber: Int, _ body: (Int64) throws -> Void) throws {
        try state.withLock { state in
            guard state.commitNumber < commitNumber || state.generation == 0 else { return }
            try body(state.generation + 1)
            state = State(generation: state.generation + 1, commitNumber: commitNumber)
        }
    }
}
