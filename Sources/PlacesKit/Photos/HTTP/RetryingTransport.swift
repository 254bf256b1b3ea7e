import Foundation

/// A transport that tries a request again if it can succeed later.
///
/// It gives up when the attempts are used up, or when the next delay would end after the total
/// time. Then it returns the last reply or throws the last error. A budget that is used up is an
/// error at once.
///
/// A host that gets too many requests is left alone by all requests of the transport, unless each
/// is sent only once.
package struct RetryingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let policy: RetryPolicy
    private let failure: @Sendable (HTTPRequest, HTTPResponse) -> PhotoSourceError?
    private let pauses: HostPauses

    /// Creates the layer on top of another transport.
    ///
    /// - Parameters:
    ///   - base: The transport for each attempt. It must end soon when its task is cancelled.
    ///   - policy: When and how often to try again.
    ///   - failure: What is wrong with a reply, for services that report failures with status 200.
    ///     By default any status other than success is a failure.
    package init(
        _ base: any HTTPTransport, policy: RetryPolicy = RetryPolicy(),
        failure: @escaping @Sendable (HTTPRequest, HTTPResponse) -> PhotoSourceError? = {
            $1.statusFailure
        }
    ) {
        self.base = base
        self.policy = policy
        self.failure = failure
        pauses = HostPauses(policy.clock)
    }

    /// Sends a request, again if necessary.
    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let totalTime = policy.totalTime else { return try await attempt(request) }
        return try await policy.clock.limit(to: totalTime) { try await attempt(request) }
    }

    private func attempt(_ request: HTTPRequest) async throws -> HTTPResponse {
        let stopwatch = Stopwatch(policy.clock)
        let host = request.url.host() ?? ""
        var number = 1
        while true {
            try await waitForPause(of: host, since: stopwatch)
            let result: Result<HTTPResponse, PhotoSourceError>
            let error: PhotoSourceError
            do {
                let response = try await base.send(request)
                guard let failure = failure(request, response) else { return response }
                (result, error) = (.success(response), failure)
            } catch let failure as PhotoSourceError {
                // Nothing was sent, and waiting here would end as if the network had failed.
                if case .budgetExhausted = failure { throw failure }
                (result, error) = (.failure(failure), failure)
            }
            let delay = policy.delay(afterAttempt: number, error: error)
            if policy.attempts > 1, error.concernsHost {
                pauses.begin(at: host, for: min(delay, RetryPolicy.longestWish))
            }
            guard error.isRetryable, number < policy.attempts,
                policy.allows(delay, after: stopwatch.elapsed)
            else { return try result.get() }
            try await policy.clock.pause(for: delay)
            number += 1
        }
    }

    /// Waits while the host is to be left alone, which others may prolong meanwhile.
    private func waitForPause(of host: String, since stopwatch: Stopwatch) async throws {
        while case let rest = pauses.rest(of: host), rest > .zero {
            guard policy.allows(rest, after: stopwatch.elapsed) else {
                throw PhotoSourceError.budgetExhausted(retryAfter: rest)
            }
            try await policy.clock.pause(for: rest)
        }
    }
}

extension PhotoSourceError {
    /// Whether a server asks with it for fewer requests, of whatever kind, for a while.
    fileprivate var concernsHost: Bool {
        if case .http(status: 429, _) = self { return true }
        return isRetryable && (retryAfter ?? .zero) > .zero
    }
}
