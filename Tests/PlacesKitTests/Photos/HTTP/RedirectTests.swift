import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Redirects without end, as transports tell of them.
@Suite struct RedirectTests {
    private let request = HTTPRequest.numbered(1)
    private let policy = RetryPolicy(
        attemptTime: nil, totalTime: nil, clock: ManualClock(isImmediate: true))

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
