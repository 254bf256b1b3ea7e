import Synchronization

/// The sole right to a document, held until it is released or nobody refers to it any more.
package final class FileLock: Sendable {
    private let unlock: Mutex<(@Sendable () -> Void)?>

    /// A lock that `unlock` gives back.
    package init(unlock: @escaping @Sendable () -> Void) {
        self.unlock = Mutex(unlock)
    }

    deinit {
        release()
    }

    /// Gives the lock back; done again, it has no effect.
    package func release() {
        let unlock = unlock.withLock { unlock in
            defer { unlock = nil }
            return unlock
        }
        unlock?()
    }
}
