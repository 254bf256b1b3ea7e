import Foundation
import PlacesKit

/// A transport that answers each request with the JSON that a closure makes for it.
struct AnsweringTransport: HTTPTransport {
    private let answer: @Sendable (HTTPRequest) -> String

    init(_ answer: @escaping @Sendable (HTTPRequest) -> String) {
        self.answer = answer
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        HTTPResponse(
            headers: ["Content-Type": "application/json"], body: Data(answer(request).utf8))
    }
}
