import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A session of `URLSession` that gathers bodies piece by piece, and stops where one grows too long.
///
/// It ends with its last reference, and with the transfers that are under way then.
final class GatheringSession: Sendable {
    private let session: URLSession
    private let bodies = BodyGatherer()
    /// Where sessions tell of their transfers; they do not keep it, and may outlive this.
    private static let events = DispatchQueue(label: "PlacesKit.GatheringSession")

    init(_ configuration: URLSessionConfiguration) {
        // NB: The queue that a session makes itself waits for its turn behind all tasks of the process, while
        // bytes go on to arrive. A serial queue has a thread as soon as there is something to do.
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
            task, limit: request.bodyLimit, isSecure: request.url.scheme == "https", for: waiter)
        // NB: The async methods of `URLSession` can deadlock on Linux: they cancel inside the cancellation
        // handler, which waits for the queue of the session, on which a reply may just be waiting for the
        // handler. So the caller is answered here, and the transfer is ended from another queue.
        return try await withTaskCancellationHandler {
            task.resume()
            return try await waiter.result()
        } onCancel: {
            bodies.stop(task, CancellationError())
        }
    }
}
