import Dispatch
import Foundation
import PlacesBase
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A `URLSession` that collects bodies piece by piece, and stops if a body gets too long.
///
/// It lives until its last reference is released and the transfers then under way have ended.
final class GatheringSession: Sendable {
    private let session: URLSession
    let bodies = BodyGatherer()
    /// The queue for the events of sessions, which do not retain it and may outlive this object.
    private static let events = DispatchQueue(label: "PlacesKit.GatheringSession")

    init(_ configuration: URLSessionConfiguration) {
        // NB: The queue that a session creates by itself waits behind all tasks of the process,
        // while bytes continue to arrive. A serial queue gets a thread as soon as it has work.
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.underlyingQueue = Self.events
        session = URLSession(configuration: configuration, delegate: bodies, delegateQueue: queue)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Sends one request and returns the reply, whatever its status.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let waiter = Waiter<HTTPResponse>()
        let beginning = Beginning()
        // NB: The async methods of `URLSession` can deadlock on Linux. They cancel inside the
        // cancellation handler, which waits for the session's queue, while a reply on that queue
        // may be waiting for the handler. And all sessions have to do with one queue, which is busy
        // for as long as a redirect has a long body. So this method resumes the caller itself, and
        // both begins and cancels the transfer on another queue.
        return try await withTaskCancellationHandler {
            bodies.calls.async { self.begin(request, beginning, for: waiter) }
            return try await waiter.result()
        } onCancel: {
            if let task = beginning.stop() {
                bodies.stop(task, CancellationError())
            } else {
                waiter.finish(.failure(CancellationError()))
            }
        }
    }

    private func begin(
        _ request: HTTPRequest, _ beginning: Beginning, for waiter: Waiter<HTTPResponse>
    ) {
        guard !beginning.isStopped else { return }
        var urlRequest = URLRequest(url: request.url)
        for (name, value) in request.headers {
            urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        let task = session.dataTask(with: urlRequest)
        bodies.gather(
            task, limit: request.bodyLimit, isSecure: request.url.isHTTPS, for: waiter)
        task.resume()
        // The session may have kept it waiting since.
        if !beginning.note(task) { bodies.stop(task, CancellationError()) }
    }
}

/// The beginning of a transfer, which may be stopped before.
private final class Beginning: Sendable {
    private enum State {
        case waiting
        case begun(URLSessionTask)
        case stopped
    }

    private let state = Mutex(State.waiting)

    var isStopped: Bool {
        state.withLock { if case .stopped = $0 { true } else { false } }
    }

    /// Notes the transfer that has begun; returns false if it was stopped before.
    func note(_ task: URLSessionTask) -> Bool {
        state.withLock { state in
            if case .stopped = state { return false }
            state = .begun(task)
            return true
        }
    }

    /// Stops the transfer; returns it if it has begun.
    func stop() -> URLSessionTask? {
        state.withLock { state in
            defer { state = .stopped }
            guard case .begun(let task) = state else { return nil }
            return task
        }
    }
}
