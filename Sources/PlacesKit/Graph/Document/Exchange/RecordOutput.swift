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
    let columns: [RecordColumn]

    /// Writes all records.
    func write<Output: RecordOutput>(
        as: Output.Type, _ task: ExchangeTask, to sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var output = Output(columns.map(\.name))
        let areJSON = columns.map { $0.isJSON(in: table, of: graph) }
        task.begin(rows.count)
        for (position, row) in rows.enumerated() {
            if position % 1_024 == 0 { try task.reach(position) }
            output.beginRecord()
            for (column, isJSON) in zip(columns, areJSON) {
                let value = try externalData(column, row) ?? column.value(row, in: table, of: graph)
                output.write(value, isJSON: isJSON)
            }
            output.endRecord()
            try output.drain(atLeast: 1 << 20, into: sink)
        }
        output.finish()
        try output.drain(atLeast: 0, into: sink)
        task.finish()
    }

    /// The bytes of an attribute with external storage: what cannot be read must not look like nothing.
    private func externalData(_ column: RecordColumn, _ row: Row) throws -> RecordValue? {
        guard case .property(let slot) = column.kind,
            case let values = graph.tables[table].columns[slot], values.kind == .blob,
            values.isValid(at: row)
        else { return nil }
        return .property(.attribute(.data(try values.element(Blob.self, at: row).bytes())))
    }

    /// Writes all records to a file, which holds what it held before if that fails.
    func write(as format: ExchangeFormat, _ task: ExchangeTask, to path: FilePath) throws {
        try DiskFileSystem().replaceFile(at: path) { file in
            try format.write(self, task) { try file.write($0) }
        }
    }
}
