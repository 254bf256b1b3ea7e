import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesPhotos

/// Redirects without end, as transports tell of them.
@Suite struct RedirectTests {
    private let request = HTTPRequest.numbered(1)
    private let policy = RetryPolicy(
        attemptTime: nil, totalTime: nil, clock: ManualClock(isImmediate: true))

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

    @Test func `a redirect without end is not tried again`() async {
        let loop = PhotoSourceError.tooManyRedirects(host: "photos.example")
        let base = ScriptedTransport { _ in throw loop }
        await #expect(throws: loop) {
            try await RetryingTransport(base, policy: policy).send(request)
        }
        #expect(base.started == 1)
    }

    @Test func `a redirect without end is asked for once by every source, for lists and pictures`()
        async throws
    {
        let url = try #require(URL(string: "https://photos.example/1.jpg"))
        for error in [
            PhotoSourceError.tooManyRedirects(host: nil), URLError(.httpTooManyRedirects),
        ] as [any Error] {
            let base = ScriptedTransport { _ in throw error }
            let sources: [any PhotoSource] = [
                FlickrPhotoSource(key: "test", transport: base, retry: policy),
                try CommonsPhotoSource(
                    application: "Tests/1", contact: "https://example.org", transport: base,
                    retry: policy),
            ]
            for source in sources {
                await #expect(throws: PhotoSourceError.tooManyRedirects(host: nil)) {
                    try await source.recentPhotos(limit: 5)
                }
                await #expect(throws: PhotoSourceError.tooManyRedirects(host: nil)) {
                    try await source.data(for: PhotoVariant(name: "m", url: url))
                }
            }
            #expect(base.started == 4)
        }
    }
}
