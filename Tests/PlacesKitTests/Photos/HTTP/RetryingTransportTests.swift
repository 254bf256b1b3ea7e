import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct RetryingTransportTests {
    private let request = HTTPRequest.numbered(1)

    /// A policy without time limits, half of whose jitter is left out, on a clock that moves by itself.
    private func policy(
        _ clock: ManualClock, attempts: Int = 5, jitter: Double = 0
    ) -> RetryPolicy {
        RetryPolicy(
            attempts: attempts, firstDelay: .seconds(1), longestDelay: .seconds(5),
            attemptTime: nil, totalTime: nil, clock: clock, jitter: { jitter })
    }

    @Test func `what can succeed later is tried again after growing delays`() async throws {
        let clock = ManualClock(isImmediate: true)
        let base = ScriptedTransport { number in
            switch number {
            case 1: throw PhotoSourceError.notConnected(reason: "test")
            case 2: return HTTPResponse(status: 503, body: Data())
            case 3: throw PhotoSourceError.malformedReply(what: "garbage", position: nil)
            case 4: return HTTPResponse(status: 408, body: Data())
            default: return .success
            }
        }
        let transport = RetryingTransport(base, policy: policy(clock))
        #expect(try await transport.send(request) == .success)
        #expect(clock.sleeps == [.seconds(1), .seconds(2), .seconds(4), .seconds(5)])
    }

    @Test func `after the last attempt the reply or the error is the caller's`() async throws {
        let clock = ManualClock(isImmediate: true)
        let replies = ScriptedTransport { _ in HTTPResponse(status: 500, body: Data()) }
        let response = try await RetryingTransport(replies, policy: policy(clock, attempts: 3))
            .send(request)
        #expect(response.status == 500)
        #expect(replies.started == 3)
        let errors = ScriptedTransport { throw PhotoSourceError.notConnected(reason: "\($0)") }
        await #expect(throws: PhotoSourceError.notConnected(reason: "2")) {
            try await RetryingTransport(errors, policy: policy(clock, attempts: 2)).send(request)
        }
    }

    @Test(arguments: [400, 401, 403, 404, 410])
    func `what cannot succeed later is not tried again`(status: Int) async throws {
        let base = ScriptedTransport { _ in HTTPResponse(status: status, body: Data()) }
        let transport = RetryingTransport(base, policy: policy(ManualClock(isImmediate: true)))
        #expect(try await transport.send(request).status == status)
        #expect(base.started == 1)
    }

    @Test func `the server's own delay is kept, and never shortened`() async throws {
        let clock = ManualClock(isImmediate: true)
        let base = ScriptedTransport { number in
            let wait = number == 1 ? "7" : "0"
            return number == 3
                ? .success
                : HTTPResponse(status: 429, headers: ["Retry-After": wait], body: Data())
        }
        _ = try await RetryingTransport(base, policy: policy(clock, jitter: 0.5)).send(request)
        #expect(clock.sleeps == [.seconds(7), .milliseconds(1_500)])
    }

    @Test func `a delay that would end after the total time is not begun`() async throws {
        let clock = ManualClock()
        let base = ScriptedTransport { _ in
            HTTPResponse(status: 429, headers: ["Retry-After": "61"], body: Data())
        }
        let policy = RetryPolicy(totalTime: .seconds(60), clock: clock)
        #expect(try await RetryingTransport(base, policy: policy).send(request).status == 429)
        #expect(base.started == 1)
    }

    @Test func `a server may ask for an hour where nothing limits the time, and not for more`()
        async throws
    {
        let clock = ManualClock(isImmediate: true)
        for (wait, isGranted) in [("3600", true), ("3601", false), ("86400000000", false)] {
            let base = ScriptedTransport { number in
                number > 1
                    ? .success
                    : HTTPResponse(status: 503, headers: ["Retry-After": wait], body: Data())
            }
            let response = try await RetryingTransport(base, policy: policy(clock)).send(request)
            #expect(response.status == (isGranted ? 200 : 503), "\(wait) s")
            #expect(base.started == (isGranted ? 2 : 1), "\(wait) s")
        }
        #expect(clock.sleeps == [.seconds(3_600)])
    }

    private func request(to host: String, _ number: Int) throws -> HTTPRequest {
        HTTPRequest(url: try #require(URL(string: "https://\(host)/\(number)")))
    }

    @Test(arguments: [(429, "12"), (429, nil), (503, "12")])
    func `while a host gets too many requests, none goes there, and other hosts get theirs`(
        status: Int, wait: String?
    ) async throws {
        let clock = ManualClock()
        let base = ScriptedTransport { number in
            number > 1
                ? .success
                : HTTPResponse(
                    status: status, headers: wait.map { ["Retry-After": $0] } ?? [:], body: Data())
        }
        let transport = RetryingTransport(base, policy: policy(clock))
        let requests = try (1...3).map { try request(to: "busy.example", $0) }
        let first = Task { try await transport.send(requests[0]) }
        await clock.waitForSleepers()
        let others = requests.dropFirst().map { request in
            Task { try await transport.send(request) }
        }
        await clock.waitForSleepers(3)
        #expect(base.started == 1)
        #expect(try await transport.send(request(to: "idle.example", 1)) == .success)
        clock.advance(by: .seconds(wait == nil ? 1 : 12))
        for task in [first] + others { #expect(try await task.value == .success) }
        #expect(base.started == 5)
    }

    @Test func `who would have to wait too long for a busy host is told so, and sends nothing`()
        async throws
    {
        let clock = ManualClock()
        let base = ScriptedTransport { number in
            number > 1
                ? .success
                : HTTPResponse(status: 429, headers: ["Retry-After": "90"], body: Data())
        }
        let policy = RetryPolicy(attemptTime: nil, totalTime: .seconds(60), clock: clock)
        let transport = RetryingTransport(base, policy: policy)
        let requests = try (1...2).map { try request(to: "busy.example", $0) }
        #expect(try await transport.send(requests[0]).status == 429)
        await #expect(throws: PhotoSourceError.budgetExhausted(retryAfter: .seconds(90))) {
            try await transport.send(requests[1])
        }
        #expect(base.started == 1)
        clock.advance(by: .seconds(90))
        #expect(try await transport.send(requests[1]) == .success)
    }

    @Test func `a budget that is used up is told at once, and not as a broken network`() async {
        let clock = ManualClock(isImmediate: true)
        let exhausted = PhotoSourceError.budgetExhausted(retryAfter: .seconds(31))
        let base = ScriptedTransport { _ in throw exhausted }
        await #expect(throws: exhausted) {
            try await RetryingTransport(base, policy: policy(clock)).send(request)
        }
        #expect(base.started == 1 && clock.sleeps.isEmpty)
    }

    @Test func `an attempt is cut off when the total time is up`() async {
        let clock = ManualClock()
        let base = ScriptedTransport { _ in try await ScriptedTransport.never() }
        let policy = RetryPolicy(totalTime: .seconds(60), clock: clock)
        let reply = Task { try await RetryingTransport(base, policy: policy).send(request) }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(60))
        await #expect(throws: PhotoSourceError.timedOut(after: .seconds(60))) {
            try await reply.value
        }
        #expect(base.running == 0)
    }

    @Test func `one attempt that takes too long is cut off and can be tried again`() async {
        let clock = ManualClock()
        let base = ScriptedTransport { _ in try await ScriptedTransport.never() }
        let transport = base.limitingTime(to: .seconds(15), on: clock)
        let reply = Task { try await transport.send(request) }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(15))
        let error = await #expect(throws: PhotoSourceError.self) { try await reply.value }
        #expect(error == .timedOut(after: .seconds(15)))
        #expect(error?.isRetryable == true)
        #expect(base.running == 0)
    }

    @Test func `cancelling during a delay throws CancellationError`() async {
        let clock = ManualClock()
        let base = ScriptedTransport { _ in HTTPResponse(status: 500, body: Data()) }
        let policy = policy(clock)
        let task = Task { try await RetryingTransport(base, policy: policy).send(request) }
        await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(base.started == 1)
    }

    @Test func `times without an end stop nothing`() async throws {
        let forever = Duration.seconds(Int64.max)
        let limits = RetryPolicy(attemptTime: forever, totalTime: forever)
        let base = ScriptedTransport { _ in .success }
        #expect(try await base.layered(retry: limits).send(request) == .success)

        let clock = ManualClock(isImmediate: true)
        let delays = RetryPolicy(
            firstDelay: forever, longestDelay: forever, attemptTime: nil, totalTime: nil,
            clock: clock, jitter: { 0 })
        let failing = ScriptedTransport { number in
            number == 1 ? HTTPResponse(status: 503, body: Data()) : .success
        }
        #expect(try await RetryingTransport(failing, policy: delays).send(request) == .success)
        let late = FaultyTransport(base, faults: [.latency(forever)], clock: clock)
        #expect(try await late.send(request) == .success)
        let longest = Duration.seconds(1_000_000_000)
        #expect(clock.sleeps == [longest, longest], "no clock counts as far as they ask")
    }

    @Test func `errors that are not ours pass`() async {
        struct Strange: Error {}
        let base = ScriptedTransport { _ in throw Strange() }
        await #expect(throws: Strange.self) {
            try await RetryingTransport(base, policy: policy(ManualClock())).send(request)
        }
    }

    @Test(arguments: [
        ("12", 12.0), ("120.0", 120), ("120, 120", 120), ("5, 90", 90), ("-3", 0),
        ("3000000000", 1e9), ("86400000000", 1e9),
        ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
        ("Sun Nov  6 08:50:37 1994", 60), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
    ])
    func `every form in which a server asks to wait is understood`(
        form: String, seconds: Double
    ) {
        let response = HTTPResponse(
            status: 503,
            headers: ["Retry-After": form, "Date": "Sun, 06 Nov 1994 08:49:37 GMT"], body: Data())
        #expect(
            response.statusFailure == .http(status: 503, retryAfter: .seconds(seconds)))
    }

    @Test func `a date to wait for counts from now where the reply has no date`() {
        let response = HTTPResponse(
            status: 503, headers: ["Retry-After": "Fri, 01 Jan 2100 00:00:00 GMT"], body: Data())
        guard case .http(_, let wait?)? = response.statusFailure else {
            Issue.record("no wait")
            return
        }
        #expect(wait > .seconds(86_400))
    }

    @Test(arguments: ["", "soon", "nan", ",", "12, soon"])
    func `what is no time is no wait`(form: String) {
        let response = HTTPResponse(status: 503, headers: ["Retry-After": form], body: Data())
        #expect(response.statusFailure == .http(status: 503, retryAfter: nil))
    }
}
