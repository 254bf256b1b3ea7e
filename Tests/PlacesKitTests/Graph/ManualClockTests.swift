import PlacesKitTesting
import Testing

@Suite(.endsWaiting) struct ManualClockTests {
    @Test func `a wait for sleepers that do not come ends with its task`() async throws {
        let clock = ManualClock()
        let waiting = Task { await clock.waitForSleepers(2) }
        waiting.cancel()
        await waiting.value

        let other = Task { await clock.waitForSleepers(2) }
        let sleepers = (0..<2).map { _ in Task { try await clock.sleep(for: .seconds(1)) } }
        await other.value
        #expect(clock.sleeps.count == 2)
        clock.advance(by: .seconds(1))
        for sleeper in sleepers { try await sleeper.value }
    }

    @Test func `a sleeper that is cancelled is none any more for who waits for others`()
        async throws
    {
        for _ in 0..<100 {
            let clock = ManualClock()
            let cancelled = Task { try await clock.sleep(for: .seconds(1)) }
            await clock.waitForSleepers()
            cancelled.cancel()
            let other = Task { try await clock.sleep(for: .seconds(2)) }
            await clock.waitForSleepers()
            #expect(clock.sleeps == [.seconds(1), .seconds(2)])
            clock.advance(by: .seconds(2))
            try await other.value
            await #expect(throws: CancellationError.self) { try await cancelled.value }
        }
    }
}
