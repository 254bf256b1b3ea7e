import Foundation

extension HTTPTransport {
    /// Sends a request to an https address; what fails is a `PhotoSourceError` or a cancellation.
    func send(
        to address: String, headers: [String: String], upTo bodyLimit: Int
    ) async throws -> HTTPResponse {
        guard let url = URL(string: address), url.scheme == "https", url.host() != nil else {
            throw PhotoSourceError.invalidRequest(reason: "\(address) is not an https address")
        }
        do {
            try Task.checkCancellation()
            return try await send(HTTPRequest(url: url, headers: headers, bodyLimit: bodyLimit))
        } catch {
            throw PhotoSourceError.passing(on: error)
        }
    }
}
