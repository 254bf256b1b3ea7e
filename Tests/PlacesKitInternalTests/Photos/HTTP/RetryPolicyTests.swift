import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesPhotos

/// How long a policy waits.
@Suite struct RetryPolicyTests {
    private func policy(jitter: Double = 0) -> RetryPolicy {
        RetryPolicy(
            attempts: 5, firstDelay: .seconds(1), longestDelay: .seconds(5), attemptTime: nil,
            totalTime: nil, clock: ManualClock(), jitter: { jitter })
    }

    @Test func `jitter leaves out at most half of a delay`() {
        let error = PhotoSourceError.timedOut(after: .seconds(1))
        for jitter in [0, 0.25, 0.999] {
            let delay = policy(jitter: jitter).delay(afterAttempt: 2, error: error)
            #expect(delay == .seconds(2) * (1 - jitter / 2))
        }
        #expect(policy().delay(afterAttempt: .max, error: error) == .seconds(5))
        #expect(policy().delay(afterAttempt: .min, error: error) == .seconds(1))
    }
}
