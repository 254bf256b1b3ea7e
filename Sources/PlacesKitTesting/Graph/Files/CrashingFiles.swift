package import PlacesGraph
import Synchronization

/// A file system in memory that can lose its power after any step.
///
/// It records every step that changes something: each file created, written, cut, renamed, removed
/// or synchronised. `afterPowerCut` returns the file system that a machine might find when it
/// restarts, if the power failed after some step:
///
/// - What was written or cut since a file's last `synchronize` may be there completely, in part or
///   not at all, each write by itself. If a write was torn, zeros or garbage may lie in its range.
/// - What was created, renamed and removed since a directory's last `synchronizeDirectory` may have
///   happened or not, each by itself. A rename happens as a whole.
///
/// ```swift
/// let files = CrashingFiles()
/// let document = try await ManagedDocument.open(at: url, model: model, files: files)
/// try await document.save()
/// let found = files.afterPowerCut(after: 12, seed: 7)
/// ```
package final class CrashingFiles: FileSystem {
    struct State {
        /// The steps since the start.
        var steps: [CrashingStep] = []
        var disk: CrashingDisk
        var locks: Set<String> = []
        var failure: (@Sendable (CrashingStep) -> Int32?)?
    }

    /// The disk at the start.
    private let start: CrashingDisk
    let state: Mutex<State>

    /// Creates a disk with one empty directory at each path.
    package init(directories: [String] = ["/"]) {
        start = CrashingDisk(directories: directories)
        state = Mutex(State(disk: start))
    }

    private init(_ disk: CrashingDisk) {
        start = disk
        state = Mutex(State(disk: disk))
    }

    // MARK: - Faults

    /// How many steps there were.
    package var stepCount: Int { state.withLock(\.steps.count) }

    /// The steps so far, a line each.
    package var steps: [String] { state.withLock { $0.steps.map(\.description) } }

    /// Makes each changing step fail for which `failure` returns an error number.
    ///
    /// If a write fails, half of its bytes are written, as on a full disk.
    package func fail(_ failure: @escaping @Sendable (CrashingStep) -> Int32?) {
        state.withLock { $0.failure = failure }
    }

    /// Makes steps succeed again.
    package func mend() { state.withLock { $0.failure = nil } }

    /// The file system after a power failure that happened after `count` steps.
    ///
    /// - Parameters:
    ///   - count: The number of steps before the power failure.
    ///   - seed: Chooses which of the steps that were not synchronised survive.
    /// - Returns: The files, on a disk that works.
    package func afterPowerCut(after count: Int, seed: UInt64) -> CrashingFiles {
        let steps = state.withLock { Array($0.steps.prefix(count)) }
        var survivor = PowerCut(seed: seed, disk: start)
        for step in steps { survivor.note(step) }
        return CrashingFiles(survivor.disk)
    }

    /// The file system after the process was killed: every step has taken effect.
    package func afterProcessDeath() -> CrashingFiles {
        CrashingFiles(state.withLock(\.disk))
    }

    /// Changes a byte, as a failing disk does.
    package func damage(_ path: String, at offset: Int, with byte: UInt8) {
        state.withLock { state in
            guard let file = state.disk.file(at: FilePath(path)),
                state.disk.contents[file]?.indices.contains(offset) ?? false
            else { return }
            state.disk.contents[file]?[offset] = byte
        }
    }

    // MARK: - The file system

    package func makeDirectory(at path: FilePath) throws(FileSystemError) {
        try state.withLock { state throws(FileSystemError) in
            guard state.disk.directories[path.withoutSlash] == nil,
                state.disk.file(at: path) == nil
            else { throw .failed(.makeDirectory, path: path.description, code: 17) }
            try state.disk.checkDirectory(of: path, .makeDirectory)
            try state.perform(.makeDirectory(path), .makeDirectory, path)
        }
    }

    package func list(_ path: FilePath) throws(FileSystemError) -> [String] {
        guard let directory = state.withLock({ $0.disk.directories[path] }) else {
            throw .failed(.list, path: path.description, code: 2)
        }
        return directory.keys.sorted()
    }

    package func status(of path: FilePath) throws(FileSystemError) -> FileStatus? {
        state.withLock { state in
            if state.disk.directories[path.withoutSlash] != nil {
                return FileStatus(isDirectory: true, size: 0)
            }
            return state.disk.file(at: path).map {
                FileStatus(isDirectory: false, size: state.disk.contents[$0]?.count ?? 0)
            }
        }
    }

    package func read(_ path: FilePath) throws(FileSystemError) -> [UInt8] {
        let content = state.withLock { state in
            state.disk.file(at: path).flatMap { state.disk.contents[$0] }
        }
        guard let content else { throw .failed(.open, path: path.description, code: 2) }
        return content
    }

    package func open(
        _ path: FilePath, mode: FileMode
    ) throws(FileSystemError) -> any WritableFile {
        let file = try state.withLock { state throws(FileSystemError) in
            switch (mode, state.disk.file(at: path)) {
            case (.createNew, .some): throw .failed(.create, path: path.description, code: 17)
            case (.append, let file?): return file
            case (.createNew, nil), (.append, nil):
                let file = state.disk.nextFile
                try state.disk.checkDirectory(of: path, .create)
                try state.perform(.create(file: file, path), .create, path)
                return file
            }
        }
        return CrashingFile(file, path, self)
    }

    package func rename(_ old: FilePath, to new: FilePath) throws(FileSystemError) {
        try state.withLock { state throws(FileSystemError) in
            guard state.disk.file(at: old) != nil else {
                throw .failed(.rename, path: new.description, code: 2)
            }
            try state.disk.checkDirectory(of: new, .rename)
            try state.perform(.rename(old, new), .rename, new)
        }
    }

    package func remove(_ path: FilePath) throws(FileSystemError) {
        try state.withLock { state throws(FileSystemError) in
            guard state.disk.file(at: path) != nil else {
                throw .failed(.remove, path: path.description, code: 2)
            }
            try state.perform(.remove(path), .remove, path)
        }
    }

    package func removeDirectory(at path: FilePath) throws(FileSystemError) {
        let path = path.withoutSlash
        try state.withLock { state throws(FileSystemError) in
            guard let names = state.disk.directories[path] else {
                throw .failed(.remove, path: path.description, code: 2)
            }
            guard names.isEmpty else {
                throw .failed(.remove, path: path.description, code: 39)
            }
            try state.perform(.remove(path), .remove, path)
        }
    }

    package func synchronizeDirectory(_ path: FilePath) throws(FileSystemError) {
        let path = path.withoutSlash
        try state.withLock { state throws(FileSystemError) in
            guard state.disk.directories[path] != nil else {
                throw .failed(.synchronize, path: path.description, code: 2)
            }
            try state.perform(.synchronizeDirectory(path), .synchronize, path)
        }
    }

    package func lock(at path: FilePath) throws(FileSystemError) -> FileLock {
        let isFree = try state.withLock { state throws(FileSystemError) in
            try state.disk.checkDirectory(of: path, .lock)
            return state.locks.insert(path.description).inserted
        }
        guard isFree else { throw .locked(path: path.description, holder: nil) }
        return FileLock { [weak self] in
            self?.state.withLock { state in _ = state.locks.remove(path.description) }
        }
    }
}

extension CrashingFiles {
    /// Performs a step that does not depend on what others do.
    fileprivate func perform(
        _ step: CrashingStep, _ operation: FileSystemError.Operation, _ path: FilePath
    ) throws(FileSystemError) {
        try state.withLock { state throws(FileSystemError) in
            try state.perform(step, operation, path)
        }
    }
}

extension CrashingFiles.State {
    /// Performs a step, or fails it, and records it.
    ///
    /// What the step depends on is to be read under the same lock: documents write several files at a time.
    fileprivate mutating func perform(
        _ step: CrashingStep, _ operation: FileSystemError.Operation, _ path: FilePath
    ) throws(FileSystemError) {
        guard let code = failure?(step) else { return add(step) }
        if case .write(let file, let offset, let bytes) = step {
            add(.write(file: file, offset: offset, Array(bytes.prefix(bytes.count / 2))))
        }
        throw .failed(operation, path: path.description, code: code)
    }

    private mutating func add(_ step: CrashingStep) {
        steps.append(step)
        disk.apply(step)
    }
}

/// An open file in this file system.
private final class CrashingFile: WritableFile {
    private let file: Int
    private let path: FilePath
    private let files: CrashingFiles

    init(_ file: Int, _ path: FilePath, _ files: CrashingFiles) {
        (self.file, self.path, self.files) = (file, path, files)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        let bytes = Array(bytes)
        try files.state.withLock { state throws(FileSystemError) in
            let offset = state.disk.contents[file]?.count ?? 0
            try state.perform(.write(file: file, offset: offset, bytes), .write, path)
        }
    }

    func synchronize() throws(FileSystemError) {
        try files.perform(.synchronize(file: file), .synchronize, path)
    }

    func truncate(to size: Int) throws(FileSystemError) {
        try files.perform(.truncate(file: file, size: size), .truncate, path)
    }

    func close() throws(FileSystemError) {}
}
