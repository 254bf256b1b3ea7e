import Synchronization

/// Counts what has happened.
final class Mailbox: Sendable {
    private let notes = Mutex(0)
    var count: Int { notes.withLock { $0 } }
    func note() { notes.withLock { $0 += 1 } }
}
