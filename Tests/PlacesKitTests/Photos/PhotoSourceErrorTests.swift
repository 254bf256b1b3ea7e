import Foundation
import PlacesKit
import Testing

@Suite struct PhotoSourceErrorTests {
    static let errors: [(PhotoSourceError, isRetryable: Bool)] = [
        (missingKey, false),
        (.invalidRequest(reason: "page 0"), false),
        (failure(1, isRetryable: false), false),
        (failure(100, isRetryable: false), false),
        (failure(105, isRetryable: true), true),
        (.timedOut(after: .milliseconds(1_500)), true),
        (.budgetExhausted(retryAfter: .seconds(90)), true),
        (.unavailable(reason: .methodReturnsNothing(provider: "Flickr", method: "m")), false),
        (.unavailable(reason: .notSupported(provider: "Fake", operation: "places()")), false),
        (.http(status: 429, retryAfter: .seconds(7)), true),
        (.http(status: 503, retryAfter: nil), true),
        (.http(status: 403, retryAfter: nil), false),
        (.notConnected(reason: "refused"), true),
        (.malformedReply(what: "damaged", position: .init(byte: 17, line: 2)), true),
        (.gone(what: "The picture"), false),
        (.noPicture(what: "The picture", came: "text/html of 5 bytes"), true),
        (.tooManyRedirects(host: "x.example"), false),
        (.tooManyRedirects(host: nil), false),
    ]

    /// What a source says to whom gives it no key.
    private static var missingKey: PhotoSourceError {
        do throws(PhotoSourceError) {
            _ = try FlickrPhotoSource(environment: [:])
            return .missingKey(provider: "Flickr", remedy: "none is missing")
        } catch {
            return error
        }
    }

    private static func failure(_ code: Int, isRetryable: Bool) -> PhotoSourceError {
        .service(
            PhotoSourceError.ServiceFailure(
                provider: "Flickr", method: "m", code: "\(code)", message: "no",
                isRetryable: isRetryable))
    }

    @Test func `every error says in one sentence what to do, and whether to try again`() {
        for (error, isRetryable) in Self.errors {
            #expect(error.description.hasSuffix("."))
            #expect(!error.description.dropLast().contains(". "), "\(error)")
            #expect(error.localizedDescription == error.description)
            #expect(error.isRetryable == isRetryable, "\(error)")
        }
    }

    @Test(
        arguments: [
            (.http(status: 503, retryAfter: .zero), "try again later."),
            (.http(status: 429, retryAfter: .zero), "ask less often, and try again later."),
            (.http(status: 503, retryAfter: .milliseconds(1)), "wait 1 s and try again."),
            (.budgetExhausted(retryAfter: .zero), "are used up; try again."),
            (.budgetExhausted(retryAfter: .seconds(-1)), "are used up; try again."),
        ] as [(PhotoSourceError, String)])
    func `nobody is told to wait for nothing`(error: PhotoSourceError, advice: String) {
        #expect(error.description.hasSuffix(advice))
        #expect(!error.description.contains("wait 0 s"))
    }

    @Test func `the description has the facts`() {
        let all = Self.errors.map(\.0.description).joined(separator: "\n")
        for fact in [
            "FLICKR_API_KEY", "wait 7 s", "within 2 s", "wait 90 s", "error 105", "line 2, byte 17",
            "HTTP status 403", "“no”",
            "text/html of 5 bytes", "x.example redirects", "The server redirects",
        ] {
            #expect(all.contains(fact), "\(fact)")
        }
    }
}
