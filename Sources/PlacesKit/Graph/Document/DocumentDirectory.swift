import Foundation
import PlacesBase
import Synchronization

/// The directory of a document, and the lock of who may write it; every call blocks until the disk is
/// done.
final class DocumentDirectory: Sendable {
    let path: FilePath
    /// The files of the folder.
    let files: any FileSystem
    /// The files around it.
    let surroundings: any FileSystem
    /// The files of attributes with external storage.
    let blobs: BlobFiles
    /// What looks as if a crash had left it, and could not be removed.
    let leftovers: [DocumentRecovery.Finding]
    /// Whether the folder was made for this.
    private let isNewFolder: Bool
    let lock: FileLock?
    private let closing = Atomic(false)

    /// Whether nothing may be written, because there is no lock or it was given back.
    var isReadOnly: Bool { lock == nil || closing.load(ordering: .acquiring) }

    /// Looks at the document at a path; to write it, locks it, and makes it first if there is none.
    ///
    /// From then on the folder is the one that the path led to, and nothing in it is a link.
    ///
    /// - Parameters:
    ///   - path: The path of the folder.
    ///   - createsDocument: Whether to make the document where there is none.
    ///   - isReadOnly: Whether nothing is to be written.
    ///   - access: What the files of a new document have.
    ///   - surroundings: The file system in which the path leads to the folder.
    /// - Throws: `DocumentError`, or `FileSystemError`.
    init(
        at path: FilePath, createsDocument: Bool, isReadOnly: Bool = false,
        access: FolderAccess = .standard, files surroundings: any FileSystem
    ) throws {
        let createsDocument = createsDocument && !isReadOnly
        let found = try surroundings.status(of: path)
        guard found != nil || createsDocument else {
            throw DocumentError.missing(path: path.description)
        }
        guard found?.isDirectory ?? true else {
            throw DocumentError.notADocument(path: path.description)
        }
        if found == nil, DocumentFile(path.name) != nil {
            let around = path.parent
            // It would have the name of a file that the document around it has, or will have.
            let isOfDocument = try? Self.holdsDocument(
                around, surroundings.list(around), surroundings, isReadOnly: true)
            if isOfDocument == true {
                throw FileSystemError.unexpected(path: path.description, found: .ownName)
            }
        }
        // Somebody else may create it at the same moment: then it is theirs to remove.
        isNewFolder =
            try found == nil && surroundings.ensureDirectory(at: path, like: access.folder)
        let files = try surroundings.inside(path)
        let isNew = try !Self.holdsDocumentSteadily(path, files, isReadOnly: isReadOnly)
        guard !isNew || createsDocument else {
            throw DocumentError.missing(path: path.description)
        }
        (self.path, self.files, self.surroundings) = (path, files, surroundings)
        blobs = .ofDocument(path, files)
        guard !isReadOnly else {
            (lock, leftovers) = (nil, [])
            return
        }
        // Values would read as if there were none.
        try blobs.checkDirectory()
        lock = try Self.lock(path, files, access)
        do {
            leftovers = try files.removeTemporaries(in: path, of: DocumentFile.isReplaced).map {
                .leftover(file: $0.path.description, reason: $0.failure?.description)
            }
        } catch {
            if isNewFolder {
                // Nobody else has made anything in it, or this lock would be theirs.
                try? files.remove(path.appending(DocumentFile.lockName))
                try? surroundings.removeDirectory(at: path)
            }
            throw error
        }
        blobs.setAccess(access)
        updateAccess()
    }

    /// What is not there, for who only reads.
    init(missingAt path: FilePath, files: any FileSystem) {
        (self.path, self.files, surroundings) = (path, files, files)
        blobs = .ofDocument(path, files)
        (lock, leftovers, isNewFolder) = (nil, [], false)
    }

    /// Whether a folder with some names is a document, and not only a folder where one can be made.
    ///
    /// - Throws: `DocumentError.notADocument` where somebody else has put something there.
    static func holdsDocument(
        _ path: FilePath, _ names: [String], _ files: any FileSystem, isReadOnly: Bool
    ) throws -> Bool {
        func isLike(_ name: String, _ file: DocumentFile) throws -> Bool {
            file.isLike(
                try files.read(path.appending(name), prefix: DocumentFile.prefixCount))
        }
        // Of what is damaged, whatever stands for a manifest, somebody may still want to read the rest.
        if isReadOnly, names.contains(where: { SnapshotName($0) != nil }) { return true }
        let isDocument = try names.contains { name in
            switch DocumentFile(name) {
            case .manifest?: try isLike(name, .manifest)
            // A first save that was cut short may have left a whole snapshot and no manifest.
            case .snapshot(let snapshot)?:
                try names.contains(DocumentFile.manifestName) || isLike(name, .snapshot(snapshot))
            case .outbox?: try isLike(name, .outbox)
            default: false
            }
        }
        if isDocument { return true }
        guard try !names.contains(where: { try Self.holdsCommits(path.appending($0), files) })
        else {
            // Another program may be bringing its files one by one.
            throw DocumentError.incomplete(
                file: path.appending(DocumentFile.manifestName).description)
        }
        // What a first save that was cut short has left is no reason to refuse the directory.
        let isFree = try names.allSatisfy { name in
            switch DocumentFile(name) {
            case .lock?: try isLike(name, .lock)
            case .membership?: try isLike(name, .membership)
            case .conflicts?: try isLike(name, .conflicts)
            case .journal(let journal)?:
                // The lock comes first: a journal beside it was begun, and may have no byte yet.
                try isLike(name, .journal(journal))
                    || names.contains(DocumentFile.lockName)
                        && files.read(path.appending(name), prefix: 1).isEmpty
            // NB: A power cut may leave blobs and take the lock, which came before.
            case .blobs?: try holdsOnlyBlobs(path, files)
            case .manifest?, .snapshot?, .outbox?: false
            case nil:
                FilePath(name).replaced.map(DocumentFile.isReplaced) ?? false
            }
        }
        guard isFree else { throw DocumentError.notADocument(path: path.description) }
        return false
    }

    /// Whether a file is a journal with commits: a first save that was cut short has left none.
    static func holdsCommits(
        _ file: FilePath, _ files: any FileSystem
    ) throws -> Bool {
        guard case .journal(let name)? = DocumentFile(file.name) else { return false }
        let start = try files.read(file, prefix: DocumentFile.prefixCount)
        guard DocumentFile.journal(name).isLike(start) else { return false }
        return try files.read(file).count { $0 == UInt8(ascii: "\n") } > 1
    }

    /// Whether what has the name of a document's blobs holds nothing else.
    private static func holdsOnlyBlobs(_ path: FilePath, _ files: any FileSystem) throws -> Bool {
        let blobs = path.appending(BlobFiles.directoryName)
        guard try files.status(of: blobs)?.isDirectory == true else { return false }
        return try files.list(blobs).allSatisfy { BlobFiles.number($0) != nil }
    }

    private static func lock(
        _ path: FilePath, _ files: any FileSystem, _ access: FolderAccess
    ) throws -> FileLock {
        do {
            let lock = path.appending(DocumentFile.lockName)
            return try files.lockInPlace(at: lock, like: access.file)
        } catch {
            // NB: `catch .locked` in a function that throws anything crashes the compiler (6.3).
            guard case .locked(_, let holder) = error else { throw error }
            throw DocumentError.locked(path: path.description, holder: holder)
        }
    }

    /// Gives the lock back.
    func close() {
        closing.store(true, ordering: .releasing)
        lock?.release()
    }

    /// Removes the folder with its lock, if it was made for this and nothing else is in it.
    func removeNewFolder() {
        guard isNewFolder, hasLock else { return }
        try? files.removeDirectory(at: blobs.path)
        let lock = path.appending(DocumentFile.lockName)
        // Where they cannot be listed, the directory itself stays if it is not empty.
        if let names = try? files.list(path), names.contains(where: { $0 != lock.name }) { return }
        try? files.remove(lock)
        try? surroundings.removeDirectory(at: path)
    }

    /// Whether there is nothing of a document yet.
    var isVacant: Bool {
        get throws {
            try fileNames().allSatisfy { name in
                switch DocumentFile(name) {
                case .lock, .blobs, nil: true
                case .manifest, .snapshot, .journal, .membership, .conflicts, .outbox: false
                }
            }
        }
    }

    // MARK: - Files

    /// The path of the snapshot of a generation, in the format that it has.
    func snapshot(_ generation: Int64) -> FilePath {
        path.appending(snapshotName(generation).description)
    }

    /// The name of the snapshot of a generation, in the format that it has; where somebody has put a conversion beside it,
    /// the one that the manifest names.
    func snapshotName(_ generation: Int64) -> SnapshotName {
        let json = SnapshotName(generation: generation, format: .json)
        let list = SnapshotName(generation: generation, format: .binaryPropertyList)
        func isThere(_ name: SnapshotName) -> Bool {
            (try? files.exists(path.appending(name.description))) ?? false
        }
        guard isThere(list) else { return json }
        let named = isThere(json) ? try? manifest([], [])?.snapshot : nil
        return named == json ? json : list
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
            JournalName.generations(names)
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
        let file = path.appending(name.description)
        try files.replaceFile(at: file, like: access.file) { file in
            try format.write(graph, blobs: blobs, progress: progress) { bytes in
                count += bytes.count
                try file.write(bytes)
            }
            try blobs.finish()
        }
        return count
    }

    /// Makes the journal of a generation, without commits; it is on disk when this returns.
    func makeJournal(
        after commit: Commit, of schema: Schema, generation: Int64, isMigration: Bool = false
    ) throws -> Int {
        let header = JournalHeader(
            generation: generation, commit: commit, schema: schema, isMigration: isMigration)
        let line = header.line
        let last = try generations().journals.last
        try header.check(after: journal(last ?? generation))
        let former = last.flatMap { files.attributes(of: journal($0)) }
        try files.replaceFile(
            at: journal(generation), like: former?.restricted(by: access.file) ?? access.file,
            with: line)
        return line.count
    }

    /// Lets a generation be the one that counts, for good when this returns.
    func writeManifest(_ manifest: DocumentManifest) throws {
        try files.replaceFile(
            at: path.appending(DocumentFile.manifestName), like: access.file,
            with: manifest.bytes)
    }

    /// Lets the generation that was read be the one that counts, if the manifest was lost or never written: the snapshot of
    /// another one that is not finished would count otherwise.
    func replaceLostManifest(of generation: Int64) throws {
        guard generation > 0,
            try !files.exists(path.appending(DocumentFile.manifestName))
        else { return }
        try writeManifest(
            DocumentManifest(
                snapshot: snapshotName(generation),
                hasJournal: files.exists(journal(generation))))
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
        try naming(path) { try body(try content(of: path)) }
    }

    /// The content of a file; of a large one that cannot be ours its beginning, where the fault is found.
    func content(of path: FilePath) throws(FileSystemError) -> [UInt8] {
        if let size = try files.status(of: path)?.size, size > 1 << 24 {
            let start = try files.read(path, prefix: DocumentFile.prefixCount)
            guard DocumentFile.isReadable(start) else { return start }
        }
        return try files.read(path)
    }

    /// Reads a file, whose name is told with what is wrong in it.
    func naming<Value>(_ path: FilePath, _ body: () throws -> Value) throws -> Value {
        guard try files.exists(path) else {
            throw DocumentError.incomplete(file: path.description)
        }
        return try DocumentError.naming(path.description, body)
    }
}

extension DocumentError {
    /// Reads something, whose name is told with what is wrong in it.
    static func naming<Value>(
        _ file: @autoclosure () -> String, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let error as JSONError {
            throw DocumentError.damaged(file: file(), error)
        } catch SnapshotError.newerFormat(let found, let supported) {
            throw DocumentError.newerFormat(file: file(), found: found, supported: supported)
        } catch SnapshotError.differentModel(let differences) {
            throw DocumentError.differentModel(file: file(), differences: differences)
        }
    }
}
