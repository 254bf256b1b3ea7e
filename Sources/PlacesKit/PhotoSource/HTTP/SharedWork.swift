import Synchronization

/// Work that is done once for all who ask for it at the same time, and is cancelled when none of them wants
/// it any more.
///
/// Each caller is answered exactly once: with the result, or with `CancellationError` as soon as its task is
/// cancelled.
final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Job {
        let number: Int
        var waiters: [ObjectIdentifier: Waiter<Value>]
        var task: Task<Void, Never>?
    }

    private struct State {
        var jobs: [Key: Job] = [:]
        var started = 0
    }

    private let state = Mutex(State())

    /// How many pieces of work are being done.
    var count: Int { state.withLock { $0.jobs.count } }

    /// The value for a key, from the work in progress or from `work`, which is begun now.
    func value(
        for key: Key, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let waiter = Waiter<Value>()
        join(key, waiter, work)
        return try await withTaskCancellationHandler {
            try await waiter.result()
        } onCancel: {
            leave(key, waiter)
        }
    }

    private func join(
        _ key: Key, _ waiter: Waiter<Value>, _ work: @escaping @Sendable () async throws -> Value
    ) {
        state.withLock { state in
            if state.jobs[key] != nil {
                state.jobs[key]?.waiters[ObjectIdentifier(waiter)] = waiter
                return
            }
            state.started += 1
            let number = state.started
            let task = Task {
                let result: Result<Value, any Error>
                do { result = .success(try await work()) } catch { result = .failure(error) }
                finish(key, number, result)
            }
            state.jobs[key] = Job(
                number: number, waiters: [ObjectIdentifier(waiter): waiter], task: task)
        }
    }

    private func finish(_ key: Key, _ number: Int, _ result: Result<Value, any Error>) {
        let waiters = state.withLock { state -> [Waiter<Value>] in
            guard let job = state.jobs[key], job.number == number else { return [] }
            state.jobs[key] = nil
            return Array(job.waiters.values)
        }
        for waiter in waiters { waiter.finish(result) }
    }

    private func leave(_ key: Key, _ waiter: Waiter<Value>) {
        guard waiter.finish(.failure(CancellationError())) else { return }
        let task = state.withLock { state -> Task<Void, Never>? in
            guard state.jobs[key]?.waiters.removeValue(forKey: ObjectIdentifier(waiter)) != nil,
                state.jobs[key]?.waiters.isEmpty == true
            else { return nil }
            return state.jobs.removeValue(forKey: key)?.task
        }
        task?.cancel()
    }
}
