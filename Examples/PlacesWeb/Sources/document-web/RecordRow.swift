import Foundation
import PlacesKit

/// A record as a row of a table.
struct RecordRow: Encodable {
    var id: String
    /// In the order of the entity's columns.
    var cells: [Cell]
}

/// Makes rows of records.
struct RowMaker {
    /// How much of a text a cell shows.
    private static let textLimit = 200
    /// How many bytes of files are read for one answer at most.
    private static let byteLimit = 64 << 20

    private let reader: DocumentReader
    private let entity: String
    private let columns: [Column]

    init(_ reader: DocumentReader, _ entity: String) {
        (self.reader, self.entity) = (reader, entity)
        columns = reader.schema.columns(of: entity)
    }

    /// The rows of records, in their order.
    func rows(_ records: some RandomAccessCollection<ObjectRecord>) throws -> [RecordRow] {
        let values = try reader.values(of: columns.compactMap(\.path), of: entity, for: records)
        var rest = Self.byteLimit
        return zip(records, values).map { record, values in
            var values = values.makeIterator()
            let cells = columns.map { column in
                guard column.path != nil else { return bytes(column.name, of: record, &rest) }
                return values.next().map { cell($0, column, of: record) } ?? Cell()
            }
            return RecordRow(id: "\(record.id)", cells: cells)
        }
    }

    private func cell(_ value: PropertyValue, _ column: Column, of record: ObjectRecord) -> Cell {
        switch (column.kind, value) {
        case (.record, _):
            guard case .object(let target?)? = record[column.name] else { return Cell() }
            var cell = Cell()
            if case .attribute(let title) = value { cell = Cell(title, limit: Self.textLimit) }
            cell.record = "\(target)"
            return cell
        case (.records, .attribute(.integer(let count))):
            var cell = Cell()
            cell.count = Int(count)
            return cell
        case (_, .attribute(let datum)): return Cell(datum, limit: Self.textLimit)
        default: return Cell()
        }
    }

    private func bytes(_ name: String, of record: ObjectRecord, _ rest: inout Int) -> Cell {
        guard rest > 0, case .attribute(.data(let data))? = record[name] else { return Cell() }
        rest -= data.count
        return Cell(data, of: name, of: record.id)
    }
}

extension DocumentReader {
    /// What key paths lead to from records, in the order of the records.
    func values(
        of paths: [String], of entity: String, for records: some Sequence<ObjectRecord>
    ) throws -> [[PropertyValue]] {
        let ids = records.map(\.id)
        guard !ids.isEmpty else { return [] }
        // They come in an order of their own.
        let found = try values(
            of: ["SELF"] + paths, for: RecordQuery("%K WHERE SELF IN %@", entity, ids))
        var byRecord: [ObjectID: [PropertyValue]] = [:]
        for values in found {
            if case .object(let id?) = values[0] { byRecord[id] = Array(values.dropFirst()) }
        }
        return ids.map { byRecord[$0] ?? [] }
    }

    /// What a person knows records by.
    func titles(of ids: [ObjectID]) throws -> [ObjectID: String] {
        var titles: [ObjectID: String] = [:]
        for (entity, ids) in Dictionary(grouping: ids, by: \.entity) {
            guard let title = schema.title(of: entity) else { continue }
            let found = try values(
                of: ["SELF", title], for: RecordQuery("%K WHERE SELF IN %@", entity, ids))
            for values in found {
                guard case .object(let id?) = values[0], case .attribute(let datum) = values[1]
                else { continue }
                titles[id] = datum.title
            }
        }
        return titles
    }
}
