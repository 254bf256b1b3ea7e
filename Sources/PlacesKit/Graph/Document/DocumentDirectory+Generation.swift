import Foundation
import PlacesBase

extension DocumentDirectory {
    /// Begins a generation: its snapshot, its journal, which is opened, and the manifest that names them.
    ///
    /// - Parameters:
    ///   - committed: What the snapshot is of.
    ///   - generation: A number that no file has.
    ///   - format: What the snapshot is written as.
    ///   - isFirst: Whether there is no generation yet.
    ///   - isMigration: Whether the commit migrated the document.
    ///   - blobs: Writes the blobs of the snapshot.
    ///   - progress: Is told how many objects there are, and how many were written.
    /// - Returns: The length of the snapshot, and the journal.
    /// - Throws: `FileSystemError`. The generation before still counts, unless only the manifest's name
    ///   could not be brought to disk.
    func begin(
        _ committed: CommittedGraph, generation: Int64, format: SnapshotFormat, isFirst: Bool,
        isMigration: Bool = false, blobs: BlobWriter, progress: Progress? = nil
    ) throws -> (snapshotCount: Int, journal: OpenCommitFile) {
        func makeJournal() throws -> OpenCommitFile {
            let count = try self.makeJournal(
                after: committed.commit, of: committed.graph.schema, generation: generation,
                isMigration: isMigration)
            return try OpenCommitFile(generation, of: self, count: count)
        }
        // The first snapshot counts without a manifest, so its journal must be there. Later ones count
        // by their manifest; a journal that comes after commits which no file has needs its snapshot.
        // What an attempt before has left would count otherwise, if this one is cut short.
        if isFirst { try removeAttempts(before: generation) }
        let first = isFirst ? try makeJournal() : nil
        let snapshotCount = try writeSnapshot(
            of: committed.graph, generation: generation, format: format, blobs: blobs,
            progress: progress)
        let journal = try first ?? makeJournal()
        let name = SnapshotName(generation: generation, format: format)
        try writeManifest(DocumentManifest(snapshot: name))
        return (snapshotCount, journal)
    }

    /// Removes what attempts to begin the first generation have left.
    private func removeAttempts(before generation: Int64) throws {
        // Its name is there, but could not be brought to disk. It would name what goes next, and nobody could open that.
        if let manifest = try? writtenManifest(), manifest.generation < generation {
            try files.remove(path.appending(DocumentFile.manifestName))
            try files.synchronizeDirectory(path)
        }
        let snapshots = try generations().snapshots.filter { $0 < generation }
        for snapshot in snapshots { try? files.remove(self.snapshot(snapshot)) }
        // Without its journal a snapshot would count for another commit, if a power cut brought it back.
        if !snapshots.isEmpty { try files.synchronizeDirectory(path) }
        removeGenerations(before: generation)
    }

    /// Makes a document of its own where none is yet, and leaves it open; nothing where that fails.
    static func make(
        _ committed: CommittedGraph, at path: FilePath, as format: SnapshotFormat,
        access: FolderAccess = .standard, _ files: any FileSystem, progress: Progress?
    ) throws -> DocumentCopy {
        let isNew = try !files.exists(path)
        let directory: DocumentDirectory
        do {
            directory = try DocumentDirectory(
                at: path, createsDocument: true, access: access, files: files)
        } catch {
            // It stays where somebody else has put something into it meanwhile.
            if isNew { try? files.removeDirectory(at: path) }
            throw error
        }
        do {
            guard try directory.isVacant else {
                throw DocumentError.fileSystem(
                    .failed(
                        .makeDirectory, path: path.description,
                        code: POSIXError.Code.EEXIST.rawValue))
            }
        } catch {
            directory.removeNewFolder()
            directory.close()
            throw error
        }
        // Whoever made the directory may not have brought its name to disk.
        try? files.synchronizeDirectory(path.parent)
        let blobs = BlobWriter(directory.blobs, adopts: false)
        do {
            let made = try directory.begin(
                committed, generation: 1, format: format, isFirst: true, blobs: blobs,
                progress: progress)
            return DocumentCopy(
                directory: directory, blobs: blobs, snapshotCount: made.snapshotCount,
                journal: made.journal)
        } catch {
            blobs.abandon()
            directory.discard()
            throw error
        }
    }

    /// The first generation of a history that is within its limit.
    ///
    /// - Parameters:
    ///   - options: What limits the history.
    ///   - previous: The generation before the latest one, which is kept in any case.
    /// - Returns: The generation.
    func firstKept(of options: ManagedDocument.Options, _ previous: Int64) -> Int64 {
        guard let (snapshots, journals) = try? generations() else { return 0 }
        let limit = options.historyLimit
        let kept = limit.byteCount.map { first(of: snapshots, Set(journals), within: $0) } ?? 0
        guard let age = limit.age, kept < previous else { return min(kept, previous) }
        let now = options.now()
        var oldest: Int64?
        // From the oldest one on, for nothing more has to be known than which are too old.
        for (generation, next) in zip(snapshots, snapshots.dropFirst())
        where (kept..<previous).contains(generation) {
            // Its last commit is the one that the next journal begins after.
            let end = try? beginning(of: next).header.commit.date
            let isOld = end.map { now.timeIntervalSince($0) > age / .seconds(1) }
            // Where it is not known, the next one tells.
            oldest = isOld == true ? nil : oldest ?? generation
            if isOld == false { break }
        }
        return oldest ?? previous
    }

    /// The first of the latest generations whose files have so many bytes at most.
    private func first(
        of snapshots: [Int64], _ journals: Set<Int64>, within limit: Int
    ) -> Int64 {
        func size(_ path: FilePath) -> Int { (try? files.status(of: path))??.size ?? 0 }
        var (byteCount, first) = (0, Int64.max)
        for generation in snapshots.reversed() {
            byteCount += size(snapshot(generation))
            if journals.contains(generation) { byteCount += size(journal(generation)) }
            guard byteCount <= limit else { break }
            first = generation
        }
        return first
    }

    /// Removes the files of a generation that could not be begun, as well as can be, unless the manifest names it.
    ///
    /// A journal with commits stays: it came from elsewhere, by a program that keeps folders in step.
    ///
    /// - Returns: Whether nothing of the generation counts.
    func giveUp(_ generation: Int64) -> Bool {
        guard let (snapshots, journals) = try? generations() else { return false }
        if journals.contains(generation) {
            let others = snapshots.filter { $0 != generation }
            guard (try? removeJournal(of: generation, beside: others, journals)) == true
            else { return false }
        }
        // A full disk may need its bytes for the next commits.
        try? files.remove(snapshot(generation))
        return true
    }

    /// Removes the journal of a generation that could not be begun: whoever opens the document would go on in it, also if
    /// a power cut brought it back.
    ///
    /// - Parameters:
    ///   - generation: The generation.
    ///   - snapshots: Those of other generations.
    ///   - journals: All journals.
    /// - Returns: Whether it was removed for good; false where the manifest names it, or it has commits.
    /// - Throws: `DocumentError`, or `FileSystemError`.
    private func removeJournal(
        of generation: Int64, beside snapshots: [Int64], _ journals: [Int64]
    ) throws -> Bool {
        let written = try writtenManifest()
        let manifest = try written ?? manifest(snapshots, journals)
        guard manifest.map({ $0.generation < generation }) ?? true,
            try !Self.holdsCommits(journal(generation), files)
        else { return false }
        // Without a manifest, as at the first save, the snapshot would count; without its journal for another commit.
        let file = snapshot(generation)
        if written == nil, try files.exists(file) {
            try files.remove(file)
            try files.synchronizeDirectory(path)
        }
        try files.remove(journal(generation))
        try files.synchronizeDirectory(path)
        return true
    }

    /// Removes what was written of a document that could not be made, as well as can be, and closes it; also its folder,
    /// if that was made for it.
    func discard() {
        try? files.remove(path.appending(DocumentFile.manifestName))
        removeGenerations(before: .max)
        try? removeBlobs(except: [])
        removeNewFolder()
        close()
    }
}

/// A document that was written elsewhere, and is open.
struct DocumentCopy {
    let directory: DocumentDirectory
    /// Wrote the blobs, which are still another document's.
    let blobs: BlobWriter
    let snapshotCount: Int
    let journal: OpenCommitFile
}
