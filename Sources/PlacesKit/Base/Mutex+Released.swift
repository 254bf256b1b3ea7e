package import Synchronization

extension Mutex {
    /// Calls a closure under the lock, and frees what it returns once the lock has ended.
    ///
    /// What is freed may run code of a caller's own, such as the deallocator of bytes or what a closure holds, and that
    /// may ask for the same lock. To give it out is not enough: the optimiser frees a value after its last use.
    package borrowing func withLockReleasingResult<Released>(
        _ body: (inout sending Value) -> sending Released
    ) {
        withExtendedLifetime(withLock(body)) {}
    }
}
