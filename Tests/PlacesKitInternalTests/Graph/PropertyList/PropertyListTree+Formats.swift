import Foundation
import PlacesKit

@testable import PlacesGraph

extension PropertyListTree {
    /// The bytes of a binary property list.
    var binary: [UInt8] {
        var writer = BinaryPropertyListWriter()
        write(to: &writer)
        var bytes: [UInt8] = []
        writer.finish { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// The bytes of a property list in XML.
    var xml: [UInt8] {
        var writer = XMLPropertyListWriter()
        write(to: &writer)
        var bytes: [UInt8] = []
        writer.finish { bytes.append(contentsOf: $0) }
        return bytes
    }

    private func write(to writer: inout some SnapshotOutput) {
        switch self {
        case .boolean(let value): writer.write(value)
        case .integer(let value): writer.write(value)
        case .unsigned(let value): writer.write(value)
        case .double(let value): writer.write(value)
        case .string(let value): writer.write(value)
        case .data(let value): writer.write(value)
        case .date(let value): writer.write(date: value)
        case .array(let values):
            writer.beginArray()
            for value in values { value.write(to: &writer) }
            writer.endArray()
        case .dictionary(let values):
            writer.beginObject()
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                writer.writeKey(key)
                value.write(to: &writer)
            }
            writer.endObject()
        }
    }

    /// Reads a tree of the same form as this one.
    func read(binary bytes: [UInt8]) throws -> PropertyListTree {
        try BinaryPropertyListReader.read(bytes) { try read(from: &$0) }
    }

    /// Reads a tree of the same form as this one.
    func read(xml bytes: [UInt8]) throws -> PropertyListTree {
        try XMLPropertyListReader.read(bytes) { try read(from: &$0) }
    }

    private func read(
        from reader: inout (some SnapshotInput & ~Copyable)
    ) throws -> PropertyListTree {
        switch self {
        case .boolean: return .boolean(try reader.readBool())
        case .integer: return .integer(try reader.readInt64())
        case .unsigned: return .unsigned(try reader.readUInt64())
        case .double: return .double(try reader.readDouble())
        case .string: return .string(try reader.readString())
        case .data: return .data(try reader.readData())
        case .date: return .date(try reader.readDate())
        case .array(let values):
            var elements: [PropertyListTree] = []
            try reader.beginArray()
            while try reader.nextElement() {
                elements.append(
                    try (values.dropFirst(elements.count).first ?? self).read(from: &reader))
            }
            return .array(elements)
        case .dictionary(let values):
            var members: [String: PropertyListTree] = [:]
            let table = JSONKeyTable(values.keys.sorted())
            try reader.beginObject()
            while let key = try reader.nextKey(in: table) {
                guard case .known(let index) = key, let value = values[table.names[index]] else {
                    try reader.skipValue()
                    continue
                }
                members[table.names[index]] = try value.read(from: &reader)
            }
            return .dictionary(members)
        }
    }
}
