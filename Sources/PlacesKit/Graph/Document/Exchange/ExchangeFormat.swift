import PlacesBase

/// The format in which objects of one entity are exported and imported.
public enum ExchangeFormat: String, Sendable, CaseIterable {
    /// JSON: an array with an object on each line.
    case json
    /// Comma-separated values as in RFC 4180, in UTF-8.
    case csv
}

// All that is said of a format outside of its own files.
extension ExchangeFormat {
    /// Writes records piece by piece.
    func write(
        _ records: RecordExport, _ task: ExchangeTask,
        to sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        switch self {
        case .json: try records.write(as: JSONRecordOutput.self, task, to: sink)
        case .csv: try records.write(as: CSVRecordOutput.self, task, to: sink)
        }
    }

    /// Reads a file of records into a store.
    func read<Object: ManagedObject>(
        _ path: FilePath, as type: Object.Type, into store: GraphStore,
        _ policy: ImportPolicy<Object>, _ task: ExchangeTask
    ) throws -> ImportSummary {
        switch self {
        case .json: try store.read(JSONRecordInput.self, path, type, policy, task)
        case .csv: try store.read(CSVRecordInput.self, path, type, policy, task)
        }
    }
}
