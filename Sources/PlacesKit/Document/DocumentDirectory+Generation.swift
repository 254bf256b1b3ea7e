import Foundation

extension DocumentDirectory {
    /// Begins a generation: its snapshot, its journal, and the manifest that names them.
    ///
    /// - Parameters:
    ///   - committed: What the snapshot is of.
    ///   - generation: A number that no file has.
    ///   - format: What the snapshot is written as.
    ///   - isFirst: Whether there is no generation yet.
    ///   - blobs: Writes the blobs of the snapshot.
    /// - Returns: The lengths of both files.
    /// - Throws: `FileSystemError`. The generation before still counts, unless only the manifest's name
    ///   could not be brought to disk.
    func begin(
        _ committed: CommittedGraph, generation: Int64, format: SnapshotFormat, isFirst: Bool,
        blobs: BlobWriter
    ) throws -> (snapshot: Int, journal: Int) {
        func makeJournal() throws -> Int {
            try self.makeJournal(
                after: committed.commit, of: committed.graph.schema, generation: generation)
        }
        // The first snapshot counts without a manifest, so its journal must be there. Later ones count
        // by their manifest; a journal that comes after commits which no file has needs its snapshot.
        // What an attempt before has left would count otherwise, if this one is cut short.
        if isFirst { removeGenerations(before: generation) }
        var journal = isFirst ? try makeJournal() : 0
        let snapshot = try writeSnapshot(
            of: committed.graph, generation: generation, format: format, blobs: blobs)
        if !isFirst { journal = try makeJournal() }
        let name = SnapshotName(generation: generation, format: format)
        try writeManifest(DocumentManifest(snapshot: name))
        return (snapshot, journal)
    }

    /// Writes a document of its own where none is yet.
    static func write(
        _ committed: CommittedGraph, to path: FilePath, as format: SnapshotFormat,
        _ files: any FileSystem
    ) throws {
        let directory = try DocumentDirectory(at: path, createsDocument: true, files: files)
        defer { directory.close() }
        guard try directory.isVacant else {
            throw DocumentError.fileSystem(
                .failed(
                    .makeDirectory, path: path.description,
                    code: POSIXError.Code.EEXIST.rawValue))
        }
        let blobs = BlobWriter(directory.blobs, adopts: false)
        _ = try directory.begin(
            committed, generation: 1, format: format, isFirst: true, blobs: blobs)
    }
}
