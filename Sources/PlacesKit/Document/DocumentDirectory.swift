/// The directory of a document, locked for this process; every call blocks until the disk is done.
///
/// A save writes a new snapshot, then a manifest that names it, each atomically; the old snapshot goes
/// last. So whatever happens in between, the manifest names a whole snapshot.
final class DocumentDirectory: Sendable {
    private static let lockName = "lock"

    private let path: FilePath
    private let files: any FileSystem
    private let lock: FileLock

    /// Locks the document at a path, and makes it first if there is none.
    init(at path: FilePath, createsDocument: Bool, files: any FileSystem) throws {
        self.path = path
        self.files = files
        switch try files.status(of: path) {
        case nil:
            guard createsDocument else { throw DocumentError.missing(path: path.description) }
            try files.ensureDirectory(at: path)
        case let status?:
            guard status.isDirectory else {
                throw DocumentError.notADocument(path: path.description)
            }
            let names = try files.list(path)
            let isDocument = names.contains(DocumentManifest.fileName)
            // What a first save that was cut short has left is no reason to refuse the directory.
            let isNew = names.allSatisfy {
                $0 == Self.lockName || FilePath($0).isTemporary || SnapshotName($0) != nil
            }
            guard isDocument || (isNew && createsDocument) else {
                throw DocumentError.notADocument(path: path.description)
            }
        }
        lock = try Self.lock(path, files)
        try files.removeTemporaries(in: path)
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

    /// Reads the graph, or gives an empty one where nothing was saved yet.
    func read(_ model: ObjectModel) throws -> (graph: Graph, generation: Int64) {
        guard let generation = try generation() else {
            return (Graph(layout: GraphLayout(schema: model.schema)), 0)
        }
        let snapshotPath = path.appending(SnapshotName(generation: generation).description)
        guard try files.exists(snapshotPath) else {
            throw DocumentError.incomplete(file: snapshotPath.description)
        }
        let graph = try reading(snapshotPath) {
            try SnapshotReader.read(
                $0, schema: model.schema, checks: model.classes.map(\.checks))
        }
        return (graph, generation)
    }

    /// The generation that counts, or `nil` where nothing was saved yet.
    private func generation() throws -> Int64? {
        let manifestPath = path.appending(DocumentManifest.fileName)
        guard try files.exists(manifestPath) else {
            // A snapshot has its name only when it is whole. So the newest one is the document's
            // content, whether its manifest was lost or not yet written.
            return try snapshots().map(\.generation).max()
        }
        return try reading(manifestPath) { try DocumentManifest($0) }.generation
    }

    private func snapshots() throws(FileSystemError) -> [SnapshotName] {
        try files.list(path).compactMap { SnapshotName($0) }
    }

    /// Makes `graph` the content of the document; it is on disk when this returns.
    func write(_ graph: Graph, generation: Int64) throws {
        let manifest = DocumentManifest(generation: generation)
        try files.replaceFile(at: path.appending(manifest.snapshot)) { file in
            try SnapshotWriter.write(graph) { try file.write($0) }
        }
        try files.replaceFile(
            at: path.appending(DocumentManifest.fileName), with: manifest.bytes)
        // The content is safe by now; what cannot be cleared away today is tomorrow.
        for snapshot in (try? snapshots()) ?? [] where snapshot.generation != generation {
            try? files.remove(path.appending(snapshot.description))
        }
    }

    /// Gives the lock back.
    func close() { lock.release() }

    private func reading<Value>(
        _ path: FilePath, _ body: ([UInt8]) throws -> Value
    ) throws -> Value {
        do {
            return try body(try files.read(path))
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
