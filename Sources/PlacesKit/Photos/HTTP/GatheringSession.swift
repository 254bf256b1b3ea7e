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
    private let bodies = BodyGatherer()
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
        var urlRequest = URLRequest(url: request.url)
        for (name, value) in request.headers {
            urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        let task = session.dataTask(with: urlRequest)
        let waiter = Waiter<HTTPResponse>()
        bodies.gather(
            task, limit: request.bodyLimit,
            isSecure: request.url.isHTTPS, for: waiter)
        // NB: The async methods of `URLSession` can deadlock on Linux. They cancel inside the
        // cancellation handler, which waits for the session's queue, while a reply on that queue
        // may be waiting for the handler. So this method resumes the caller itself and cancels the
        // transfer on another queue.
        return try await withTaskCancellationHandler {
            task.resume()
            return try await waiter.result()
        } onCancel: {
            bodies.stop(task, CancellationError())
        }
    }
}
