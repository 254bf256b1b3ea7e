import PlacesKit

/// A file system of a test that only reads: whatever would change something is refused, as on a disk that is
/// mounted read-only.
protocol UnchangedFiles: FileSystem {}

extension UnchangedFiles {
    func makeDirectory(at path: FilePath) throws(FileSystemError) { throw refusal(path) }

    func open(_ path: FilePath, mode: FileMode) throws(FileSystemError) -> any WritableFile {
        throw refusal(path)
    }

    func rename(_ old: FilePath, to new: FilePath) throws(FileSystemError) { throw refusal(new) }

    func remove(_ path: FilePath) throws(FileSystemError) { throw refusal(path) }

    func removeDirectory(at path: FilePath) throws(FileSystemError) { throw refusal(path) }

    func synchronizeDirectory(_ path: FilePath) throws(FileSystemError) { throw refusal(path) }

    func lock(at path: FilePath) throws(FileSystemError) -> FileLock { throw refusal(path) }

    func refusal(_ path: FilePath) -> FileSystemError {
        .failed(.open, path: path.description, code: 30)
    }
}
