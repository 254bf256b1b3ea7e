import Foundation
import Synchronization

/// The directory of a document, and the lock of who may write it; every call blocks until the disk is
/// done.
final class DocumentDirectory: Sendable {
    private static let lockName = "lock"

    let path: FilePath
    let files: any FileSystem
    /// The files of attributes with external storage.
    let blobs: BlobFiles
    private let lock: FileLock?
    private let isClosed = Atomic(false)

    /// Whether nothing may be written, because there is no lock or it was given back.
    var isReadOnly: Bool { lock == nil || isClosed.load(ordering: .acquiring) }

    /// Looks at the document at a path; to write it, locks it, and makes it first if there is none.
    init(
        at path: FilePath, createsDocument: Bool, isReadOnly: Bool = false, files: any FileSystem
    ) throws {
        self.path = path
        self.files = files
        blobs = .ofDocument(path, files)
        switch try files.status(of: path) {
        case nil:
            guard createsDocument, !isReadOnly else {
                throw DocumentError.missing(path: path.description)
            }
            try files.ensureDirectory(at: path)
        case let status?:
            guard status.isDirectory else {
                throw DocumentError.notADocument(path: path.description)
            }
            let names = try files.list(path)
            // A first save that was cut short may have left a whole snapshot and no manifest.
            var isDocument = names.contains { SnapshotName($0) != nil }
            if !isDocument, names.contains(DocumentManifest.fileName) {
                let manifest = try files.read(path.appending(DocumentManifest.fileName))
                isDocument = DocumentManifest.isLike(manifest)
            }
            guard !isDocument else { break }
            guard try !names.contains(where: { try Self.holdsCommits(path.appending($0), files) })
            else {
                // Another program may be bringing its files one by one.
                throw DocumentError.incomplete(
                    file: path.appending(DocumentManifest.fileName).description)
            }
            // What a first save that was cut short has left is no reason to refuse the directory.
            let isNew = try names.allSatisfy {
                try $0 == Self.lockName || FilePath($0).isTemporary || JournalName($0) != nil
                    || $0 == BlobFiles.directoryName && Self.holdsOnlyBlobs(path, files)
            }
            guard isNew else { throw DocumentError.notADocument(path: path.description) }
            guard createsDocument, !isReadOnly else {
                throw DocumentError.missing(path: path.description)
            }
        }
        guard !isReadOnly else {
            lock = nil
            return
        }
        lock = try Self.lock(path, files)
        try files.removeTemporaries(in: path)
    }

    /// What is not there, for who only reads.
    init(missingAt path: FilePath, files: any FileSystem) {
        self.path = path
        self.files = files
        blobs = .ofDocument(path, files)
        lock = nil
    }

    /// Whether a file is a journal with commits: a first save that was cut short has left none.
    private static func holdsCommits(
        _ file: FilePath, _ files: any FileSystem
    ) throws -> Bool {
        guard JournalName(file.name) != nil else { return false }
        return try files.read(file).count { $0 == UInt8(ascii: "\n") } > 1
    }

    /// Whether what has the name of a document's blobs holds nothing else.
    private static func holdsOnlyBlobs(_ path: FilePath, _ files: any FileSystem) throws -> Bool {
        let blobs = path.appending(BlobFiles.directoryName)
        guard try files.status(of: blobs)?.isDirectory == true else { return false }
        return try files.list(blobs).allSatisfy { BlobFiles.number($0) != nil }
    }

    private static func lock(_ path: FilePath, _ files: any FileSystem) throws -> FileLock {
        do {
            return try files.lock(at: path.appending(lockName))
        } catch {
            // NB: `catch .locked` in a function that throws anything crashes the compiler (6.3).
            guard case .locked(_, let holder) = error else { throw error }
            throw DocumentError.locked(path: path.description, holder: holder)
        }
    }

    /// Gives the lock back.
    func close() {
        isClosed.store(true, ordering: .releasing)
        lock?.release()
    }

    /// Whether there is nothing of a document yet.
    var isVacant: Bool {
        get throws {
            let (snapshots, journals) = try generations()
            return try snapshots.isEmpty && journals.isEmpty
                && !files.exists(path.appending(DocumentManifest.fileName))
        }
    }

    // MARK: - Files

    /// The path of the snapshot of a generation, in the format that it has.
    func snapshot(_ generation: Int64) -> FilePath {
        path.appending(snapshotName(generation).description)
    }

    /// The name of the snapshot of a generation, in the format that it has.
    func snapshotName(_ generation: Int64) -> SnapshotName {
        let list = SnapshotName(generation: generation, format: .binaryPropertyList)
        let isList = (try? files.exists(path.appending(list.description))) ?? false
        return isList ? list : SnapshotName(generation: generation, format: .json)
    }

    /// The path of the journal of a generation.
    func journal(_ generation: Int64) -> FilePath {
        path.appending(JournalName(generation: generation).description)
    }

    /// The generations of the snapshots and journals that there are, ascending.
    func generations() throws(FileSystemError) -> (snapshots: [Int64], journals: [Int64]) {
        let names = try fileNames()
        return (
            names.compactMap { SnapshotName($0)?.generation }.sorted(),
            names.compactMap { JournalName($0)?.generation }.sorted()
        )
    }

    /// The names of all files; none for a reader of what was never saved.
    func fileNames() throws(FileSystemError) -> [String] {
        if isReadOnly, try !files.exists(path) { return [] }
        return try files.list(path)
    }

    /// Writes the snapshot of a generation; it is on disk when this returns.
    func writeSnapshot(
        of graph: Graph, generation: Int64, format: SnapshotFormat, blobs: BlobWriter,
        progress: Progress? = nil
    ) throws -> Int {
        var count = 0
        let name = SnapshotName(generation: generation, format: format)
        try files.replaceFile(at: path.appending(name.description)) { file in
            try format.write(graph, blobs: blobs, progress: progress) { bytes in
                count += bytes.count
                try file.write(bytes)
            }
            try blobs.finish()
        }
        return count
    }

    /// Makes the journal of a generation, without commits; it is on disk when this returns.
    func makeJournal(after commit: Commit, of schema: Schema, generation: Int64) throws -> Int {
        let header = JournalHeader(
            generation: generation, commit: commit, schema: schema)
        let line = header.line
        try files.replaceFile(at: journal(generation), with: line)
        return line.count
    }

    /// Lets a generation be the one that counts, for good when this returns.
    func writeManifest(_ manifest: DocumentManifest) throws {
        try files.replaceFile(at: path.appending(DocumentManifest.fileName), with: manifest.bytes)
    }

    /// Removes what belongs to generations before one, as well as can be.
    func removeGenerations(before generation: Int64) {
        guard let (snapshots, journals) = try? generations() else { return }
        for snapshot in snapshots where snapshot < generation {
            try? files.remove(self.snapshot(snapshot))
        }
        for journal in journals where journal < generation {
            try? files.remove(self.journal(journal))
        }
    }

    /// Reads a file, and tells what is wrong with it by its name.
    func reading<Value>(_ path: FilePath, _ body: ([UInt8]) throws -> Value) throws -> Value {
        try naming(path) { try body(try files.read(path)) }
    }

    /// Reads a file, whose name is told with what is wrong in it.
    func naming<Value>(_ path: FilePath, _ body: () throws -> Value) throws -> Value {
        guard try files.exists(path) else {
            throw DocumentError.incomplete(file: path.description)
        }
        do {
            return try body()
        } catch let error as JSONError {
            throw DocumentError.damaged(file: path.description, error)
        } catch SnapshotError.newerFormat(let found, let supported) {
            throw DocumentError.newerFormat(
                file: path.description, found: found, supported: supported)
        } catch SnapshotError.differentModel(let differences) {
            throw DocumentError.differentModel(
                file: path.description, differences: differences)
        }
    }
}
