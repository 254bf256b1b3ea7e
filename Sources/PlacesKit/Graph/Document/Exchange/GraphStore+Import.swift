public import Foundation
import PlacesBase
import Synchronization

extension GraphStore {
    /// Imports the records of a file as objects of one class, off the caller's actor, all or none.
    ///
    /// ```swift
    /// let summary = try await document.store.importObjects(
    ///     into: Photo.self, from: url, as: .csv, policy: .upsert(by: \.uniqueID))
    /// try await document.flush()
    /// ```
    ///
    /// - The columns of the file, or the keys of its objects, are names of properties.
    ///   `"takenAt.name"` relates the object to the one whose unique attribute `name` has that
    ///   value. Properties that are not in the file keep their values, or get their defaults.
    /// - Links lead to existing objects, so import places before their photos. Links to the class
    ///   itself may also lead to records of the file, earlier or later, by their `id` in the file or
    ///   by a unique attribute.
    /// - One save commits all objects, and other contexts merge it. If this method throws, or if
    ///   the task or the progress is cancelled, nothing is imported, also while it waits for who writes to a pipe. It
    ///   also throws if an object of a record is deleted before the end of the file, as an `awakeFromInsert` may do.
    /// - If others save meanwhile what does not go with the records, the file is read again on top of that, a few
    ///   times: so an upsert updates what they inserted, and inserts what they deleted. A pipe can't be read twice.
    ///
    /// - Parameters:
    ///   - type: The class of new objects.
    ///   - url: The file URL to read.
    ///   - format: The format of the file.
    ///   - policy: Which object each record is.
    ///   - progress: Shows how many bytes there are to read, and how many were read.
    /// - Returns: The numbers of objects inserted and updated.
    /// - Throws: `ImportError` with file, line, column and what belongs there, with the rules that
    ///   objects break, or with what others saved meanwhile; `ContextError`; `FileSystemError`; `CancellationError`.
    @discardableResult
    public nonisolated(nonsending) func importObjects<Object: ManagedObject>(
        into type: Object.Type, from url: URL, as format: ExchangeFormat,
        policy: ImportPolicy<Object> = .insert, progress: Progress? = nil
    ) async throws -> ImportSummary {
        let path = FilePath(url)
        return try await ExchangeTask.run(progress) { task in
            try format.read(path, as: type, into: self, policy, task)
        }
    }

    /// Reads the records of a file, on the caller's thread; again where others saved meanwhile what does not go with them.
    func read<Input: RecordInput, Object: ManagedObject>(
        _ input: Input.Type, _ path: FilePath, _ type: Object.Type,
        _ policy: ImportPolicy<Object>, _ task: ExchangeTask
    ) throws -> ImportSummary {
        var attempts = ImportAttempts()
        if let summary = try attempt(input, path, type, policy, task, &attempts) { return summary }
        // Imports of the same objects would be in each other's way again and again.
        return try imports.withLock { _ in
            while true {
                if let summary = try attempt(input, path, type, policy, task, &attempts) {
                    return summary
                }
            }
        }
    }

    /// Reads the records of a file once; returns `nil` where it may be read again.
    private func attempt<Input: RecordInput, Object: ManagedObject>(
        _: Input.Type, _ path: FilePath, _ type: Object.Type, _ policy: ImportPolicy<Object>,
        _ task: ExchangeTask, _ attempts: inout ImportAttempts
    ) throws -> ImportSummary? {
        let context = ManagedObjectContext(self, isolation: nil)
        var importer = try RecordImporter(type, policy, context)
        let status = try DiskFileSystem().status(of: path)
        task.begin(status?.size ?? 0)
        do {
            var input = try Input(try ByteSource(path, task))
            var records = 0
            while try input.readRecord(into: &importer) {
                records += 1
                if records % 256 == 0 { try task.reach(input.count) }
            }
            try task.reach(input.count)
            let summary = try importer.finish()
            task.finish()
            return summary
        } catch let fault as ImportFault {
            throw ImportError.malformed(
                file: path.description, line: fault.location.line, column: fault.location.column,
                problem: fault.problem)
        } catch let error as ContextError {
            attempts.count += 1
            attempts.records += importer.count
            let (conflicts, failures): ([SaveConflict], [ValidationFailure])
            switch error {
            case .conflict(let found): (conflicts, failures) = (found, [])
            case .invalid(let found): (conflicts, failures) = ([], found)
            default: throw error
            }
            let refusals = importer.refusals(failures)
            let isMet = importer.hasMerged || !conflicts.isEmpty
            guard isMet, !attempts.isRefusedAgain(for: refusals) else {
                throw ImportError.refused(file: path.description, refusals)
            }
            // Of a pipe nothing is left to read.
            let isThere = status?.kind == .file || status?.kind == .linkedFile
            if isThere, attempts.mayGoOn { return nil }
            throw ImportError.overtaken(
                file: path.description, attempts: attempts.count, conflicts: conflicts,
                refusals: refusals)
        }
    }
}

/// How often a file was read in vain, for others saved meanwhile.
private struct ImportAttempts {
    var count = 0
    /// How many records were read, each as often as it was.
    var records = 0
    /// The rules that were broken the last time, by objects that have other numbers each time.
    private var broken: [ImportError.Refusal] = []

    /// Whether the file breaks the rules that it broke before, on top of something else: not because of what others saved.
    mutating func isRefusedAgain(for refusals: [ImportError.Refusal]) -> Bool {
        let known = broken
        broken = refusals.map { refusal in
            let none = ObjectID(entity: "", number: 0)
            var refusal = refusal
            refusal.failure.object = none
            switch refusal.failure.reason {
            case .duplicateValue(let value, _):
                refusal.failure.reason = .duplicateValue(value, other: none)
            case .duplicateValues(let values, _):
                refusal.failure.reason = .duplicateValues(values, other: none)
            default: break
            }
            return refusal
        }
        return !broken.isEmpty && broken == known
    }

    /// Whether it is worth while to read it again: a small file soon finds a moment, a large one may never.
    var mayGoOn: Bool { count < 5 || count < 100 && records < 100_000 }
}
