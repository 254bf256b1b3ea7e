import PlacesBase
import Synchronization

/// Work that is done once for all callers who ask for it at the same time.
///
/// The work has the priority of the most urgent caller, and is cancelled when no caller wants it
/// any longer. Each call returns exactly once: with the result, or with `CancellationError` as soon
/// as its task is cancelled.
package final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Does the work; its priority may change meanwhile.
    typealias Work = @Sendable (LivePriority) async throws -> Value

    private struct Interest {
        let waiter: Waiter<Value>
        let priority: LivePriority
        let observation: UInt64

        func answer(_ result: Result<Value, any Error>) {
            priority.stop(observing: observation)
            waiter.finish(result)
        }
    }

    private struct Job {
        let number: Int
        let priority: LivePriority
        var interests: [ObjectIdentifier: Interest] = [:]
        var task: Task<Void, Never>?

        /// Gives the work the priority of its most urgent caller.
        func updatePriority() {
            let highest = interests.values.reduce(nil as ImagePriority?) { highest, interest in
                max(highest ?? interest.priority.value, interest.priority.value)
            }
            if let highest { priority.set(highest) }
        }
    }

    private struct State {
        var jobs: [Key: Job] = [:]
        var started = 0

        mutating func newJob(_ priority: ImagePriority) -> Job {
            started += 1
            return Job(number: started, priority: LivePriority(priority))
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// How many pieces of work are under way.
    var count: Int { state.withLock { $0.jobs.count } }

    /// How many callers wait.
    var waiterCount: Int { state.withLock { $0.jobs.values.reduce(0) { $0 + $1.interests.count } } }

    /// The value for a key, from the work in progress, else from `work`, which is started now.
    func value(
        for key: Key, priority: LivePriority, _ work: @escaping Work
    ) async throws -> Value {
        try Task.checkCancellation()
        let waiter = Waiter<Value>()
        join(key, waiter, priority, work)
        return try await withTaskCancellationHandler {
            try await waiter.result()
        } onCancel: {
            leave(key, waiter)
        }
    }

    /// The value for a key, from the work in progress, else from `work`, started at one priority.
    package func value(
        for key: Key, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await value(for: key, priority: LivePriority(.visible)) { _ in try await work() }
    }

    private func join(
        _ key: Key, _ waiter: Waiter<Value>, _ priority: LivePriority, _ work: @escaping Work
    ) {
        let observation = priority.observe { [weak self] in self?.updatePriority(of: key) }
        state.withLock { state in
            var job = state.jobs.removeValue(forKey: key) ?? state.newJob(priority.value)
            job.interests[ObjectIdentifier(waiter)] = Interest(
                waiter: waiter, priority: priority, observation: observation)
            if job.task != nil {
                job.updatePriority()
            } else {
                job.task = Task { [number = job.number, priority = job.priority] in
                    let result: Result<Value, any Error>
                    do { result = .success(try await work(priority)) } catch {
                        result = .failure(error)
                    }
                    finish(key, number, result)
                }
            }
            state.jobs[key] = job
        }
    }

    private func finish(_ key: Key, _ number: Int, _ result: Result<Value, any Error>) {
        let job = state.withLock { state in
            state.jobs[key]?.number == number ? state.jobs.removeValue(forKey: key) : nil
        }
        for interest in (job?.interests ?? [:]).values { interest.answer(result) }
    }

    private func leave(_ key: Key, _ waiter: Waiter<Value>) {
        guard waiter.finish(.failure(CancellationError())) else { return }
        let (interest, task) = state.withLock { state -> (Interest?, Task<Void, Never>?) in
            let interest = state.jobs[key]?.interests.removeValue(forKey: ObjectIdentifier(waiter))
            guard state.jobs[key]?.interests.isEmpty == true else {
                state.jobs[key]?.updatePriority()
                return (interest, nil)
            }
            return (interest, state.jobs.removeValue(forKey: key)?.task)
        }
        interest?.priority.stop(observing: interest?.observation ?? 0)
        task?.cancel()
    }

    private func updatePriority(of key: Key) {
        state.withLock { $0.jobs[key]?.updatePriority() }
    }
}
