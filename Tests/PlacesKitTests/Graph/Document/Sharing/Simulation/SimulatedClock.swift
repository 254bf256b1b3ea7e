import Foundation
import Synchronization

/// The clock of one member, which goes by a second each time that it is asked, and otherwise as it is told.
final class SimulatedClock: Sendable {
    private let time: Mutex<Date>

    init(_ date: Date) { time = Mutex(date) }

    /// The time by this clock.
    var now: Date {
        time.withLock { time in
            time += 1
            return time
        }
    }

    /// Goes forwards or backwards.
    func jump(by seconds: Double) { time.withLock { $0 += seconds } }
}
