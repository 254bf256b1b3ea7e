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
}
