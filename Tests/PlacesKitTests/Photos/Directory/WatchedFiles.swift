import Dispatch
import PlacesKit
import Synchronization

/// The machine's file system, which counts what is read and stops or fails where it is told to.
final class WatchedFiles: UnchangedFiles {
    /// What was read of a file at a time.
    struct Reading: Equatable {
        let name: String
        let count: Int
    }

    fileprivate final class Log: Sendable {
        struct State {
            var readings: [Reading] = []
            var failures: [String: Int32] = [:]
            var waitsAt: Int?
            var isWaiting = false
        }

        let state = Mutex(State())
        let gate = DispatchSemaphore(value: 0)

        func note(_ name: String, _ count: Int) {
            let waits = state.withLock { state in
                state.readings.append(Reading(name: name, count: count))
                state.isWaiting = state.readings.count == state.waitsAt
                return state.isWaiting
            }
            if waits { gate.wait() }
        }

        func check(_ path: FilePath) throws(FileSystemError) {
            let code = state.withLock { $0.failures[path.name] }
            if let code { throw .failed(.open, path: path.description, code: code) }
        }
    }

    private let disk: any FileSystem
    private let log: Log

    private init(_ disk: any FileSystem, _ log: Log) {
        (self.disk, self.log) = (disk, log)
    }

    /// A file system of which the reading of this number, counted from 1, waits for ``goOn()``.
    convenience init(waitingAt number: Int? = nil) {
        self.init(DiskFileSystem(), Log())
        log.state.withLock { $0.waitsAt = number }
    }

    /// What was read since the last time this was asked.
    func takeReadings() -> [Reading] {
        log.state.withLock { state in
            defer { state.readings = [] }
            return state.readings
        }
    }

    /// Whether a reading waits.
    var isWaiting: Bool { log.state.withLock(\.isWaiting) }

    /// Lets the reading that waits go on.
    func goOn() {
        log.gate.signal()
    }

    /// Makes what has this name fail with an error number, or not any more.
    func fail(_ name: String, with code: Int32?) {
        log.state.withLock { $0.failures[name] = code }
    }

    func inside(_ path: FilePath) throws(FileSystemError) -> any FileSystem {
        WatchedFiles(try disk.inside(path), log)
    }

    func names(in path: FilePath) throws(FileSystemError) -> FolderNames {
        try log.check(path)
        return try disk.names(in: path)
    }

    func status(of path: FilePath) throws(FileSystemError) -> FileStatus? {
        try disk.status(of: path)
    }

    func version(of path: FilePath) -> FileVersion? { disk.version(of: path) }

    func openForSeeking(_ path: FilePath) throws(FileSystemError) -> any SeekableFile {
        try log.check(path)
        return WatchedFile(try disk.openForSeeking(path), path.name, log)
    }

    // MARK: - What no source of photos does

    func list(_ path: FilePath) throws(FileSystemError) -> [String] { throw refusal(path) }

    func read(_ path: FilePath) throws(FileSystemError) -> [UInt8] { throw refusal(path) }
}

private final class WatchedFile: SeekableFile {
    private let file: any SeekableFile
    private let name: String
    private let log: WatchedFiles.Log

    init(_ file: any SeekableFile, _ name: String, _ log: WatchedFiles.Log) {
        (self.file, self.name, self.log) = (file, name, log)
    }

    var size: Int? { file.size }

    var version: FileVersion? { file.version }

    func read(from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        let bytes = try file.read(from: offset, count: count)
        log.note(name, bytes.count)
        return bytes
    }
}
