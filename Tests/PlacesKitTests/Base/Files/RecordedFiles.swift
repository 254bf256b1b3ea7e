import PlacesKit
import Synchronization

/// The machine's file system, which writes down what replaces a file and fails one step if told to.
final class RecordedFiles: DiskFiles {
    let disk = DiskFileSystem()
    private let failure: Int?
    private let isCrash: Bool
    private let recorded = Mutex<[String]>([])

    /// A file system of which the step with this number, counted from 0, fails; after a crash all
    /// later ones fail too.
    init(failingAt failure: Int? = nil, isCrash: Bool = false) {
        self.failure = failure
        self.isCrash = isCrash
    }

    var steps: [String] {
        recorded.withLock { $0 }
    }

    fileprivate func record(
        _ operation: FileSystemError.Operation, _ path: FilePath
    ) throws(FileSystemError) {
        let name = path.isTemporary ? "temporary" : path.name
        let number = recorded.withLock { steps in
            steps.append("\(operation.rawValue) \(name)")
            return steps.count - 1
        }
        if let failure, isCrash ? number >= failure : number == failure {
            throw .failed(operation, path: path.description, code: 5)
        }
    }

    func open(_ path: FilePath, mode: FileMode) throws(FileSystemError) -> any WritableFile {
        try record(.open, path)
        return RecordedFile(try disk.open(path, mode: mode), path, self)
    }

    func rename(_ old: FilePath, to new: FilePath) throws(FileSystemError) {
        try record(.rename, new)
        try disk.rename(old, to: new)
    }

    func remove(_ path: FilePath) throws(FileSystemError) {
        try record(.remove, path)
        try disk.remove(path)
    }

    func synchronizeDirectory(_ path: FilePath) throws(FileSystemError) {
        try record(.synchronize, FilePath("folder"))
        try disk.synchronizeDirectory(path)
    }
}

private final class RecordedFile: WritableFile {
    private let file: any WritableFile
    private let path: FilePath
    private let files: RecordedFiles

    init(_ file: any WritableFile, _ path: FilePath, _ files: RecordedFiles) {
        self.file = file
        self.path = path
        self.files = files
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        try files.record(.write, path)
        try file.write(bytes)
    }

    func synchronize() throws(FileSystemError) {
        try files.record(.synchronize, path)
        try file.synchronize()
    }

    func truncate(to size: Int) throws(FileSystemError) {
        try files.record(.truncate, path)
        try file.truncate(to: size)
    }

    func close() throws(FileSystemError) {
        try files.record(.close, path)
        try file.close()
    }
}
