import PlacesKit
import Synchronization

/// The machine's file system, which counts the bytes that are read.
final class CountedFiles: FileSystem {
    private let disk = DiskFileSystem()
    private let count = Atomic(0)

    /// How many bytes were read so far.
    var readCount: Int { count.load(ordering: .relaxed) }

    fileprivate func note(_ bytes: [UInt8]) -> [UInt8] {
        count.add(bytes.count, ordering: .relaxed)
        return bytes
    }

    func read(_ path: FilePath) throws(FileSystemError) -> [UInt8] { note(try disk.read(path)) }

    func openForSeeking(_ path: FilePath) throws(FileSystemError) -> any SeekableFile {
        CountedFile(try disk.openForSeeking(path), self)
    }

    func open(_ path: FilePath, mode: FileMode) throws(FileSystemError) -> any WritableFile {
        try disk.open(path, mode: mode)
    }

    func makeDirectory(at path: FilePath) throws(FileSystemError) {
        try disk.makeDirectory(at: path)
    }

    func list(_ path: FilePath) throws(FileSystemError) -> [String] { try disk.list(path) }

    func status(of path: FilePath) throws(FileSystemError) -> FileStatus? {
        try disk.status(of: path)
    }

    func rename(_ old: FilePath, to new: FilePath) throws(FileSystemError) {
        try disk.rename(old, to: new)
    }

    func remove(_ path: FilePath) throws(FileSystemError) { try disk.remove(path) }

    func synchronizeDirectory(_ path: FilePath) throws(FileSystemError) {
        try disk.synchronizeDirectory(path)
    }

    func lock(at path: FilePath) throws(FileSystemError) -> FileLock { try disk.lock(at: path) }
}

private final class CountedFile: SeekableFile {
    private let file: any SeekableFile
    private let files: CountedFiles

    init(_ file: any SeekableFile, _ files: CountedFiles) {
        (self.file, self.files) = (file, files)
    }

    var size: Int? { file.size }

    var version: FileVersion? { file.version }

    func read(from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        files.note(try file.read(from: offset, count: count))
    }
}
