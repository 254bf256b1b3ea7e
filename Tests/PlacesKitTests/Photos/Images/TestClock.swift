import Foundation
import Synchronization

/// A clock that a test sets.
final class TestClock: Sendable {
    private let time: Mutex<Date>

    init(_ time: Date) {
        self.time = Mutex(time)
    }

    var now: Date { time.withLock { $0 } }

    func advance(by seconds: Double) {
        time.withLock { $0 += seconds }
    }

    func set(_ date: Date) {
        time.withLock { $0 = date }
    }
}
