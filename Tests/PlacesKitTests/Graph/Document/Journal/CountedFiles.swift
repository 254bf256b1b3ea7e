import PlacesKit
import Synchronization

/// The machine's file system, which counts the bytes that are read, and how often it is asked about a file or a folder.
final class CountedFiles: DiskFiles {
    let disk = DiskFileSystem()
    private let count = Atomic(0)
    private let statuses = Atomic(0)
    private let lists = Atomic(0)

    /// How many bytes were read so far.
    var readCount: Int { count.load(ordering: .relaxed) }

    /// How often somebody asked about a file so far.
    var statusCount: Int { statuses.load(ordering: .relaxed) }

    /// How often somebody asked for the names in a folder so far.
    var listCount: Int { lists.load(ordering: .relaxed) }

    func list(_ path: FilePath) throws(FileSystemError) -> [String] {
        lists.add(1, ordering: .relaxed)
        return try disk.list(path)
    }

    func status(of path: FilePath) throws(FileSystemError) -> FileStatus? {
        statuses.add(1, ordering: .relaxed)
        return try disk.status(of: path)
    }

    fileprivate func note(_ bytes: [UInt8]) -> [UInt8] {
        count.add(bytes.count, ordering: .relaxed)
        return bytes
    }

    func read(_ path: FilePath) throws(FileSystemError) -> [UInt8] { note(try disk.read(path)) }

    func read(_ path: FilePath, prefix count: Int) throws(FileSystemError) -> [UInt8] {
        note(try disk.read(path, prefix: count))
    }

    func openForSeeking(_ path: FilePath) throws(FileSystemError) -> any SeekableFile {
        CountedFile(try disk.openForSeeking(path), self)
    }
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
