extension FileSystem {
    /// Takes a lock, and makes sure that it is the one that others find.
    ///
    /// Somebody may remove the file, or put another one in its place, while this process is about to lock it. Nobody would
    /// see the lock of that file, so the file that has the name by then is locked instead.
    ///
    /// - Throws: ``FileSystemError/locked(path:holder:)`` if any process holds the lock.
    package func lockInPlace(
        at path: FilePath, like attributes: FileAttributes? = nil
    ) throws(FileSystemError) -> FileLock {
        // Somebody who replaces the file again and again holds it, as it were.
        for _ in 0..<16 {
            let lock = try lock(at: path, like: attributes)
            if identity(of: path) == lock.identity { return lock }
            lock.release()
            // Files that do not answer have no known identity either. They say why here, or answer again.
            _ = try exists(path)
        }
        throw .locked(path: path.description, holder: nil)
    }
}
