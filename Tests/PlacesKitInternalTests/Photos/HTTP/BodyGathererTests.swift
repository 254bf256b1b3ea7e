import Dispatch
import Foundation
import PlacesBase
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesKitTests
@testable import PlacesPhotos

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Redirects as a session tells its delegate of them.
@Suite(.endsWaiting) struct BodyGathererTests {
    /// Sessions do not retain the queue of their events.
    private static let events = DispatchQueue(label: "BodyGathererTests")

    /// Sends a request as if it were secure or not, and waits until the session has let it go.
    private func send(
        to url: URL, isSecure: Bool
    ) async throws -> Result<HTTPResponse, any Error> {
        let bodies = BodyGatherer()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.underlyingQueue = Self.events
        let session = URLSession(
            configuration: .ephemeral, delegate: bodies, delegateQueue: queue)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: URLRequest(url: url))
        let waiter = Waiter<HTTPResponse>()
        bodies.gather(task, limit: 1_000, isSecure: isSecure, for: waiter)
        task.resume()
        let result: Result<HTTPResponse, any Error>
        do { result = .success(try await waiter.result()) } catch { result = .failure(error) }
        try await wait { task.state == .completed }
        return result
    }

    @Test func `a redirect away from HTTPS is refused before anything is sent there`() async throws
    {
        let server = try LoopbackServer { request in
            request.target == "/secure" ? .redirect(to: "/clear?api_key=5ecre7") : .json("{}")
        }
        let url = try #require(server.url("/secure"))
        let error = try await #require(throws: PhotoSourceError.self) {
            try await send(to: url, isSecure: true).get()
        }
        guard case .malformedReply(let what, _) = error else { throw Unexpected(error) }
        #expect(what.contains("insecure address"))
        #expect(server.requestCount == 1)
    }

    @Test func `a request that a session keeps waiting ends with its time`() async throws {
        let session = GatheringSession(.ephemeral)
        let (clock, isFree) = (ManualClock(), DispatchSemaphore(value: 0))
        session.bodies.calls.async { isFree.wait() }
        let url = try #require(URL(string: "https://127.0.0.1:1/"))
        let request = Task {
            try await clock.limit(to: .seconds(1)) {
                try await session.send(HTTPRequest(url: url))
            }
        }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        await #expect(throws: PhotoSourceError.timedOut(after: .seconds(1))) {
            try await request.value
        }
        isFree.signal()
    }

    @Test func `any other redirect is followed`() async throws {
        let server = try LoopbackServer { request in
            request.target == "/a" ? .redirect(to: "/b") : .json("{}")
        }
        let url = try #require(server.url("/a"))
        let response = try await send(to: url, isSecure: false).get()
        #expect(response.status == 200 && response.url?.lastPathComponent == "b")
        #expect(server.requestCount == 2)
    }

    @Test func `of an address that begins with https each redirect has to, in any case`() throws {
        let bodies = BodyGatherer()
        let session = URLSession.shared
        let secure = try #require(URL(string: "https://photos.example/1"))
        let response = try #require(
            HTTPURLResponse(url: secure, statusCode: 302, httpVersion: nil, headerFields: nil))
        for (address, isFollowed) in [
            ("https://other.example/2", true), ("HTTPS://photos.example/2", true),
            ("http://photos.example/2", false), ("ftp://photos.example/2", false),
        ] {
            let task = session.dataTask(with: secure)
            bodies.gather(task, limit: 1_000, isSecure: true, for: Waiter<HTTPResponse>())
            let next = URLRequest(url: try #require(URL(string: address)))
            var answers: [URLRequest?] = []
            bodies.urlSession(
                session, task: task, willPerformHTTPRedirection: response, newRequest: next
            ) { answers.append($0) }
            #expect(answers == [isFollowed ? next : nil], "\(address)")
        }
    }

    #if canImport(FoundationNetworking)
        @Test func `a transfer that was stopped is not told where to go`()
            async throws
        {
            let bodies = BodyGatherer()
            let url = try #require(URL(string: "http://photos.example/1"))
            let response = try #require(
                HTTPURLResponse(url: url, statusCode: 302, httpVersion: nil, headerFields: nil))
            let task = URLSession.shared.dataTask(with: url)
            let waiter = Waiter<HTTPResponse>()
            bodies.gather(task, limit: 1_000, isSecure: false, for: waiter)
            bodies.stop(task, CancellationError())
            bodies.urlSession(
                .shared, task: task, willPerformHTTPRedirection: response,
                newRequest: URLRequest(url: url)
            ) { _ in Issue.record("it was told") }
            await #expect(throws: CancellationError.self) { try await waiter.result() }
        }

        @Test func `requests that are cancelled while they are redirected end`() async throws {
            let server = try LoopbackServer { request in
                request.target == "/a" ? .redirect(to: "/b") : .json("{}")
            }
            let url = try #require(server.url("/a"))
            for turns in 0..<60 {
                let known = server.requestCount
                let request = Task { try await URLSessionTransport().send(HTTPRequest(url: url)) }
                try await wait { server.requestCount > known }
                // Beside other tests a task that yields waits for all of theirs.
                for _ in 0..<turns * turns / 4 { sched_yield() }
                request.cancel()
                _ = await request.result
            }
            let last = try await URLSessionTransport().send(HTTPRequest(url: url))
            #expect(last.status == 200)
        }
    #endif
}
