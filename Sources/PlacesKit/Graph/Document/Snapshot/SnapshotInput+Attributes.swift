import PlacesBase
import Foundation

extension SnapshotInput where Self: ~Copyable {
    /// Enters an object of the graph; its number follows.
    mutating func beginObject(withKeys keys: JSONKeyTable) throws(JSONError) {
        try beginObject()
        guard try nextKey(in: keys) == .known(0) else {
            throw expected(#"the key "id" first in an object"#)
        }
    }

    /// Reads an object's number.
    mutating func readObjectNumber() throws(JSONError) -> Int64 {
        let number = try readInt64()
        guard number >= 0 else {
            throw expected("an object's number from 0 to \(Int64.max)")
        }
        return number
    }

    /// Passes what stands for no value, which only an optional attribute may have, and tells whether it stood there.
    @inline(__always)
    mutating func readNullIfPresent(isOptional: Bool) throws(JSONError) -> Bool {
        guard try readNullIfPresent() else { return false }
        guard isOptional else {
            throw expected("a value, for the attribute is required")
        }
        return true
    }

    /// Reads the value of an attribute, which must be one that the attribute may have.
    mutating func readValue(
        of attribute: AttributeDescription, _ check: ValueCheck? = nil
    ) throws(JSONError) -> Datum {
        if try readNullIfPresent(isOptional: attribute.isOptional) { return .null }
        let start = offset
        let value: Datum =
            switch attribute.type {
            case .boolean: .boolean(try readBool())
            case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32:
                .integer(try readInteger(of: attribute.type))
            case .uint64: .unsigned(try readUInt64())
            case .decimal:
                .decimal(
                    try readString(as: "a decimal number such as \"12.5\"") { bytes in
                        Decimal(text: String(decoding: bytes, as: UTF8.self))
                    })
            case .json: .string(try readJSONText())
            case .float: .double(try readFloat())
            case .double: .double(try readDouble())
            case .date: .date(Date(timeIntervalSinceReferenceDate: try readDate()))
            case .string: .string(try readString())
            case .url: .string(try readString().spelledAsURL)
            case .uuid:
                .uuid(
                    try readString(as: "a UUID") { bytes in
                        UUID(uuidString: String(decoding: bytes, as: UTF8.self))
                    })
            case .data: .data(try readData())
            }
        if let allowed = attribute.allowedValues, !allowed.contains(value) {
            let list = allowed.map(\.description).joined(separator: ", ")
            throw expected("one of \(list)")
        }
        guard let check else { return value }
        guard let canonical = check.canonical(value) else {
            throw expected("a value of \(check.typeName)", at: start)
        }
        return canonical
    }

    /// Reads the float that is nearest to a number, widened: columns hold no other numbers for floats, and compare them
    /// as doubles.
    @inline(__always)
    mutating func readFloat() throws(JSONError) -> Double {
        let start = offset
        let number = try readDouble()
        let nearest = Double(Float(number))
        guard nearest.isFinite || !number.isFinite else {
            throw failure(.numberOutOfRange(type: "a float"), at: start)
        }
        return nearest
    }

    private mutating func readInteger(of type: AttributeType) throws(JSONError) -> Int64 {
        let value = try readInt64()
        guard type.integerRange?.contains(value) ?? true else {
            throw failure(.numberOutOfRange(type: type.rawValue))
        }
        return value
    }
}
