import Foundation
import Synchronization

/// When the live results of a context change by themselves, and one sleep that lasts until the first of
/// them does.
///
/// The sleep is a task of its own that knows nothing of the context: when it is over the
/// context's actor is asked to process changes. A context on no actor looks at the clock when its changes are
/// processed.
///
/// - Invariant: The order is that of the alarms that are set to a time.
/// - Invariant: Nobody sleeps where no alarm is set, or there is no actor.
final class ContextAlarms {
    private struct Alarm {
        var time: Date?
        let ring: () -> Void
    }

    /// The end of a sleep, and whether it has come: by then the clock may have been set back before it.
    private final class SleepEnd: Sendable {
        let time: Date
        let hasCome = Atomic(false)

        init(_ time: Date) { self.time = time }
    }

    /// The time when the context last looked at the clock, for a sleep to see that it was set back since.
    private final class LastLook: Sendable {
        private let time = Mutex(Date.distantPast)

        func isAfter(_ now: Date) -> Bool { time.withLock { $0 > now } }

        /// Looks, and forgets an earlier time that is after it; returns whether there was one.
        func set(_ now: Date) -> Bool {
            time.withLock { time in
                defer { time = now }
                return time > now
            }
        }

        /// Looks, and leaves a time that is after it for whoever takes what is due.
        func advance(to now: Date) { time.withLock { $0 = max($0, now) } }
    }

    private let now: @Sendable () -> Date
    private let clock: any Clock<Duration>
    private let turns: ContextTurns?
    private var alarms: [Int32: Alarm] = [:]
    private var nextToken: Int32 = 0
    /// The tokens of those that nobody can set a time for: they ring whenever changes are processed.
    private var polled: Set<Int32> = []
    /// The tokens of the alarms that are set, by time.
    private var order = OrderedIndex()
    private var sleep: (end: SleepEnd, task: Task<Void, Never>)?
    private let lastLook = LastLook()

    init(
        now: @escaping @Sendable () -> Date, clock: any Clock<Duration>, _ turns: ContextTurns?
    ) {
        self.now = now
        self.clock = clock
        self.turns = turns
    }

    deinit { sleep?.task.cancel() }

    /// Adds an alarm that is not set yet; returns its token.
    func add(_ ring: @escaping () -> Void) -> Int32 {
        defer { nextToken &+= 1 }
        alarms[nextToken] = Alarm(ring: ring)
        return nextToken
    }

    /// Forgets an alarm.
    func remove(_ token: Int32) {
        set(token, to: nil)
        alarms[token] = nil
    }

    /// Sets an alarm to a time, to none, or to whenever changes are processed.
    func set(_ token: Int32, to time: Date?, isPolled: Bool = false) {
        if isPolled { polled.insert(token) } else { polled.remove(token) }
        lastLook.advance(to: now())
        guard let old = alarms[token], old.time != time else { return }
        if let time = old.time { order.remove(entry(token, time), token: 1) }
        if let time { order.insert(entry(token, time), token: 1) }
        alarms[token]?.time = time
        sleepUntilFirst()
    }

    private func entry(_ token: Int32, _ time: Date) -> OrderedEntry {
        OrderedEntry(
            group: 0, row: Row(rawValue: token),
            key: time.timeIntervalSinceReferenceDate.orderedBits)
    }

    private var first: (token: Int32, time: Date)? {
        guard !order.isEmpty, case let token = order[0].row.rawValue, let time = alarms[token]?.time
        else {
            return nil
        }
        return (token, time)
    }

    /// Whether somebody sleeps until an alarm.
    var isSleeping: Bool { sleep.map { !$0.end.hasCome.load(ordering: .acquiring) } ?? false }

    /// The alarms that are due, in order; all of them where the clock was set back.
    func takeDue() -> [Int32] {
        guard !alarms.isEmpty else { return [] }
        let time = now()
        guard !lastLook.set(time) else { return alarms.keys.sorted() }
        guard !polled.isEmpty || first.map({ $0.time <= time }) ?? false else { return [] }
        let key = time.timeIntervalSinceReferenceDate.orderedBits
        return Set(order.entries.prefix { $0.key <= key }.map(\.row.rawValue)).union(polled)
            .sorted()
    }

    /// Rings an alarm, if it is still there.
    func ring(_ token: Int32) { alarms[token]?.ring() }

    /// Sleeps until the first alarm, unless a sleep that is under way ends sooner: it will look again.
    func sleepUntilFirst() {
        guard let first, let turns else {
            sleep?.task.cancel()
            sleep = nil
            return
        }
        if let sleep, sleep.end.time <= first.time, !sleep.end.hasCome.load(ordering: .acquiring) {
            return
        }
        sleep?.task.cancel()
        let end = SleepEnd(first.time)
        let task = Task.detached { [now, clock, lastLook] in
            // In parts, for somebody may set the clock that tells the time.
            while case let time = now(), time < end.time {
                // What had come by then goes again; the alarm itself is still to be slept for.
                if lastLook.isAfter(time) { turns.ask(for: .processing) }
                let seconds = Swift.min(end.time.timeIntervalSince(time), 60)
                do { try await clock.sleep(for: .seconds(seconds)) } catch { return }
            }
            end.hasCome.store(true, ordering: .releasing)
            turns.ask(for: .processing)
        }
        sleep = (end, task)
    }
}

extension ContextAlarms {
    /// What is wrong with the alarms, in words; nothing if all is sound.
    var brokenInvariants: [String] {
        let set = alarms.compactMap { token, alarm in alarm.time.map { entry(token, $0) } }
        let tokens = Set(order.entries.map(\.row))
        return order.brokenInvariants()
            + (tokens != Set(set.map(\.row)) || order.count != set.count
                ? ["other alarms are in order than are set"] : [])
            + (polled.isSubset(of: alarms.keys) ? [] : ["an alarm that is gone is polled"])
            + (sleep != nil && (turns == nil || order.isEmpty) ? ["a sleep is for nobody"] : [])
    }
}
