import Foundation

extension FileSystem {
    /// Takes a lock that is only ever held for moments, waiting until its holder releases it.
    ///
    /// - Throws: ``FileSystemError/locked(path:holder:)`` if that takes longer than so many seconds.
    package func waitForLock(
        at path: FilePath, seconds: Int = 5
    ) throws(FileSystemError) -> FileLock {
        for _ in 0..<seconds * 1_000 {
            do {
                return try lockInPlace(at: path)
            } catch .locked {
                Platform.pause(milliseconds: 1)
            }
        }
        return try lockInPlace(at: path)
    }
}
