import Foundation
import PlacesBase

/// Writes records as JSON or CSV, piece by piece.
protocol RecordOutput {
    /// Begins a file of some columns.
    init(_ columns: [String])
    /// Begins a record; a value for each column follows.
    mutating func beginRecord()
    /// Writes the value of the next column.
    mutating func write(_ value: RecordValue, isJSON: Bool)
    /// Passes the next column, which the record's class does not have.
    mutating func skip()
    /// Ends the record.
    mutating func endRecord()
    /// Ends the file.
    mutating func finish()
    /// Hands what has been written so far to `sink` and forgets it, if it is long enough.
    mutating func drain(
        atLeast threshold: Int, into sink: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows
}

/// The records that are to be written.
struct RecordExport: Sendable {
    let graph: Graph
    let table: TableNumber
    let rows: ContiguousArray<Row>
    let columns: RecordColumns

    /// Writes all records.
    func write<Output: RecordOutput>(
        as: Output.Type, _ task: ExchangeTask, to sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var output = Output(columns.names)
        let classes = columns.byKind.mapValues { own in
            own.map { column in
                column.map { ($0.values(in: table, of: graph), $0.isJSON(in: table, of: graph)) }
            }
        }
        task.begin(rows.count)
        let blobs = UnreadableBlobs()
        for (position, row) in rows.enumerated() {
            if position % 1_024 == 0 { try task.reach(position) }
            output.beginRecord()
            // What cannot be read must not look like nothing.
            try blobs.refuse {
                for column in classes[graph.kind(row, in: table)] ?? [] {
                    guard let (value, isJSON) = column else {
                        output.skip()
                        continue
                    }
                    output.write(value(row), isJSON: isJSON)
                }
            }
            output.endRecord()
            try output.drain(atLeast: 1 << 20, into: sink)
        }
        // What is cancelled does not end as a file, not even as one without records.
        try task.reach(rows.count)
        output.finish()
        try output.drain(atLeast: 0, into: sink)
        task.finish()
    }

    /// Writes all records to a file, which holds what it held before if that fails.
    func write(as format: ExchangeFormat, _ task: ExchangeTask, to path: FilePath) throws {
        let files = DiskFileSystem()
        // A file in their place would take them from all who use them.
        if let kind = try files.status(of: path)?.kind, [.pipe, .socket, .device].contains(kind) {
            throw FileSystemError.unexpected(path: path.description, found: kind)
        }
        try files.replaceFile(at: path) { file in
            try format.write(self, task) { try file.write($0) }
        }
    }
}
