import Foundation
import PlacesKitTesting

/// A time that somebody moves ahead by a line with seconds, so that what two days do is seen at once.
final class MovableTime: Sendable {
    let clock = ManualClock()

    /// Tells the time, as far ahead as it was moved.
    var now: @Sendable () -> Date {
        { [clock] in Date() + clock.now.offset / .seconds(1) }
    }

    /// Moves the time as each line of standard input says, from now on.
    func followInput() {
        Thread.detachNewThread { [clock] in
            while let line = readLine() {
                if let seconds = Double(line) { clock.advance(by: .seconds(seconds)) }
            }
        }
    }
}
