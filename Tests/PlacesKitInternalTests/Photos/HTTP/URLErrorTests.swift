import Foundation
import PlacesKit
import Testing

@testable import PlacesPhotos

/// Errors of the network as those of a photo source.
@Suite struct URLErrorTests {
    @Test func `a redirect without end is an error of its own, and names the host asked first`() {
        let loop = PhotoSourceError.failure(
            of: URLError(.httpTooManyRedirects), host: "photos.example")
        #expect(loop == .tooManyRedirects(host: "photos.example"))
        #expect(!loop.isRetryable)
        let passed = PhotoSourceError.passing(on: URLError(.httpTooManyRedirects))
        #expect(passed as? PhotoSourceError == .tooManyRedirects(host: nil))
    }

    @Test(arguments: [
        URLError.Code.notConnectedToInternet, .cannotFindHost, .cannotConnectToHost,
        .networkConnectionLost, .timedOut, .secureConnectionFailed, .unknown,
    ])
    func `other failures of the network can be tried again, and tell their code`(
        code: URLError.Code
    ) throws {
        let error = PhotoSourceError.failure(of: URLError(code), host: "photos.example")
        #expect(error.isRetryable)
        #expect(error.description.contains("error \(code.rawValue)"))
        let passed = try #require(
            PhotoSourceError.passing(on: URLError(code)) as? PhotoSourceError)
        #expect(passed.isRetryable)
        #expect(passed.description.contains("\(code.rawValue)"))
    }
}
