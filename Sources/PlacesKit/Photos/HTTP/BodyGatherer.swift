import Dispatch
import Foundation
import PlacesBase
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Collects the data and events of a session's transfers into replies.
final class BodyGatherer: NSObject, URLSessionDataDelegate {
    private struct Transfer {
        let task: URLSessionTask
        let waiter: Waiter<HTTPResponse>
        let limit: Int
        let isSecure: Bool
        var body = Data()

        /// Adds data to the body; returns false if the body would get too long.
        mutating func append(_ data: Data) -> Bool {
            guard data.count <= limit - body.count else { return false }
            if body.isEmpty { body = data } else { body.append(data) }
            return true
        }
    }

    /// The transfers that have no result yet, by the identifiers of their tasks.
    private let transfers = Mutex<[Int: Transfer]>([:])
    /// The queue that begins and cancels transfers, for which a session may keep it waiting: neither
    /// the session's queue nor a thread of Swift's tasks.
    let calls = DispatchQueue(label: "PlacesKit.BodyGatherer")

    /// Collects the body of a task that has not been started.
    func gather(
        _ task: URLSessionTask, limit: Int, isSecure: Bool, for waiter: Waiter<HTTPResponse>
    ) {
        transfers.withLock {
            $0[task.taskIdentifier] = Transfer(
                task: task, waiter: waiter, limit: limit, isSecure: isSecure)
        }
    }

    /// The task for whose result somebody waits; nil before it is gathered, and when it has one.
    func task(for waiter: Waiter<HTTPResponse>) -> URLSessionTask? {
        transfers.withLock { $0.values.first { $0.waiter === waiter }?.task }
    }

    /// Ends a transfer with an error, unless it has a result; data that still arrives is dropped.
    func stop(_ task: URLSessionTask, _ error: any Error) {
        let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        guard let transfer else { return }
        transfer.waiter.finish(.failure(error))
        calls.async { task.cancel() }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        // A compressed body declares its compressed length, which is at most its real length.
        let limit = transfers.withLock { $0[dataTask.taskIdentifier]?.limit }
        if let limit, response.expectedContentLength > limit { refuse(dataTask, limit) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let identifier = dataTask.taskIdentifier
        let limit = transfers.withLock { transfers in
            transfers[identifier]?.append(data) == false ? transfers[identifier]?.limit : nil
        }
        if let limit { refuse(dataTask, limit) }
    }

    /// Refuses to leave HTTPS, before anything is sent there.
    ///
    /// NB: On Linux the process ends if a cancelled task is told where to go. So the answer is given
    /// under the lock, before anybody can stop the transfer, and a stopped one gets none. For the
    /// same reason a transfer that is refused here isn't cancelled: it ends with this answer.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        let refused: Transfer? = transfers.withLock { transfers in
            guard let transfer = transfers[task.taskIdentifier] else {
                #if !canImport(FoundationNetworking)
                    completionHandler(nil)
                #endif
                return nil
            }
            let isRefused = transfer.isSecure && request.url?.isHTTPS != true
            if isRefused { transfers[task.taskIdentifier] = nil }
            completionHandler(isRefused ? nil : request)
            return isRefused ? transfer : nil
        }
        refused?.waiter.finish(.failure(Self.insecure))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        complete(task, error)
    }

    #if canImport(FoundationNetworking)
        /// Accepts a reply that asks for a password like any other reply.
        ///
        /// NB: The body has arrived already, and if the challenge stays unanswered, nothing else
        /// happens.
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            complete(task, nil)
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    #endif

    private func refuse(_ task: URLSessionTask, _ limit: Int) {
        stop(task, PhotoSourceError.tooLarge(limit: limit))
    }

    private func complete(_ task: URLSessionTask, _ error: (any Error)?) {
        let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        guard let transfer else { return }
        transfer.waiter.finish(
            error.map { .failure(Self.failure($0, of: task)) }
                ?? Self.result(transfer.body, task.response, isSecure: transfer.isSecure))
    }

    private static func result(
        _ body: Data, _ response: URLResponse?, isSecure: Bool
    ) -> Result<HTTPResponse, any Error> {
        guard let response = response as? HTTPURLResponse else {
            return .failure(
                PhotoSourceError.malformedReply(what: "the reply is not HTTP", position: nil))
        }
        if isSecure, response.url?.isHTTPS == false {
            return .failure(insecure)
        }
        var headers: [String: String] = [:]
        for case (let name as String, let value as String) in response.allHeaderFields {
            headers[name] = value
        }
        return .success(
            HTTPResponse(
                status: response.statusCode, headers: headers, body: body, url: response.url))
    }

    private static var insecure: PhotoSourceError {
        .malformedReply(what: "the server redirected to an insecure address", position: nil)
    }

    private static func failure(_ error: any Error, of task: URLSessionTask) -> PhotoSourceError {
        guard let error = error as? URLError else {
            return .notConnected(reason: "\(type(of: error))")
        }
        return .failure(of: error, host: task.originalRequest?.url?.host())
    }
}

extension URL {
    /// Whether what is sent there is encrypted.
    var isHTTPS: Bool { scheme?.lowercased() == "https" }
}
