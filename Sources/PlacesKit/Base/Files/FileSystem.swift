package import Foundation

/// What a document asks of the file system: single operations, each of which takes effect, fails or is
/// lost in a crash by itself.
///
/// What a document does with them, such as replacing a file atomically, is written once for all file
/// systems in extensions. So a file system made for tests sees every step and can fail between two.
package protocol FileSystem: Sendable {
    /// The same files, seen from a folder: its own path may be a link, but none in it is followed, and what
    /// is no file of one name is refused with ``FileSystemError/unexpected(path:found:)`` and left alone.
    ///
    /// All paths lead into the folder then, whatever its own path leads to by the time.
    func inside(_ path: FilePath) throws(FileSystemError) -> any FileSystem

    /// Makes a directory in one that exists; fails if there is something of that name.
    func makeDirectory(at path: FilePath) throws(FileSystemError)

    /// The names of what a directory holds, sorted; those that are no text have their bytes written out.
    func list(_ path: FilePath) throws(FileSystemError) -> [String]

    /// The names of what a directory holds, in no order, those that are no text apart from the others.
    func names(in path: FilePath) throws(FileSystemError) -> FolderNames

    /// Type and size of what lies at a path; nil if there is nothing.
    func status(of path: FilePath) throws(FileSystemError) -> FileStatus?

    /// The whole content of a file.
    func read(_ path: FilePath) throws(FileSystemError) -> [UInt8]

    /// Opens a file for reading from its beginning on. The file is closed when it is released.
    func openForReading(_ path: FilePath) throws(FileSystemError) -> any ReadableFile

    /// Opens a file, of however many names, to read any part of it. The file is closed when it is released.
    func openForSeeking(_ path: FilePath) throws(FileSystemError) -> any SeekableFile

    /// Opens a file for writing. The file is closed when it is released, at the latest.
    func open(
        _ path: FilePath, mode: FileMode
    ) throws(FileSystemError) -> any WritableFile

    /// Makes a file that nobody can do more with, at any time, than these attributes say.
    func create(
        _ path: FilePath, like attributes: FileAttributes?
    ) throws(FileSystemError) -> any WritableFile

    /// Makes a directory that nobody can do more with than these attributes say.
    func makeDirectory(at path: FilePath, like attributes: FileAttributes?)
        throws(FileSystemError)

    /// Which of all files lies at a path, whatever the path; nil where that is not to be had.
    func identity(of path: FilePath) -> FileIdentity?

    /// As what a file lies at a path at present; nil where that is not to be had.
    func version(of path: FilePath) -> FileVersion?

    /// What a file that replaces another has to have; nil where that is not to be had.
    func attributes(of path: FilePath) -> FileAttributes?

    /// Gives a file another name, instead of whatever had it, in one step.
    func rename(_ old: FilePath, to new: FilePath) throws(FileSystemError)

    /// Removes a file.
    func remove(_ path: FilePath) throws(FileSystemError)

    /// Brings the names in a directory to the storage; until then a crash may undo what was created,
    /// renamed and removed in it.
    func synchronizeDirectory(_ path: FilePath) throws(FileSystemError)

    /// The first bytes of a file, at most so many.
    func read(_ path: FilePath, prefix count: Int) throws(FileSystemError) -> [UInt8]

    /// When a file was changed last, or its use noted; nil where that is not to be had.
    func lastUse(of path: FilePath) -> Date?

    /// Makes a date that of a file's last use, as well as can be.
    func noteUse(of path: FilePath, at date: Date)

    /// Takes the exclusive lock that a file stands for, which is made if need be, or fails with
    /// ``FileSystemError/locked(path:holder:)``, also if this very process holds it.
    func lock(at path: FilePath) throws(FileSystemError) -> FileLock

    /// Takes the lock; its file has these attributes if it is made.
    func lock(
        at path: FilePath, like attributes: FileAttributes?
    ) throws(FileSystemError) -> FileLock
}

extension FileSystem {
    package func inside(_ path: FilePath) throws(FileSystemError) -> any FileSystem { self }

    package func create(
        _ path: FilePath, like attributes: FileAttributes?
    ) throws(FileSystemError) -> any WritableFile {
        try open(path, mode: .createNew)
    }

    package func makeDirectory(at path: FilePath, like attributes: FileAttributes?)
        throws(FileSystemError)
    {
        try makeDirectory(at: path)
    }

    package func names(in path: FilePath) throws(FileSystemError) -> FolderNames {
        FolderNames(names: try list(path))
    }

    package func version(of path: FilePath) -> FileVersion? { nil }

    package func identity(of path: FilePath) -> FileIdentity? { nil }

    package func attributes(of path: FilePath) -> FileAttributes? { nil }

    package func lock(
        at path: FilePath, like attributes: FileAttributes?
    ) throws(FileSystemError) -> FileLock {
        try lock(at: path)
    }

    package func read(_ path: FilePath, prefix count: Int) throws(FileSystemError) -> [UInt8] {
        Array(try read(path).prefix(count))
    }

    package func openForReading(_ path: FilePath) throws(FileSystemError) -> any ReadableFile {
        FileContent(try read(path))
    }

    package func openForSeeking(_ path: FilePath) throws(FileSystemError) -> any SeekableFile {
        FileContent(try read(path))
    }

    package func lastUse(of path: FilePath) -> Date? { nil }

    package func noteUse(of path: FilePath, at date: Date) {}
}

/// A file that is open for writing at its end.
package protocol WritableFile: AnyObject {
    /// Adds all of `bytes`.
    func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError)

    /// Brings what has been written to the storage; until then a crash may undo it, wholly or in part.
    func synchronize() throws(FileSystemError)

    /// Cuts the file, so that it goes on from `size`.
    func truncate(to size: Int) throws(FileSystemError)

    /// Closes the file; any use of it afterwards fails.
    func close() throws(FileSystemError)
}

extension WritableFile {
    /// Adds all of `content`.
    package func write(_ content: [UInt8]) throws(FileSystemError) {
        try content.withUnsafeBufferPointer { bytes throws(FileSystemError) in
            try write(UnsafeRawBufferPointer(bytes))
        }
    }
}

/// How a file is opened for writing.
package enum FileMode: Sendable {
    /// There must be no such file yet.
    case createNew
    /// The file is made if need be; what is written comes after what it holds.
    case append
}
