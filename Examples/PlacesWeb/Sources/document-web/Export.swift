import Foundation
import PlacesKit

/// Writes the records of a query as a file that a person keeps, a part at a time.
struct Export: Sendable {
    enum Format: String {
        case csv, json

        var type: String { self == .csv ? "text/csv; charset=utf-8" : "application/json" }
    }

    /// How many records are made into text at a time.
    private static let step = 500

    private let reader: DocumentReader
    private let entity: String
    private let records: ObjectRecords
    private let format: Format
    /// What is written: the columns that tables show; of bytes their number.
    private let columns: [Column]

    init(_ records: ObjectRecords, of entity: String, as format: Format, in reader: DocumentReader)
    {
        (self.records, self.entity, self.format, self.reader) = (records, entity, format, reader)
        columns = reader.schema.columns(of: entity).filter { $0.kind != .bytes }
    }

    private var names: [String] { ["record"] + columns.map { $0.path ?? $0.name } }

    /// The positions at which parts begin.
    var starts: StrideTo<Int> { stride(from: 0, to: max(1, records.count), by: Self.step) }

    /// The part that begins at a position; the first one has what stands before all records, the last one what
    /// stands behind.
    func part(from start: Int) throws -> Data {
        let end = min(records.count, start + Self.step)
        let part = records[start..<end]
        let rows = try reader.values(of: columns.compactMap(\.path), of: entity, for: part)
        var text = ""
        switch format {
        case .csv:
            if start == 0 { text += line(names.map(Self.field)) }
            for (record, values) in zip(part, rows) {
                text += line([Self.field("\(record.id)")] + values.map(Self.field))
            }
        case .json:
            var lines: [String] = []
            for (record, values) in zip(part, rows) {
                let members = zip(names, [Self.json("\(record.id)")] + values.map(Self.json))
                lines.append(
                    "{" + members.map { "\(Self.json($0)):\($1)" }.joined(separator: ",") + "}")
            }
            text = (start == 0 ? "[\n" : "") + lines.joined(separator: ",\n")
            text += end == records.count ? "\n]\n" : ",\n"
        }
        return Data(text.utf8)
    }

    // MARK: - CSV

    private func line(_ fields: [String]) -> String { fields.joined(separator: ",") + "\r\n" }

    private static func field(_ value: PropertyValue) -> String {
        switch value {
        // Only text can be what somebody wrote to be run; a number may well begin with a sign.
        case .attribute(.string(let text)): text.isEmpty ? "\"\"" : field(text)
        case .attribute(let datum): quoted(datum.text ?? "")
        case .object(let id): quoted(id?.description ?? "")
        case .objects(let ids): quoted(ids.map(\.description).joined(separator: " "))
        }
    }

    /// Text as a field that no spreadsheet runs: one that begins as a formula does gets an apostrophe before it.
    ///
    /// See OWASP, “CSV Injection”.
    private static func field(_ text: String) -> String {
        let isRun =
            text.unicodeScalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } ?? false
        return quoted(isRun && Double(text) == nil ? "'" + text : text)
    }

    private static func quoted(_ text: String) -> String {
        let marks: Set<Unicode.Scalar> = ["\"", ",", ";", "\n", "\r", "\t"]
        guard text.unicodeScalars.contains(where: marks.contains) else { return text }
        return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }

    // MARK: - JSON

    private static func json(_ value: PropertyValue) -> String {
        switch value {
        case .attribute(.null), .object(nil): "null"
        case .attribute(.boolean(let value)): String(value)
        case .attribute(.integer(let value)): String(value)
        case .attribute(.unsigned(let value)): String(value)
        case .attribute(.double(let value)) where value.isFinite: value.description
        case .attribute(let datum): json(datum.text ?? "")
        case .object(let id?): json(id.description)
        case .objects(let ids): "[" + ids.map { json($0.description) }.joined(separator: ",") + "]"
        }
    }

    private static func json(_ text: String) -> String {
        // NB: JSONEncoder is slow for single texts, and writes slashes with backslashes.
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
