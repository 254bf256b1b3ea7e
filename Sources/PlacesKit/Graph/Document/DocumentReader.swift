public import Foundation
import PlacesBase

/// Reads a document without its classes, by the schema in its files.
///
/// ```swift
/// let reader = try await DocumentReader.open(at: url)
/// for record in try reader.records(RecordQuery("Photo WHERE takenAt.name == 'Paris'")) {
///     print(record.id, record["title"] ?? "")
/// }
/// ```
///
/// - The reader changes no file and takes no lock: the document may be open elsewhere. The reader
///   does not show what is saved there later.
/// - The reader is a value that any thread may use, and its content does not change. It reads the
///   bytes of attributes with external storage on demand; a process that writes the document may
///   have removed them by then.
/// - The reader keeps the folder open: it does not matter what the path leads to later.
/// - Of a shared document it also has the commits that wait for the log, unless you ask for one of the log's commits.
public struct DocumentReader: Sendable {
    /// The directory.
    public let url: URL
    /// The format of the document's file snapshots.
    public let format: ManagedDocument.Format
    /// What opening the document did about damaged or incomplete files.
    public let recovery: DocumentRecovery
    /// How many commits were read that wait for the log of a shared document: they have no numbers yet.
    public let waitingCount: Int
    let committed: CommittedGraph
    private let directory: DocumentDirectory

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - url: The file URL of the directory.
    ///   - number: The commit after which to read the document; the latest one by default.
    ///   - progress: Shows how many bytes there are to read, and how many were read.
    /// - Returns: The document after that commit.
    /// - Throws: `DocumentError`, or `HistoryError` if the files do not keep the commit.
    public nonisolated(nonsending) static func open(
        at url: URL, commit number: Int? = nil, progress: Progress? = nil
    ) async throws -> DocumentReader {
        try await open(at: url, commit: number, progress: progress, files: DiskFileSystem())
    }

    package nonisolated(nonsending) static func open(
        at url: URL, commit number: Int? = nil, progress: Progress? = nil, files: any FileSystem
    ) async throws -> DocumentReader {
        let path = FilePath(url)
        typealias Read = Result<(DocumentContent, DocumentDirectory), HistoryError>
        let (content, directory) = try await DocumentQueue().run { () -> Read in
            let directory = try DocumentDirectory(
                at: path, createsDocument: false, isReadOnly: true, files: files)
            let content = try directory.readWithoutClasses(commit: number, progress: progress)
            directory.updateAccess()
            return content.map { ($0, directory) }
        }.get()
        return DocumentReader(
            url: url, format: content.format, recovery: content.recovery,
            waitingCount: content.waitingCount, committed: content.committed, directory: directory)
    }

    /// The schema in the files, without defaults and transient attributes.
    public var schema: Schema { committed.graph.schema }

    /// The last commit that was read: its number, date and author; of a shared document the last one of its log, before
    /// those that wait.
    public var commit: Commit { committed.commit }

    // MARK: - Records

    /// Reads the records of a query.
    ///
    /// - Throws: `PredicateFormatError`, which names the column of the query, if the schema lacks
    ///   an entity or a property, if two values can never be compared, or if a regular expression
    ///   takes too many steps.
    public func records(
        _ query: RecordQuery
    ) throws(PredicateFormatError) -> ObjectRecords {
        let compiled = try committed.graph.compile(query, now: Date())
        return ObjectRecords(
            graph: committed.graph, table: compiled.table,
            rows: try committed.graph.rows(of: query, compiled))
    }

    /// Counts the objects of an entity and its subentities; 0 if there is no such entity.
    ///
    /// - Complexity: O(1); for an entity with a superentity, one pass over a column.
    public func count(of entity: String) -> Int {
        guard let layout = committed.graph.layout.entity(named: entity) else { return 0 }
        return committed.graph.countRows(.objects(of: layout), in: layout.table) { _ in false }
    }

    /// Runs a query and describes how: the plan, the expected and actual rows, and the times.
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
        let directory = directory
        return try await DocumentQueue().run {
            try directory.steadily { try directory.commits() }
        }
    }

    /// Writes what was read as a new document.
    ///
    /// - Parameters:
    ///   - url: A path where nothing exists yet.
    ///   - format: The format of its file snapshots.
    /// - Throws: `DocumentError`.
    public nonisolated(nonsending) func duplicate(
        to url: URL, as format: ManagedDocument.Format
    ) async throws {
        let (committed, directory, path) = (committed, directory, FilePath(url))
        try await DocumentQueue().run {
            try DocumentDirectory.make(
                committed, at: path, as: format, access: directory.access, directory.surroundings,
                progress: nil
            ).directory.close()
        }
    }
}

extension DocumentDirectory {
    /// Reads what the document holds by the schema in its files, with the commits that wait for the log of a shared one.
    func readWithoutClasses(progress: Progress?) throws -> DocumentContent {
        try readSteadily(
            MigrationModel(GraphLayout(schema: newestSchema())), withWaiting: true,
            progress: progress)
    }

    /// Reads what the document holds, or held after a commit, by the schema in its files.
    fileprivate func readWithoutClasses(
        commit number: Int?, progress: Progress?
    ) throws -> Result<DocumentContent, HistoryError> {
        guard let number else {
            return .success(try readWithoutClasses(progress: progress))
        }
        return try steadily {
            // By the schema of then, for the document may have been migrated since.
            try readKept(number, written: nil) { try read(nil, upTo: number, progress: progress) }
        }
    }
}
