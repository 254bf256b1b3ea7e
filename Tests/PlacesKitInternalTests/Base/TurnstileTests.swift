import PlacesBase
import Testing

@testable import PlacesKitTests

/// Who waits for a turn.
@Suite struct TurnstileTests {
    @Test func `those who wait for a turn get it in their order, and a cancelled one leaves`()
        async throws
    {
        let turnstile = Turnstile()
        let order = ValueLog()
        let (opened, open) = AsyncStream<Void>.makeStream()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let holder = Task {
            try await turnstile.withTurn {
                begin.yield()
                for await _ in opened { break }
            }
        }
        for await _ in begun { break }
        #expect(turnstile.isTaken)
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<3 {
            tasks.append(Task { try await turnstile.withTurn { order.append(number) } })
            while turnstile.waitingCount <= number { await Task.yield() }
        }
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        open.yield()
        try await holder.value
        for number in [0, 2] { try await tasks[number].value }
        #expect(order.values == [0, 2] && !turnstile.isTaken)
    }
}
