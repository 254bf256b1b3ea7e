extension FileSystem {
    /// Takes a lock, and makes sure that it is the one that others find.
    ///
    /// Somebody may remove the file, or put another one in its place, while this process is about to lock it. Nobody would
    /// see the lock of that file, so the file that has the name by then is locked instead.
    ///
    /// - Returns: The lock; and what tells its file from another one that takes its name later, if that is known.
    /// - Throws: ``FileSystemError/locked(path:holder:)`` if any process holds the lock.
    package func lockInPlace(
        at path: FilePath, like attributes: FileAttributes? = nil
    ) throws(FileSystemError) -> (lock: FileLock, identity: FileIdentity?) {
        // Somebody who replaces the file again and again holds it, as it were.
        for _ in 0..<16 {
            let lock = try lock(at: path, like: attributes)
            let found = identity(of: path)
            if found == lock.identity { return (lock, found) }
            if found == nil, try exists(path) { return (lock, nil) }
            lock.release()
        }
        throw .locked(path: path.description, holder: nil)
    }
}
