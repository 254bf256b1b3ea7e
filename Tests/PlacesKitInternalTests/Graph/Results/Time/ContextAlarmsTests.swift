import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Who sleeps until the time of live results.
@MainActor @Suite(.endsWaiting) struct ContextAlarmsTests {
    private typealias Photo = TimedModel.Photo

    private let clock = ManualClock()
    private let context: ManagedObjectContext
    private let start = Date(timeIntervalSinceReferenceDate: 1_000)

    init() throws {
        let store = try GraphStore(
            model: [Photo.self, TimedModel.Place.self],
            now: { [clock, start] in start + clock.now.offset / .seconds(1) }, clock: clock)
        context = ManagedObjectContext(store)
        Photo(context: context).lastViewed = start
    }

    private let recent = FetchRequest<Photo> { now in
        let (limit, never) = (now - 48, Date.distantPast)
        return #Predicate { ($0.lastViewed ?? never) > limit }
    }

    @Test func `results that nobody keeps leave no sleep behind`() async throws {
        var results: [AnyObject] = [
            try LiveAggregate(recent, .count, in: context),
            try LiveGroups(GroupRequest(of: recent, by: \.title, .count), in: context),
            try FetchedResultsController(recent, in: context),
        ]
        await clock.waitForSleepers()
        #expect(context.alarms.isSleeping)
        results.removeFirst()
        results.removeFirst()
        #expect(context.alarms.isSleeping)
        results = []
        #expect(!context.alarms.isSleeping)
    }

    @Test func `a list that rests leaves no sleep behind`() async throws {
        let results = try FetchedResultsController(recent, in: context)
        await clock.waitForSleepers()
        #expect(context.alarms.isSleeping)
        results.isPaused = true
        #expect(!context.alarms.isSleeping)
    }

    @Test func `alarms that are set again, or taken away, are in order`() {
        let alarms = ContextAlarms(
            now: { [clock, start] in start + clock.now.offset / .seconds(1) }, clock: clock, nil)
        var rung: [Int] = []
        let tokens = (0..<3).map { number in alarms.add { rung.append(number) } }
        alarms.set(tokens[0], to: start + 2)
        alarms.set(tokens[1], to: start + 1)
        alarms.set(tokens[2], to: nil, isPolled: true)
        #expect(alarms.brokenInvariants == [] && alarms.takeDue() == [tokens[2]])
        alarms.set(tokens[0], to: start)
        alarms.remove(tokens[2])
        for token in alarms.takeDue() { alarms.ring(token) }
        #expect(rung == [0] && alarms.brokenInvariants == [])
        // Where there is no actor nobody sleeps.
        alarms.sleepUntilFirst()
        #expect(!alarms.isSleeping)
    }

    @Test func `a clock that is set back when a sleep is over lets somebody sleep again`()
        async throws
    {
        let time = TestTime()
        let context = ManagedObjectContext(try time.store(sleepingOn: clock))
        Photo(context: context).lastViewed = time.now
        let live = try LiveAggregate(recent, .count, in: context)
        await clock.waitForSleepers()
        time.now += 48
        clock.advance(by: .seconds(48))
        // This actor is busy until the sleep is over, and the clock was set back.
        while context.alarms.isSleeping {}
        time.now -= 10
        await clock.waitForSleepers()
        #expect(live.value == 1)
        time.now += 10
        clock.advance(by: .seconds(10))
        try await wait { live.value == nil }
    }
}
