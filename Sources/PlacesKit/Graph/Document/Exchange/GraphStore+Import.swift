public import Foundation
import PlacesBase

extension GraphStore {
    /// Makes objects of one class of the records in a file, off the caller's actor, all or none.
    ///
    /// ```swift
    /// let summary = try await document.store.importObjects(
    ///     into: Photo.self, from: url, as: .csv, policy: .upsert(by: "uniqueID"))
    /// try await document.flush()
    /// ```
    ///
    /// - The columns of the file, or the keys of its objects, are names of properties; `"takenAt.name"`
    ///   leads a relationship to the object whose unique attribute `name` has that value. What is not in
    ///   the file stays as it is, or is the default.
    /// - Links lead to objects that there are: import places before their photos. Only objects of the
    ///   class itself may come later in the file, and are then meant by the numbers that they have in it.
    /// - All is committed by one save, which other contexts merge; nothing is where it throws, or the
    ///   task or the progress is cancelled.
    ///
    /// - Parameters:
    ///   - type: The class of new objects.
    ///   - url: The file URL to read.
    ///   - format: What the file is.
    ///   - policy: Which object a record is.
    ///   - progress: Is told how many bytes there are, and how many were read.
    /// - Returns: How many objects were inserted and updated.
    /// - Throws: `ImportError` with file, line, column and what belongs there, or with the rules that
    ///   objects break; `ContextError`; `FileSystemError`; `CancellationError`.
    @discardableResult
    public nonisolated(nonsending) func importObjects<Object: ManagedObject>(
        into type: Object.Type, from url: URL, as format: ExchangeFormat,
        policy: ImportPolicy = .insert, progress: Progress? = nil
    ) async throws -> ImportSummary {
        let path = FilePath(url)
        return try await ExchangeTask.run(progress) { task in
            try format.read(path, as: type, into: self, policy, task)
        }
    }

    /// Reads the records of a file, on the caller's thread.
    func read<Input: RecordInput>(
        _: Input.Type, _ path: FilePath, _ type: ManagedObject.Type, _ policy: ImportPolicy,
        _ task: ExchangeTask
    ) throws -> ImportSummary {
        let context = ManagedObjectContext(self, isolation: nil)
        var importer = try RecordImporter(type, policy, context)
        task.begin(try DiskFileSystem().status(of: path)?.size ?? 0)
        do {
            var input = try Input(try ByteSource(path))
            var records = 0
            while try input.readRecord(into: &importer) {
                records += 1
                if records % 256 == 0 { try task.reach(input.count) }
            }
            try task.reach(input.count)
            try importer.finish(path.description)
            task.finish()
        } catch let fault as ImportFault {
            throw ImportError.malformed(
                file: path.description, line: fault.location.line, column: fault.location.column,
                problem: fault.problem)
        }
        return importer.summary
    }
}
