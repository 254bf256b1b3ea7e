import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct RequestBudgetTests {
    @Test func `a burst passes at once, then one request for each token`() async throws {
        let clock = ManualClock(isImmediate: true)
        let budget = RequestBudget(limit: 12, per: .seconds(100), burst: 2, clock: clock)
        #expect(budget.state.remaining == 2)
        for _ in 0..<4 { try await budget.take() }
        #expect(clock.sleeps == [.seconds(10), .seconds(10)])
        let state = budget.state
        #expect(state.used == 4)
        #expect(state.remaining == 0)
        #expect(state.wait == .seconds(10))
        #expect(state.fullAfter == .seconds(20))
        clock.advance(by: .seconds(10))
        #expect(budget.state.remaining == 1)
        clock.advance(by: .seconds(1_000))
        #expect(budget.state.remaining == 2)
        #expect(budget.state.fullAfter == .zero)
    }

    @Test(arguments: [(3_600, 600), (12, 2), (200, 5), (2, 1)])
    func `no period sees more requests than the limit`(limit: Int, burst: Int) async throws {
        let clock = ManualClock(isImmediate: true)
        let period = Duration.seconds(3_600)
        let budget = RequestBudget(
            limit: limit, per: period, burst: burst, longestWait: period, clock: clock)
        var times: [Duration] = []
        for number in 0..<(limit * 2 + 50) {
            if number == limit + 10 { clock.advance(by: period / 3) }
            try await budget.take()
            times.append(clock.now.offset)
        }
        var start = 0
        for end in times.indices {
            while times[end] - times[start] >= period { start += 1 }
            #expect(end - start + 1 <= limit)
        }
    }

    @Test func `a wait that is too long fails at once and says how long it is`() async throws {
        let clock = ManualClock()
        let budget = RequestBudget(
            limit: 11, per: .seconds(100), burst: 1, longestWait: .seconds(5), clock: clock)
        try await budget.take()
        await #expect(throws: PhotoSourceError.budgetExhausted(retryAfter: .seconds(10))) {
            try await budget.take()
        }
        #expect(budget.state.used == 1)
        clock.advance(by: .seconds(10))
        try await budget.take()
    }

    @Test func `a cancelled wait gives its token back`() async throws {
        let clock = ManualClock()
        let budget = RequestBudget(limit: 11, per: .seconds(100), burst: 1, clock: clock)
        try await budget.take()
        let task = Task { try await budget.take() }
        await clock.waitForSleepers()
        #expect(budget.state.used == 2)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(budget.state.used == 1)
        #expect(budget.state.wait == .seconds(10))
    }

    @Test(.endsWaiting)
    func `those behind a request that gives up move up, no faster than the limit`() async throws {
        let clock = ManualClock()
        let budget = RequestBudget(limit: 10, per: .seconds(10), burst: 5, clock: clock)
        for _ in 0..<5 { try await budget.take() }
        let sent = Counter()
        func ask() async throws -> Task<Duration, any Error> {
            let former = budget.state.used
            let task = Task {
                try await budget.take()
                defer { sent.count() }
                return clock.now.offset
            }
            try await wait { budget.state.used > former }
            return task
        }
        var waiting: [Task<Duration, any Error>] = []
        for _ in 0..<15 { waiting.append(try await ask()) }
        // One row after the other goes out of sight, and another comes.
        for _ in 0..<14 {
            let first = waiting.removeFirst()
            first.cancel()
            _ = await first.result
            waiting.append(try await ask())
        }
        for number in 1...15 {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(2))
            try await wait { sent.value == number }
        }
        var times: [Duration] = []
        for task in waiting { times.append(try await task.value) }
        #expect(times.sorted() == (1...15).map { Duration.seconds(2 * $0) })
        #expect(budget.state.used == 20)
    }

    @Test func `absurd limits make a budget all the same`() async throws {
        for limit in [Int.min, 0, 1, 2] {
            let budget = RequestBudget(limit: limit, per: .seconds(1), burst: limit)
            try await budget.take()
            #expect(budget.state.used == 1)
        }
    }

    @Test func `a transport takes a token for each request`() async throws {
        let clock = ManualClock(isImmediate: true)
        let budget = RequestBudget(limit: 11, per: .seconds(100), burst: 1, clock: clock)
        let transport = ScriptedTransport { _ in .success }.spending(budget)
        for number in 0..<3 { _ = try await transport.send(.numbered(number)) }
        #expect(budget.state.used == 3)
        #expect(clock.sleeps.count == 2)
    }

    @Test(arguments: [Duration.seconds(1), .zero, .seconds(-1), .seconds(Int64.max)])
    func `any limit, burst and period can be counted`(period: Duration) async throws {
        for limit in [Int.min, 0, 1, 10, .max] {
            for burst in [nil, Int.min, 1, .max] {
                let budget = RequestBudget(
                    limit: limit, per: period, burst: burst, clock: ManualClock(isImmediate: true))
                try await budget.take()
                #expect(budget.state.used == 1 && budget.state.remaining >= 0)
            }
        }
    }
}
