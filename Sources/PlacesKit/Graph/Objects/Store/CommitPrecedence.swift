import Foundation
import Synchronization

/// Lets a save go first that others have overtaken again and again.
///
/// A save that takes longer than others pause between theirs would never be through. While one goes first, the others
/// wait before they commit: long enough for it to check its changes, and not for ever, for what it asks its objects may
/// wait for one of them.
final class CommitPrecedence: Sendable {
    /// How often a save is overtaken before it goes first.
    static let overtakings = 8
    /// How long others wait at least, and at most, in milliseconds.
    private static let patience = 250...10_000

    /// Held by who goes first; commits that its hooks make through other contexts on this thread do not wait.
    private let lock = NSRecursiveLock()
    /// How many saves go first: one, and those inside of it.
    private let holders = Atomic(0)
    /// How long the others wait, in milliseconds.
    private let patience = Atomic(CommitPrecedence.patience.lowerBound)

    /// Whether a save goes first, on whatever thread.
    var isTaken: Bool { holders.load(ordering: .relaxed) > 0 }

    /// Goes first from now on, until the precedence is given back on the same thread.
    ///
    /// - Parameter check: How long the save last took to check its changes.
    /// - Returns: Whether it goes first.
    func take(after check: Duration) -> Bool {
        guard lock.lock(before: limit) else { return false }
        holders.add(1, ordering: .relaxed)
        let needed = Int(check / .milliseconds(1)) * 4
        let limits = Self.patience
        patience.store(
            min(max(needed, limits.lowerBound), limits.upperBound), ordering: .relaxed)
        return true
    }

    func giveBack() {
        holders.subtract(1, ordering: .relaxed)
        lock.unlock()
    }

    /// Waits while a save on another thread goes first.
    func yield() {
        if lock.lock(before: limit) { lock.unlock() }
    }

    private var limit: Date {
        Date(timeIntervalSinceNow: Double(patience.load(ordering: .relaxed)) / 1_000)
    }
}
