import PlacesKit

/// A file system of a test that is the machine's, but for what the test's own does in another way.
protocol DiskFiles: FileSystem {
    var disk: DiskFileSystem { get }
}

extension DiskFiles {
    func makeDirectory(at path: FilePath) throws(FileSystemError) {
        try disk.makeDirectory(at: path)
    }

    func list(_ path: FilePath) throws(FileSystemError) -> [String] { try disk.list(path) }

    func status(of path: FilePath) throws(FileSystemError) -> FileStatus? {
        try disk.status(of: path)
    }

    func identity(of path: FilePath) -> FileIdentity? { disk.identity(of: path) }

    func version(of path: FilePath) -> FileVersion? { disk.version(of: path) }

    func read(_ path: FilePath) throws(FileSystemError) -> [UInt8] { try disk.read(path) }

    func open(_ path: FilePath, mode: FileMode) throws(FileSystemError) -> any WritableFile {
        try disk.open(path, mode: mode)
    }

    func rename(_ old: FilePath, to new: FilePath) throws(FileSystemError) {
        try disk.rename(old, to: new)
    }

    func remove(_ path: FilePath) throws(FileSystemError) { try disk.remove(path) }

    func removeDirectory(at path: FilePath) throws(FileSystemError) {
        try disk.removeDirectory(at: path)
    }

    func synchronizeDirectory(_ path: FilePath) throws(FileSystemError) {
        try disk.synchronizeDirectory(path)
    }

    func lock(at path: FilePath) throws(FileSystemError) -> FileLock { try disk.lock(at: path) }
}
