import Foundation
import PlacesKit
import Testing

@Suite struct URLSessionTransportTests {
    @Test func `a refused connection is notConnected, and does not quote the address`() async throws
    {
        let port = try LoopbackPort()
        port.close()
        let url = try #require(URL(string: "https://127.0.0.1:\(port.number)/?api_key=SECRET"))
        do {
            _ = try await URLSessionTransport().send(HTTPRequest(url: url))
            Issue.record("a reply came from a closed port")
        } catch let error as PhotoSourceError {
            guard case .notConnected = error else {
                Issue.record("\(error)")
                return
            }
            #expect(!"\(error)".contains("SECRET"))
            #expect(error.isRetryable)
        }
    }

    @Test func `cancelling a call in flight throws CancellationError`() async throws {
        let port = try LoopbackPort()
        defer { port.close() }
        let url = try #require(URL(string: "http://127.0.0.1:\(port.number)/"))
        let task = Task { try await URLSessionTransport().send(HTTPRequest(url: url)) }
        await port.waitForConnection()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a task cancelled before it calls throws CancellationError`() async throws {
        let url = try #require(URL(string: "https://127.0.0.1:1/"))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await URLSessionTransport().send(HTTPRequest(url: url))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `status, header fields and body of a reply arrive whatever the status`() async throws
    {
        let port = try LoopbackPort()
        defer { port.close() }
        let url = try #require(URL(string: "http://127.0.0.1:\(port.number)/"))
        let request = HTTPRequest(url: url, headers: ["User-Agent": "PlacesKitTests"])
        async let pending = URLSessionTransport().send(request)
        let received = await port.answer(
            "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3\r\nContent-Length: 4\r\n"
                + "Connection: close\r\n\r\nSlow")
        let response = try await pending
        #expect(response.status == 429)
        #expect(response.header("retry-AFTER") == "3")
        #expect(response.body == Data("Slow".utf8))
        #expect(received.contains("User-Agent: PlacesKitTests\r\n"))
    }
}
