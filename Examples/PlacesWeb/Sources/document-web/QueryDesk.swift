import Dispatch
import Foundation
import Synchronization

/// Runs queries on threads of their own, one at a time for each page that asks.
///
/// A query cannot be stopped in its middle. So nobody waits for one any longer than a time limit, after which the
/// page may ask for something else; those at work count until they end, and no more than a few may be.
final class QueryDesk: Sendable {
    /// Why there is no answer.
    enum Refusal: Error, LocalizedError {
        case timeLimit(Duration)
        case busy
        /// The page has asked for something else, or is gone.
        case superseded

        var errorDescription: String? {
            switch self {
            case .timeLimit(let limit):
                """
                This takes longer than \((limit / .seconds(1)).formatted()) s, and was given up. Ask for less: \
                a condition that an index answers, without SUBQUERY or MATCHES.
                """
            case .busy: "Too much is being asked at the moment. Try again in a while."
            case .superseded: "Something else was asked for meanwhile."
            }
        }
    }

    /// What is to be run, and who waits for it.
    private final class Job: Sendable {
        let key: String
        let work: @Sendable () -> Void
        let refuse: @Sendable (any Error) -> Void

        init(
            _ key: String, work: @escaping @Sendable () -> Void,
            refuse: @escaping @Sendable (any Error) -> Void
        ) {
            (self.key, self.work, self.refuse) = (key, work, refuse)
        }
    }

    private struct State {
        /// The jobs for which somebody waits while they run, by key.
        var current: [String: Job] = [:]
        /// The latest job of each key that has not begun.
        var waiting: [String: Job] = [:]
        /// How many threads are at work, whether somebody still waits for them or not.
        var workers = 0
    }

    private static let workerLimit = max(4, ProcessInfo.processInfo.activeProcessorCount)
    private static let waitingLimit = 200

    private let limit: Duration
    private let state = Mutex(State())
    private let threads = DispatchQueue(label: "document-web.queries", attributes: .concurrent)

    init(limit: Duration) { self.limit = limit }

    /// Runs something for a page, and for one purpose of it; what it asked for before is forgotten.
    ///
    /// - Throws: What the work throws, or `Refusal`.
    func run<Value: Sendable>(
        _ key: String, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let answer = Answer<Value>()
        let job = Job(
            key, work: { answer.give(Result { try work() }) },
            refuse: { answer.give(.failure($0)) })
        let timer = Task {
            try await Task.sleep(for: limit)
            giveUp(job, Refusal.timeLimit(limit))
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                answer.wait(continuation)
                submit(job)
            }
        } onCancel: {
            giveUp(job, CancellationError())
        }
    }

    /// Gives up whatever a page that is gone has asked for.
    func forget(_ page: String) {
        let jobs = state.withLock { state in
            (Array(state.current.values) + Array(state.waiting.values)).filter {
                $0.key.hasPrefix(page + " ")
            }
        }
        for job in jobs { giveUp(job, Refusal.superseded) }
    }

    private func submit(_ job: Job) {
        let (former, isAccepted) = state.withLock { state in
            let former = state.waiting[job.key]
            guard former != nil || state.waiting.count < Self.waitingLimit else {
                return (former, false)
            }
            state.waiting[job.key] = job
            return (former, true)
        }
        former?.refuse(Refusal.superseded)
        if isAccepted { begin() } else { job.refuse(Refusal.busy) }
    }

    /// Begins what waits and may run.
    private func begin() {
        while let job = next() {
            threads.async { [self] in
                job.work()
                state.withLock { state in
                    state.workers -= 1
                    if state.current[job.key] === job { state.current[job.key] = nil }
                }
                begin()
            }
        }
    }

    private func next() -> Job? {
        state.withLock { state in
            guard state.workers < Self.workerLimit,
                let job = state.waiting.values.first(where: { state.current[$0.key] == nil })
            else { return nil }
            state.waiting[job.key] = nil
            state.current[job.key] = job
            state.workers += 1
            return job
        }
    }

    /// Lets nobody wait for a job any longer, and the next one of its key begin.
    private func giveUp(_ job: Job, _ error: any Error) {
        state.withLock { state in
            if state.current[job.key] === job { state.current[job.key] = nil }
            if state.waiting[job.key] === job { state.waiting[job.key] = nil }
        }
        job.refuse(error)
        begin()
    }
}

/// What somebody waits for, given once.
private final class Answer<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Value, any Error>)
        case given(Result<Value, any Error>)
        case taken
    }

    private let state = Mutex(State.empty)

    func wait(_ continuation: CheckedContinuation<Value, any Error>) {
        let result = state.withLock { state -> Result<Value, any Error>? in
            guard case .given(let result) = state else {
                state = .awaited(continuation)
                return nil
            }
            state = .taken
            return result
        }
        if let result { continuation.resume(with: result) }
    }

    /// Gives the answer, unless one was given before.
    func give(_ result: Result<Value, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .empty:
                state = .given(result)
                return nil
            case .awaited(let continuation):
                state = .taken
                return continuation
            case .given, .taken: return nil
            }
        }
        continuation?.resume(with: result)
    }
}
