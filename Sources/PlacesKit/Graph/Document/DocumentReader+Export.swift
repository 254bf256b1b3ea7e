public import Foundation

extension DocumentReader {
    /// Reads the values at key paths, a list for each record.
    ///
    /// ```swift
    /// let rows = try reader.values(of: ["title", "takenAt.name"], for: RecordQuery("Photo"))
    /// ```
    ///
    /// - Parameters:
    ///   - keyPaths: `"id"`, `"entity"`, names of properties, or key paths that lead to one value.
    ///   - query: Which records to read, in which order.
    /// - Returns: The values, in the order of the records and of the key paths.
    /// - Throws: `PredicateFormatError`, which names the column of the query or the key path.
    public func values(
        of keyPaths: [String], for query: RecordQuery
    ) throws(PredicateFormatError) -> [[PropertyValue]] {
        let export = try export(query, keyPaths, as: .json)
        // No key paths are none here, and not those that a file has where it is told nothing.
        guard !keyPaths.isEmpty else { return export.rows.map { _ in [] } }
        let classes = export.columns.byKind.mapValues { own in
            own.compactMap(\.self).map { column in
                (name: column.name, value: column.values(in: export.table, of: export.graph))
            }
        }
        var values: [[PropertyValue]] = []
        values.reserveCapacity(export.rows.count)
        for row in export.rows {
            var record: [PropertyValue] = []
            for (name, value) in classes[export.graph.kind(row, in: export.table)] ?? [] {
                switch value(row) {
                case .property(let value): record.append(value)
                case .values:
                    throw PredicateFormatError(
                        format: name, column: 1, problem: .manyValues(name),
                        source: "the key path")
                }
            }
            values.append(record)
        }
        return values
    }

    /// Writes records as JSON or CSV, in pieces, on the caller's thread.
    ///
    /// ```swift
    /// try reader.write(RecordQuery("Photo LIMIT 10"), as: .csv) {
    ///     try FileHandle.standardOutput.write(contentsOf: $0)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - query: Which records to write, in which order.
    ///   - keyPaths: What to write of each, as for
    ///     ``GraphReader/export(_:to:as:keyPaths:progress:)``.
    ///   - format: The format to write.
    ///   - sink: Writes one piece.
    /// - Throws: `PredicateFormatError` before anything is written, `ExternalStorageError`, or what `sink`
    ///   throws.
    public func write(
        _ query: RecordQuery, keyPaths: [String] = [], as format: ExchangeFormat,
        to sink: (Data) throws -> Void
    ) throws {
        try format.write(try export(query, keyPaths, as: format), .immediate) {
            try sink(Data($0))
        }
    }

    private func export(
        _ query: RecordQuery, _ keyPaths: [String], as format: ExchangeFormat
    ) throws(PredicateFormatError) -> RecordExport {
        let graph = committed.graph
        let compiled = try graph.compile(query, now: Date())
        let columns = try RecordColumns(keyPaths, of: compiled.entity, in: graph, as: format)
        return RecordExport(
            graph: graph, table: compiled.table, rows: try graph.rows(of: query, compiled),
            columns: columns)
    }
}
