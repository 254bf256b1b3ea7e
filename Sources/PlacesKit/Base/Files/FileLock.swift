import Synchronization

/// The exclusive right to a document, held until it is released or no reference to it remains.
package final class FileLock: Sendable {
    /// Tells the locked file from another one that took its name; `nil` if that is not known.
    package let identity: FileIdentity?
    private let unlock: Mutex<(@Sendable () -> Void)?>

    /// Creates a lock that `unlock` releases.
    package init(
        of identity: FileIdentity? = nil, unlock: @escaping @Sendable () -> Void
    ) {
        self.identity = identity
        self.unlock = Mutex(unlock)
    }

    deinit {
        release()
    }

    /// Releases the lock; a second call has no effect.
    package func release() {
        let unlock = unlock.withLock { unlock in
            defer { unlock = nil }
            return unlock
        }
        unlock?()
    }
}
