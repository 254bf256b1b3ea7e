public import Foundation
import PlacesBase

/// A document that is read without its classes, by the schema in its files.
///
/// ```swift
/// let reader = try await DocumentReader.open(at: url)
/// for record in try reader.records(RecordQuery("Photo WHERE takenAt.name == 'Paris'")) {
///     print(record.id, record["title"] ?? "")
/// }
/// ```
///
/// - No file is touched, and no lock is taken: the document may be open elsewhere. What is saved there
///   later is not seen.
/// - The reader is a value that any thread may use; what it holds stays as it was read. The bytes of attributes
///   with external storage are read when they are asked for; whoever writes the document may have removed
///   them by then.
public struct DocumentReader: Sendable {
    /// The directory.
    public let url: URL
    /// What the document's snapshot is written as.
    public let format: ManagedDocument.Format
    /// What was found wrong with the files, and what was done about it.
    public let recovery: DocumentRecovery
    let committed: CommittedGraph
    let files: any FileSystem
    private let access: FolderAccess

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - url: The file URL of the directory.
    ///   - number: A commit that the files keep, after which to read it; the latest by default.
    ///   - progress: Is told how many bytes there are to read, and how many were read.
    /// - Returns: The document as it was then.
    /// - Throws: `DocumentError`, or `HistoryError` where the files do not keep the commit.
    public nonisolated(nonsending) static func open(
        at url: URL, commit number: Int? = nil, progress: Progress? = nil
    ) async throws -> DocumentReader {
        try await open(at: url, commit: number, progress: progress, files: DiskFileSystem())
    }

    package nonisolated(nonsending) static func open(
        at url: URL, commit number: Int? = nil, progress: Progress? = nil, files: any FileSystem
    ) async throws -> DocumentReader {
        let path = FilePath(url)
        typealias Read = Result<(DocumentContent, FolderAccess), HistoryError>
        let (content, access) = try await DocumentQueue().run { () -> Read in
            let directory = try DocumentDirectory(
                at: path, createsDocument: false, isReadOnly: true, files: files)
            return try directory.readWithoutClasses(commit: number, progress: progress)
                .map { ($0, directory.updateAccess()) }
        }.get()
        return DocumentReader(
            url: url, format: content.format, recovery: content.recovery,
            committed: CommittedGraph(graph: content.graph, commit: content.commit), files: files,
            access: access)
    }

    /// The schema that the files had by then, which says nothing of defaults and transient attributes.
    public var schema: Schema { committed.graph.schema }

    /// The last commit that was read: its number, when it was made, and by whom.
    public var commit: Commit { committed.commit }

    // MARK: - Records

    /// The records that a query describes.
    ///
    /// - Throws: `PredicateFormatError`, which names the column of the query: for an entity or a property
    ///   that the schema lacks, or values that never compare.
    public func records(
        _ query: RecordQuery
    ) throws(PredicateFormatError) -> ObjectRecords {
        let compiled = try committed.graph.compile(query, now: Date())
        return ObjectRecords(
            graph: committed.graph, table: compiled.table,
            rows: try committed.graph.rows(of: query, compiled))
    }

    /// How many objects of an entity there are, those of its subentities among them; 0 where there is
    /// no such entity.
    ///
    /// - Complexity: O(1); for an entity that inherits one pass over a column.
    public func count(of entity: String) -> Int {
        guard let layout = committed.graph.layout.entity(named: entity) else { return 0 }
        return committed.graph.countRows(.objects(of: layout), in: layout.table) { _ in false }
    }

    /// Runs a query, and tells how: the plan, expected and actual rows, and times.
    ///
    /// - Throws: `PredicateFormatError`, as ``records(_:)`` does.
    public func explain(
        _ query: RecordQuery
    ) throws(PredicateFormatError) -> QueryExplanation {
        try committed.graph.explain(query, now: Date())
    }

    // MARK: - Files

    /// The commits that the files keep, oldest first.
    ///
    /// - Throws: `DocumentError`.
    public nonisolated(nonsending) func history() async throws -> [DocumentCommit] {
        let (path, files) = (FilePath(url), files)
        return try await DocumentQueue().run {
            let directory = try DocumentDirectory(
                at: path, createsDocument: false, isReadOnly: true, files: files)
            return try directory.steadily { try directory.commits() }
        }
    }

    /// Writes what was read as a document of its own.
    ///
    /// - Parameters:
    ///   - url: A path where nothing is yet.
    ///   - format: What its snapshots are written as.
    /// - Throws: `DocumentError`.
    public nonisolated(nonsending) func duplicate(
        to url: URL, as format: ManagedDocument.Format
    ) async throws {
        let (committed, files, path, access) = (committed, files, FilePath(url), access)
        try await DocumentQueue().run {
            try DocumentDirectory.make(
                committed, at: path, as: format, access: access, files, progress: nil
            ).directory.close()
        }
    }
}

extension DocumentDirectory {
    /// Reads what the document holds, or held after a commit, by the schema in its files.
    fileprivate func readWithoutClasses(
        commit number: Int?, progress: Progress?
    ) throws -> Result<DocumentContent, HistoryError> {
        guard let number else {
            return .success(
                try readSteadily(
                    MigrationModel(GraphLayout(schema: newestSchema())), progress: progress))
        }
        return try steadily { try readKept(number, progress) }
    }

    private func readKept(
        _ number: Int, _ progress: Progress?
    ) throws -> Result<DocumentContent, HistoryError> {
        let kept = try commits().map(\.commit.number)
        let latest = kept.last ?? 0
        guard number <= latest else { return .failure(.notCommitted(number, latest: latest)) }
        guard let first = kept.first, number >= first else {
            return .failure(.notKept(number, kept: (kept.first ?? latest)...latest))
        }
        // By the schema of then, for the document may have been migrated since.
        return .success(try read(nil, upTo: number, progress: progress))
    }
}
