import Foundation
import PlacesBase

extension ChangeRecord {
    /// Whether two records say the same.
    public static func == (first: ChangeRecord, second: ChangeRecord) -> Bool {
        first.commit == second.commit && first.date == second.date
            && first.author == second.author && first.deleted == second.deleted
            && first.inserted == second.inserted && first.updated == second.updated
            && first.linked == second.linked && first.unlinked == second.unlinked
            && first.moved == second.moved && first.ordered == second.ordered
    }

    /// Adds the commit, by which records of a document differ.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(commit)
        hasher.combine(date)
    }
}

extension ChangeRecord {
    /// Reads what `encode(to:)` wrote.
    ///
    /// The ``line`` is written anew, for decoders do not keep the order of its keys.
    public init(from decoder: any Decoder) throws {
        let value = try JSONValue(from: decoder)
        var writer = JSONWriter()
        writer.writeRecord(value)
        do {
            try self.init(line: JournalLine.seal(writer.bytes))
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "\(error)"))
        }
    }

    /// Writes the record as the journal has it.
    public func encode(to encoder: any Encoder) throws {
        let value = try JSONReader.read(Array(line)) { try $0.readJSONValue() }
        try value.encode(to: encoder)
    }
}

extension JSONWriter {
    /// Writes the keys of a record, but for its checksum, in their order.
    fileprivate mutating func writeRecord(_ value: JSONValue) {
        guard case .object(let members) = value else { return write(value) }
        beginObject()
        for key in JournalKeys.record.all where key != .checksum {
            guard let member = members[key.rawValue] else { continue }
            writeKey(key)
            write(member)
        }
        endObject()
    }
}
