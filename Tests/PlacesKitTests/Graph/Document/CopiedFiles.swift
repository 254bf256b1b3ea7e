import PlacesKit
import PlacesKitTesting

/// Files of a document that somebody else writes, and beside them a folder where a copy is made.
final class CopiedFiles: FileSystem {
    private let source: any UnchangedFiles
    private let copies = CrashingFiles()
    private let copy: FilePath

    /// The files, and the folder of the copy.
    init(_ source: any UnchangedFiles, to copy: FilePath) {
        (self.source, self.copy) = (source, copy)
    }

    private func files(_ path: FilePath) -> any FileSystem {
        let isCopy = "\(path)/".hasPrefix("\(copy)/") || path == copy.parent
        return isCopy ? copies : source
    }

    func list(_ path: FilePath) throws(FileSystemError) -> [String] { try files(path).list(path) }

    func status(of path: FilePath) throws(FileSystemError) -> FileStatus? {
        try files(path).status(of: path)
    }

    func read(_ path: FilePath) throws(FileSystemError) -> [UInt8] { try files(path).read(path) }

    func makeDirectory(at path: FilePath) throws(FileSystemError) {
        try files(path).makeDirectory(at: path)
    }

    func open(_ path: FilePath, mode: FileMode) throws(FileSystemError) -> any WritableFile {
        try files(path).open(path, mode: mode)
    }

    func rename(_ old: FilePath, to new: FilePath) throws(FileSystemError) {
        try files(new).rename(old, to: new)
    }

    func remove(_ path: FilePath) throws(FileSystemError) { try files(path).remove(path) }

    func removeDirectory(at path: FilePath) throws(FileSystemError) {
        try files(path).removeDirectory(at: path)
    }

    func synchronizeDirectory(_ path: FilePath) throws(FileSystemError) {
        try files(path).synchronizeDirectory(path)
    }

    func lock(at path: FilePath) throws(FileSystemError) -> FileLock {
        try files(path).lock(at: path)
    }
}
