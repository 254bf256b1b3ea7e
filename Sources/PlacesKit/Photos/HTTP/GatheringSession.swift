import Dispatch
import Foundation
import PlacesBase

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
        // NB: The async methods of `URLSession` can deadlock on Linux. They cancel inside the
        // cancellation handler, which waits for the session's queue, while a reply on that queue
        // may be waiting for the handler. And all sessions need one queue, which is busy for as long
        // as the long body of a redirect arrives. So this method resumes the caller itself, and
        // both begins and cancels the transfer on another queue.
        return try await withTaskCancellationHandler {
            bodies.calls.async { self.begin(request, for: waiter) }
            return try await waiter.result()
        } onCancel: {
            waiter.finish(.failure(CancellationError()))
            if let task = bodies.task(for: waiter) { bodies.stop(task, CancellationError()) }
        }
    }

    private func begin(_ request: HTTPRequest, for waiter: Waiter<HTTPResponse>) {
        guard !waiter.isFinished else { return }
        var urlRequest = URLRequest(url: request.url)
        for (name, value) in request.headers {
            urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        let task = session.dataTask(with: urlRequest)
        bodies.gather(
            task, limit: request.bodyLimit, isSecure: request.url.isHTTPS, for: waiter)
        task.resume()
        // Whoever cancelled meanwhile may have come before there was a task to stop.
        if waiter.isFinished { bodies.stop(task, CancellationError()) }
    }
}
