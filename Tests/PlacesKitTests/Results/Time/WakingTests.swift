import Foundation
import PlacesKitTesting
import Testing

@testable import PlacesKit

/// Live results on an actor, which wake when their time comes; the clock is moved by hand.
@MainActor @Suite struct WakingTests {
    private typealias Photo = TimedModel.Photo

    private let clock = ManualClock()
    private let context: ManagedObjectContext
    private let start = Date(timeIntervalSinceReferenceDate: 1_000)

    init() throws {
        let store = try GraphStore(
            model: [Photo.self, TimedModel.Place.self],
            now: { [clock, start] in start + clock.now.offset / .seconds(1) }, clock: clock)
        context = ManagedObjectContext(store)
    }

    @discardableResult
    private func photo(viewed seconds: Double?) -> Photo {
        let photo = Photo(context: context)
        photo.lastViewed = seconds.map { start + $0 }
        return photo
    }

    private let recent = FetchRequest<Photo> { now in
        let (limit, never) = (now - 48, Date.distantPast)
        return #Predicate { ($0.lastViewed ?? never) > limit }
    }

    /// Moves the clock when somebody sleeps on it.
    private func advance(by seconds: Int) async {
        await clock.waitForSleepers()
        clock.advance(by: .seconds(seconds))
    }

    @Test func `totals wake when their time comes, and tell what expired as one change`()
        async throws
    {
        for seconds in [0.0, 10, 10, 10, 30] { photo(viewed: seconds) }
        photo(viewed: nil)
        let live = try LiveAggregate(recent, .count, in: context)
        var told: [Int?] = []
        live.onChange = { [unowned live] in told.append(live.value) }
        #expect(live.value == 5)
        #expect(live.nextChange == start + 48)
        await advance(by: 48)
        await wait { told == [4] }
        #expect(live.nextChange == start + 58)
        await advance(by: 10)
        await wait { told == [4, 1] }
        await advance(by: 20)
        await wait { told == [4, 1, nil] }
        #expect(live.nextChange == nil)
    }

    @Test func `a change that makes the next instant sooner is slept for`() async throws {
        let first = photo(viewed: 100)
        let live = try LiveAggregate(recent, .count, in: context)
        photo(viewed: 5)
        context.processPendingChanges()
        #expect(live.nextChange == start + 53)
        await clock.waitForSleepers()
        await advance(by: 53)
        await wait { live.value == 1 }
        context.delete(first)
        context.processPendingChanges()
        #expect(live.value == nil)
        #expect(live.nextChange == nil)
    }

    @Test func `a clock that is set back brings back what had expired`() async throws {
        photo(viewed: 0)
        photo(viewed: 100)
        let live = try LiveGroups(
            GroupRequest(of: recent, by: \.title, .count), in: context)
        await advance(by: 50)
        await wait { live.groups.map { $0.1 } == [1] }
        clock.advance(by: .seconds(-20))
        context.processPendingChanges()
        photo(viewed: 90)
        context.processPendingChanges()
        #expect(live.groups.map { $0.1 } == [3])
        #expect(live.nextChange == start + 48)
    }

    @Test func `a clock that jumps is noticed within a minute`() async throws {
        photo(viewed: 100_000)
        let live = try LiveAggregate(recent, .count, in: context)
        await clock.waitForSleepers()
        #expect(clock.sleeps == [.seconds(60)])
        clock.advance(by: .seconds(1_000_000))
        await wait { live.value == nil }
    }

    @Test func `results that nobody keeps leave no sleep behind`() async throws {
        photo(viewed: 0)
        var results: [AnyObject] = [
            try LiveAggregate(recent, .count, in: context),
            try LiveGroups(GroupRequest(of: recent, by: \.title, .count), in: context),
        ]
        await clock.waitForSleepers()
        #expect(context.alarms.isSleeping)
        results.removeLast()
        #expect(context.alarms.isSleeping)
        results = []
        #expect(!context.alarms.isSleeping)
    }
}
