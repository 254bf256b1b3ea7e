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
    private let cancellations = DispatchQueue(label: "PlacesKit.URLSessionTransport")

    init(_ configuration: URLSessionConfiguration) {
        session = URLSession(configuration: configuration, delegate: bodies, delegateQueue: nil)
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
        do {
            return try await withTaskCancellationHandler {
                task.resume()
                return try await waiter.result()
            } onCancel: {
                bodies.finish(task, .failure(CancellationError()))
            }
        } catch {
            cancellations.async { task.cancel() }
            throw error
        }
    }
}
