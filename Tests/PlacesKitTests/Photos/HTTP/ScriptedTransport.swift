import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization

/// A transport that answers each request by its number, from 1, and counts what it is asked.
final class ScriptedTransport: HTTPTransport {
    private let counts = Mutex((started: 0, running: 0, mostRunning: 0))
    private let body: @Sendable (Int) async throws -> HTTPResponse

    init(_ body: @escaping @Sendable (Int) async throws -> HTTPResponse) {
        self.body = body
    }

    var started: Int { counts.withLock { $0.started } }
    var running: Int { counts.withLock { $0.running } }
    var mostRunning: Int { counts.withLock { $0.mostRunning } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let number = counts.withLock { counts in
            counts.started += 1
            counts.running += 1
            counts.mostRunning = max(counts.mostRunning, counts.running)
            return counts.started
        }
        defer { counts.withLock { $0.running -= 1 } }
        return try await body(number)
    }

    /// Never answers; ends when it is cancelled.
    static func never() async throws -> HTTPResponse {
        for await _ in AsyncStream<Void>(unfolding: { try? await Task.sleep(for: .seconds(3600)) })
        where Task.isCancelled {
            break
        }
        throw CancellationError()
    }
}

extension HTTPResponse {
    static let success = HTTPResponse(body: Data("{}".utf8))
}

extension HTTPRequest {
    /// A request that differs from those of other numbers.
    static func numbered(_ number: Int) -> HTTPRequest {
        HTTPRequest(url: URL(filePath: "/\(number)"))
    }
}
