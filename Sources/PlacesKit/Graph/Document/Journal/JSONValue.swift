import PlacesBase

/// Any JSON value.
///
/// Numbers are equal if they have the same value: 3.0 may be encoded as 3, and is decoded as a whole
/// number then. A property list has no `null`: the text `$null` stands for it, and is decoded as it.
/// A binary one may lose the sign of zero.
public enum JSONValue: Sendable {
    /// `null`
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A whole number.
    case integer(Int64)
    /// A whole number above `Int64.max`.
    case unsigned(UInt64)
    /// A number with a fraction or an exponent.
    case number(Double)
    /// Text; dates, decimal numbers, identifiers and bytes are text too.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Values by name.
    case object([String: JSONValue])
}

extension JSONValue: Hashable {
    private enum Number: Hashable {
        case integer(Int64)
        case unsigned(UInt64)
        case number(Double)

        init(_ value: Double) {
            self =
                Int64(exactly: value).map(Self.integer) ?? UInt64(exactly: value).map(Self.unsigned)
                ?? .number(value)
        }

        init(_ value: UInt64) {
            self = Int64(exactly: value).map(Self.integer) ?? .unsigned(value)
        }
    }

    /// A number in the form that all equal ones have; `nil` for other values.
    private var number: Number? {
        switch self {
        case .integer(let value): .integer(value)
        case .unsigned(let value): Number(value)
        case .number(let value): Number(value)
        case .null, .boolean, .string, .array, .object: nil
        }
    }

    /// Whether both are the same value.
    public static func == (first: JSONValue, second: JSONValue) -> Bool {
        switch (first, second) {
        case (.null, .null): true
        case (.boolean(let first), .boolean(let second)): first == second
        case (.string(let first), .string(let second)): first == second
        case (.array(let first), .array(let second)): first == second
        case (.object(let first), .object(let second)): first == second
        default: first.number.map { $0 == second.number } ?? false
        }
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .boolean(let value): hasher.combine(value)
        case .integer, .unsigned, .number: hasher.combine(number)
        case .string(let value): hasher.combine(value)
        case .array(let values): hasher.combine(values)
        case .object(let values): hasher.combine(values)
        }
    }
}

extension JSONValue: Codable {
    /// Decodes a value of any kind.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            // Zero may be a negative one, which no whole number is.
            let zero = value == 0 ? try? container.decode(Double.self) : nil
            self = zero?.sign == .minus ? .number(-0.0) : .integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .unsigned(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .number(let value):
            switch Number(value) {
            // As a whole number it may be decoded, for which an encoder spells a large one with too few digits.
            case .integer(let whole) where whole != 0: try container.encode(whole)
            case .unsigned(let whole): try container.encode(whole)
            case .integer, .number: try container.encode(value)
            }
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }
}

extension JSONReader {
    /// Reads a value of any kind; how deep it may be nested the reader limits.
    mutating func readJSONValue() throws(JSONError) -> JSONValue {
        switch try peekKind() {
        case .null:
            try readNull()
            return .null
        case .boolean: return .boolean(try readBool())
        case .string: return .string(try readString())
        case .number: return try readNumber()
        case .array:
            var values: [JSONValue] = []
            try beginArray()
            while try nextElement() { values.append(try readJSONValue()) }
            return .array(values)
        case .object:
            var values: [String: JSONValue] = [:]
            try beginObject()
            while let key = try nextKey() { values[key] = try readJSONValue() }
            return .object(values)
        }
    }

    private mutating func readNumber() throws(JSONError) -> JSONValue {
        let token = try scanNumber()
        // Zero may be a negative one, which no whole number is.
        if token.isInteger, !token.isNegative || token.digits != 0 {
            let text = String(decoding: bytes[token.range], as: UTF8.self)
            if let value = Int64(text) { return .integer(value) }
            if let value = UInt64(text) { return .unsigned(value) }
        }
        offset = token.range.lowerBound
        return .number(try readDouble())
    }
}

extension JSONWriter {
    /// Writes a value of any kind, the keys of objects in their order, but first that of their numbers.
    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: writeNull()
        case .boolean(let value): write(value)
        case .integer(let value): write(value)
        case .unsigned(let value): write(value)
        case .number(let value): write(value)
        case .string(let value): write(value)
        case .array(let values):
            beginArray()
            for value in values { write(value) }
            endArray()
        case .object(let values):
            beginObject()
            func position(_ key: String) -> String { key == SnapshotKeys.identifier ? "" : key }
            for (key, value) in values.sorted(by: { position($0.key) < position($1.key) }) {
                writeKey(key)
                write(value)
            }
            endObject()
        }
    }
}
