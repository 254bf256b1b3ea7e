import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Who asks what time it is.
private enum Asking {
    @TaskLocal static var isTest = false
}

/// Live results on an actor, which wake when their time comes; the clock is moved by hand.
@MainActor @Suite(.endsWaiting) struct WakingTests {
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
        try await wait { told == [4] }
        #expect(live.nextChange == start + 58)
        await advance(by: 10)
        try await wait { told == [4, 1] }
        await advance(by: 20)
        try await wait { told == [4, 1, nil] }
        #expect(live.nextChange == nil)
    }

    @Test func `a list tells what expired and what came, each instant as one change`()
        async throws
    {
        let coming = FetchRequest<Photo>(sortBy: [SortDescriptor(\.lastViewed)]) { now in
            let (start, end) = (now - 5, now + 5)
            return #Predicate { photo in
                photo.lastViewed.flatMap { start <= $0 && $0 < end } ?? false
            }
        }
        for seconds in [0.0, 0, 3, 15, 15, 15] { photo(viewed: seconds) }
        let results = try FetchedResultsController(coming, in: context)
        var told: [[Int]] = []
        results.onChange = { change in
            let difference = change.difference
            told.append([
                difference.itemDeletes.count, difference.itemInserts.count,
                difference.itemMoves.count + difference.itemUpdates.count,
            ])
        }
        #expect(results.objects.count == 3)
        #expect(results.nextChange?.timeIntervalSince(start) ?? 0 > 5)
        await advance(by: 6)
        try await wait { told == [[2, 0, 0]] }
        await advance(by: 5)
        try await wait { told == [[2, 0, 0], [1, 3, 0]] }
        results.isPaused = true
        clock.advance(by: .seconds(60))
        context.processPendingChanges()
        #expect(results.objects.count == 3)
        results.isPaused = false
        #expect(results.objects.isEmpty)
        try results.setRequest(FetchRequest<Photo>())
        #expect(results.objects.count == 6)
        #expect(results.nextChange == nil)
    }

    @Test func `thousands that expire at one instant are one change`() async throws {
        for _ in 0..<2_000 { photo(viewed: 0) }
        photo(viewed: 1)
        let results = try FetchedResultsController(recent, in: context)
        var deletes: [Int] = []
        results.onChange = { deletes.append($0.difference.itemDeletes.count) }
        await advance(by: 48)
        try await wait { deletes == [2_000] }
        #expect(results.objects.count == 1)
    }

    @Test func `a change that makes the next instant sooner is slept for`() async throws {
        let first = photo(viewed: 100)
        let live = try LiveAggregate(recent, .count, in: context)
        photo(viewed: 5)
        context.processPendingChanges()
        #expect(live.nextChange == start + 53)
        await clock.waitForSleepers()
        await advance(by: 53)
        try await wait { live.value == 1 }
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
        try await wait { live.groups.map { $0.1 } == [1] }
        clock.advance(by: .seconds(-20))
        context.processPendingChanges()
        photo(viewed: 90)
        context.processPendingChanges()
        #expect(live.groups.map { $0.1 } == [3])
        #expect(live.nextChange == start + 48)
    }

    @Test func `a clock that is set back while somebody sleeps loses no wake-up`() async throws {
        let time = TestTime()
        let context = ManagedObjectContext(try time.store(sleepingOn: clock))
        Photo(context: context).lastViewed = time.now + 3_552
        let live = try LiveAggregate(recent, .count, in: context)
        let end = time.now + 3_600
        #expect(live.nextChange == end)
        for (number, seconds) in [600.0, -300, 10].enumerated() {
            try await wait { clock.sleeps.count == number + 1 }
            time.now += seconds
            await advance(by: 60)
        }
        try await wait { clock.sleeps.count == 4 }
        #expect(live.value == 1)
        time.now = end
        await advance(by: 60)
        try await wait { live.value == nil }
    }

    @Test func `a clock that is set back before somebody sleeps brings back what had expired`()
        async throws
    {
        let (time, later) = (TestTime(), Date(timeIntervalSinceReferenceDate: 70))
        // Who sleeps is another task, and looks at the clock late.
        let store = try GraphStore(
            model: [Photo.self, TimedModel.Place.self],
            now: { Asking.isTest ? time.now : later }, clock: clock)
        let context = ManagedObjectContext(store)
        Photo(context: context).lastViewed = time.now
        let live = try Asking.$isTest.withValue(true) {
            let live = try LiveAggregate(recent, .count, in: context)
            time.now += 100
            context.processPendingChanges()
            return live
        }
        #expect(live.value == nil)
        try await wait { live.value == 1 }
    }

    @Test func `a clock that is set back after others looked at it, amid a sleep, is noticed`()
        async throws
    {
        let time = TestTime()
        let context = ManagedObjectContext(try time.store(sleepingOn: clock))
        for seconds in [-18.0, 3_552] { Photo(context: context).lastViewed = time.now + seconds }
        let live = try LiveAggregate(recent, .count, in: context)
        await clock.waitForSleepers()
        time.now += 30
        context.processPendingChanges()
        #expect(live.value == 1)
        time.now -= 20
        clock.advance(by: .seconds(30))
        try await wait { live.value == 2 }
        time.now += 20
        await advance(by: 20)
        try await wait { live.value == 1 }
    }

    @Test func `results dropped after the clock was set back do not hide that`() throws {
        let time = TestTime()
        let context = ManagedObjectContext(try time.store(sleepingOn: clock))
        Photo(context: context).lastViewed = time.now
        let live = try LiveAggregate(recent, .count, in: context)
        var dropped: LiveAggregate? = try LiveAggregate(recent, .count, in: context)
        #expect(dropped?.value == 1)
        time.now += 100
        context.processPendingChanges()
        #expect(live.value == nil)
        time.now -= 80
        dropped = nil
        context.processPendingChanges()
        #expect(live.value == 1)
    }

    @Test func `a clock that jumps is noticed within a minute`() async throws {
        photo(viewed: 100_000)
        let live = try LiveAggregate(recent, .count, in: context)
        await clock.waitForSleepers()
        #expect(clock.sleeps == [.seconds(60)])
        clock.advance(by: .seconds(1_000_000))
        try await wait { live.value == nil }
    }

    @Test func `what all had expired comes back by itself where the clock is set back`()
        async throws
    {
        let time = TestTime()
        let context = ManagedObjectContext(try time.store(sleepingOn: clock))
        Photo(context: context).lastViewed = time.now
        let live = try LiveAggregate(recent, .count, in: context)
        let list = try FetchedResultsController(recent, in: context)
        time.now += 100
        await advance(by: 60)
        try await wait { live.value == nil && list.objects.isEmpty }
        #expect(live.nextChange == nil)
        time.now -= 80
        await advance(by: 60)
        try await wait { live.value == 1 && list.objects.count == 1 }
    }

    @Test func `a constant that is another one for an hour a day is noticed`() throws {
        let time = TestTime()
        let midnight = time.now
        let context = ManagedObjectContext(try time.store(sleepingOn: clock), isolation: nil)
        for _ in 0..<2 { _ = Photo(context: context) }
        let request = FetchRequest<Photo> { [midnight] now in
            let hour = Int((now.timeIntervalSince(midnight) / 3_600).rounded(.down))
            let least = hour % 24 == 17 ? 3 : 0
            return #Predicate { $0.title.count >= least }
        }
        // A list is made at each hour of the day, before and after the one at which all shows other objects.
        let lists = try (0..<24).map { hour in
            time.now = midnight + (Double(hour) + 0.5) * 3_600
            context.processPendingChanges()
            return try FetchedResultsController(request, in: context)
        }
        for hour in 24..<72 {
            time.now = midnight + (Double(hour) + 0.5) * 3_600
            context.processPendingChanges()
            let shown = lists.map(\.objects.count)
            #expect(shown.allSatisfy { $0 == (hour % 24 == 17 ? 0 : 2) }, "hour \(hour): \(shown)")
        }
    }

    @Test func `objects that a costly pattern keeps out are missing for as long as time passes`()
        throws
    {
        let time = TestTime()
        let context = ManagedObjectContext(try time.store(sleepingOn: clock), isolation: nil)
        func photo(_ title: String, expiring seconds: Double) -> Photo {
            let photo = Photo(context: context)
            (photo.title, photo.expires) = (title, time.now + seconds)
            return photo
        }
        let (soon, later) = (photo("ac", expiring: 10), photo("aac", expiring: 100))
        let pattern = "(a+)+b|a+c"
        let list = try FetchedResultsController(
            FetchRequest<Photo>(where: "title MATCHES %@ AND expires > now()", pattern),
            in: context)
        #expect(Set(list.objects) == [soon, later] && list.error == nil)
        let costly = photo(String(repeating: "a", count: 40) + "c", expiring: 100)
        context.processPendingChanges()
        #expect(list.error == .patternTooCostly(pattern))
        time.now += 20
        context.processPendingChanges()
        #expect(Array(list.objects) == [later])
        #expect(list.error == .patternTooCostly(pattern))
        costly.title = "aaac"
        context.processPendingChanges()
        #expect(Set(list.objects) == [later, costly] && list.error == nil)
    }
}
