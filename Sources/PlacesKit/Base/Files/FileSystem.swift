package import Foundation

/// The operations that a document needs from a file system.
///
/// Each operation takes effect, fails or is lost in a crash by itself. What a document builds from
/// them, such as replacing a file atomically, is written once in extensions, for all file systems.
/// So a file system for tests sees every step and can fail between any two.
package protocol FileSystem: Sendable {
    /// The same files, with all paths inside one folder.
    ///
    /// The folder's own path may be a link. No link inside the folder is followed: anything that is
    /// not a file with one name fails with ``FileSystemError/unexpected(path:found:)`` and stays as
    /// it is. All paths lead into this folder, even if its own path leads elsewhere later.
    func inside(_ path: FilePath) throws(FileSystemError) -> any FileSystem

    /// Creates a directory in an existing one; fails if the name is taken.
    func makeDirectory(at path: FilePath) throws(FileSystemError)

    /// The names in a directory, sorted; a name that is not UTF-8 has its bytes spelled out.
    func list(_ path: FilePath) throws(FileSystemError) -> [String]

    /// The names in a directory, in no order, with those that are not UTF-8 kept apart.
    func names(in path: FilePath) throws(FileSystemError) -> FolderNames

    /// The type and size of what lies at a path; nil if nothing does.
    func status(of path: FilePath) throws(FileSystemError) -> FileStatus?

    /// Reads a whole file.
    func read(_ path: FilePath) throws(FileSystemError) -> [UInt8]

    /// Opens a file to read it from its beginning. The file is closed when it is released.
    func openForReading(_ path: FilePath) throws(FileSystemError) -> any ReadableFile

    /// Opens a file to read any part of it; the file may have several names.
    ///
    /// The file is closed when it is released.
    func openForSeeking(_ path: FilePath) throws(FileSystemError) -> any SeekableFile

    /// Opens a file for writing. The file is closed when it is released, at the latest.
    func open(
        _ path: FilePath, mode: FileMode
    ) throws(FileSystemError) -> any WritableFile

    /// Creates a file that never grants more permissions than these attributes.
    func create(
        _ path: FilePath, like attributes: FileAttributes?
    ) throws(FileSystemError) -> any WritableFile

    /// Creates a directory that never grants more permissions than these attributes.
    func makeDirectory(at path: FilePath, like attributes: FileAttributes?)
        throws(FileSystemError)

    /// The identity of the file at a path; nil if it is not known.
    func identity(of path: FilePath) -> FileIdentity?

    /// The present version of the file at a path; nil if it is not known.
    func version(of path: FilePath) -> FileVersion?

    /// The attributes that a file needs if it replaces this one; nil if they are not known.
    func attributes(of path: FilePath) -> FileAttributes?

    /// Renames a file in one step, replacing any file that has the new name.
    func rename(_ old: FilePath, to new: FilePath) throws(FileSystemError)

    /// Removes a file.
    func remove(_ path: FilePath) throws(FileSystemError)

    /// Removes a directory; fails if anything is in it.
    func removeDirectory(at path: FilePath) throws(FileSystemError)

    /// Brings the names in a directory to the storage.
    ///
    /// Until then a crash may undo what was created, renamed and removed in the directory.
    func synchronizeDirectory(_ path: FilePath) throws(FileSystemError)

    /// Reads at most `count` bytes from the beginning of a file.
    func read(_ path: FilePath, prefix count: Int) throws(FileSystemError) -> [UInt8]

    /// When a file was last changed or its use noted; nil if that is not known.
    func lastUse(of path: FilePath) -> Date?

    /// Records a date as the file's last use, if the file system can.
    func noteUse(of path: FilePath, at date: Date)

    /// Tells of changes of a folder's names and of a file's content in it; nil if nothing tells of them here.
    func watch(
        _ folder: FilePath, file: FilePath?, onChange: @escaping @Sendable () -> Void
    ) throws(FileSystemError) -> FileWatch?

    /// Takes the exclusive lock of a lock file, which is created if it is missing.
    ///
    /// - Throws: ``FileSystemError/locked(path:holder:)`` if any process holds the lock, even this
    ///   one.
    func lock(at path: FilePath) throws(FileSystemError) -> FileLock

    /// Takes the lock; a new lock file gets these attributes.
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

    package func watch(
        _ folder: FilePath, file: FilePath?, onChange: @escaping @Sendable () -> Void
    ) throws(FileSystemError) -> FileWatch? { nil }
}

/// A file that is open for writing at its end.
package protocol WritableFile: AnyObject {
    /// Appends all of `bytes`.
    func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError)

    /// Brings what was written to the storage; until then a crash may undo all or part of it.
    func synchronize() throws(FileSystemError)

    /// Cuts the file to `size` bytes; the next write continues there.
    func truncate(to size: Int) throws(FileSystemError)

    /// Closes the file; any use of it afterwards fails.
    func close() throws(FileSystemError)
}

extension WritableFile {
    /// Appends all of `content`.
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
    /// The file is created if it is missing; writes are appended to its content.
    case append
}
