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

    /// Encodes the record as in the journal, and the order of the entities where it is not that of
    /// their names.
    public func encode(to encoder: any Encoder) throws {
        var value = try JSONReader.read(Array(line)) { try $0.readJSONValue() }
        let orders = [JournalKeys.Record.insert: inserted, .update: updated]
            .mapValues { $0.map(\.id.entity).withoutRepetitions }
            .filter { $0.value != $0.value.sorted() }
        if case .object(var members) = value, !orders.isEmpty {
            members[Self.orderKey] = .object(
                Dictionary(
                    uniqueKeysWithValues: orders.map { section, names in
                        (section.rawValue, .array(names.map(JSONValue.string)))
                    }))
            value = .object(members)
        }
        try value.encode(to: encoder)
    }

    /// The key of the entities of each section in their order, which no line has: it has the order of its keys.
    fileprivate static let orderKey = "entities"
}

extension [String] {
    /// The names, each where it comes first.
    fileprivate var withoutRepetitions: [String] {
        var names: Set<String> = []
        return filter { names.insert($0).inserted }
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
            if case .object(let orders)? = members[ChangeRecord.orderKey],
                case .array(let names)? = orders[key.rawValue],
                case .object(let objects) = member
            {
                write(objects, in: names)
            } else {
                write(member)
            }
        }
        endObject()
    }

    /// Writes objects by entity: those of some names in their order, and then what else there is.
    private mutating func write(_ objects: [String: JSONValue], in names: [JSONValue]) {
        let names = names.compactMap { name in
            if case .string(let name) = name { name } else { nil }
        }
        beginObject()
        for name in (names + objects.keys.sorted()).withoutRepetitions {
            guard let value = objects[name] else { continue }
            writeKey(name)
            write(value)
        }
        endObject()
    }
}
