public import Foundation
import PlacesBase

extension GraphReader {
    /// Writes objects of one class to a file, off the caller's actor.
    ///
    /// ```swift
    /// try await document.store.export(
    ///     FetchRequest<Photo>(sortBy: [SortDescriptor(\.title)]), to: url, as: .csv)
    /// ```
    ///
    /// What is written is what there is when the call is made. The file is replaced when all is
    /// written; if that fails, or the task or the progress is cancelled, it stays what it was.
    ///
    /// - Parameters:
    ///   - request: The objects, in their order; all objects of the class by default.
    ///   - url: The file URL to write to.
    ///   - format: What to write.
    ///   - keyPaths: What to write of each object: `"id"`, names of properties, `"takenAt.name"` for an
    ///     attribute of what a relationship leads to, or any key path of a format string. Without them
    ///     it is all that ``GraphStore/importObjects(into:from:as:policy:progress:)`` gives back.
    ///   - progress: Is told how many objects there are, and how many were written.
    /// - Returns: How many objects were written.
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate` for a key path that
    ///   the class lacks too; `FileSystemError`; `ExternalStorageError`; `CancellationError`.
    @discardableResult
    public nonisolated(nonsending) func export<Object: ManagedObject>(
        _ request: FetchRequest<Object> = FetchRequest<Object>(), to url: URL,
        as format: ExchangeFormat, keyPaths: [String] = [], progress: Progress? = nil
    ) async throws -> Int {
        let (snapshot, path) = (snapshot(), FilePath(url))
        return try await ExchangeTask.run(progress) { task in
            let export = try RecordExport(request, keyPaths, snapshot, as: format)
            try export.write(as: format, task, to: path)
            return export.rows.count
        }
    }
}

extension RecordExport {
    fileprivate init<Object: ManagedObject>(
        _ request: FetchRequest<Object>, _ keyPaths: [String], _ snapshot: GraphSnapshot,
        as format: ExchangeFormat
    ) throws(ContextError) {
        let reading = GraphReading(snapshot)
        let (number, entity) = try reading.entity(of: Object.self)
        let columns: [RecordColumn]
        do throws(PredicateFormatError) {
            columns = try RecordColumn.columns(
                keyPaths, of: number, in: reading.graph, as: format)
        } catch {
            throw .malformedPredicate(error)
        }
        self.init(
            graph: reading.graph, table: entity.table, rows: try reading.rows(of: request),
            columns: columns)
    }
}
