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
    /// The export has the objects at the time of the call. The file is replaced only when
    /// everything is written; if that fails, or if the task or the progress is cancelled, the file
    /// stays as it was. A pipe, a socket or a device is not replaced, and is an error.
    ///
    /// A fetch of a class finds the objects of its subclasses, too. Without key paths each of them is written with its
    /// class and what that declares, and an import into the class makes it again.
    ///
    /// - Parameters:
    ///   - request: Which objects to write, in which order; all objects of the class by default.
    ///   - url: The file URL to write to.
    ///   - format: The format to write.
    ///   - keyPaths: What to write of each object: `"id"`, `"entity"` for the name of its class, names of
    ///     properties, `"takenAt.name"` for an attribute of a related object, or any key path of a format string. By default it
    ///     is everything that ``GraphStore/importObjects(into:from:as:policy:progress:)`` can read
    ///     back.
    ///   - progress: Shows how many objects there are, and how many were written.
    /// - Returns: The number of objects written.
    /// - Throws: What `ManagedObjectContext.fetch` throws; `ContextError.malformedPredicate` also if the
    ///   class lacks a key path; `FileSystemError`; `ExternalStorageError`; `CancellationError`.
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
        let columns: RecordColumns
        do throws(PredicateFormatError) {
            columns = try RecordColumns(keyPaths, of: number, in: reading.graph, as: format)
        } catch {
            throw .malformedPredicate(error)
        }
        self.init(
            graph: reading.graph, table: entity.table, rows: try reading.rows(of: request),
            columns: columns)
    }
}
