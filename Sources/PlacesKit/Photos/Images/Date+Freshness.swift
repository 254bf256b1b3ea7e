package import Foundation

extension Date {
    /// Whether the date lies no further back than an age.
    ///
    /// If it lies as far ahead, a clock was wrong, and it says nothing.
    package func isFresh(at now: Date, upTo age: Duration) -> Bool {
        abs(now.timeIntervalSince(self)) <= age / .seconds(1)
    }
}
