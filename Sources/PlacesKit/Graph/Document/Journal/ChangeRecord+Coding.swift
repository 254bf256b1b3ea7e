import Foundation
import PlacesBase

extension ChangeRecord {
    /// Whether two records describe the same changes.
    public static func == (first: ChangeRecord, second: ChangeRecord) -> Bool {
        first.commit == second.commit && first.date == second.date
            && first.author == second.author && first.deleted == second.deleted
            && first.tombstones == second.tombstones
            && first.inserted == second.inserted && first.updated == second.updated
            && first.linked == second.linked && first.unlinked == second.unlinked
            && first.moved == second.moved && first.ordered == second.ordered
    }

    /// Hashes the number of the commit, which is different for each record of a document.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(commit)
        hasher.combine(date)
    }
}

extension ChangeRecord {
    /// Decodes a record that `encode(to:)` wrote.
    ///
    /// It makes the ``line`` anew, since decoders do not keep the order of keys.
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

    /// Encodes the record as in the journal.
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
