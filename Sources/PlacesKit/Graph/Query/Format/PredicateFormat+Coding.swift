import Foundation

extension PredicateFormat {
    /// Whether the strings, the arguments and the values of the variables are equal.
    ///
    /// Arguments that are sets are compared as lists, in the order in which they were given.
    public static func == (left: PredicateFormat, right: PredicateFormat) -> Bool {
        left.format == right.format && left.arguments == right.arguments
            && left.variables == right.variables
    }

    /// Hashes the string, the arguments and the values of the variables.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(format)
        hasher.combine(arguments)
        hasher.combine(variables)
    }

    private enum CodingKeys: CodingKey { case format, arguments, variables }

    /// Reads a format that was saved, and parses it.
    ///
    /// - Throws: `DecodingError`, with the `PredicateFormatError` if the string is not a predicate.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let format = try container.decode(String.self, forKey: .format)
        let arguments = try container.decodeIfPresent([FormatValue].self, forKey: .arguments)
        do throws(PredicateFormatError) {
            try self.init(format, arguments: arguments ?? [])
        } catch {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: container.codingPath, debugDescription: "\(error)",
                    underlyingError: error))
        }
        variables =
            try container.decodeIfPresent([String: FormatValue].self, forKey: .variables) ?? [:]
    }

    /// Writes the format, its arguments and the values of its variables.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(format, forKey: .format)
        if !arguments.isEmpty { try container.encode(arguments, forKey: .arguments) }
        if !variables.isEmpty { try container.encode(variables, forKey: .variables) }
    }
}

/// An object with one value, whose key says of which type it is.
///
/// It is the same whatever an encoder does with dates and data, and in JSON no number is rounded.
extension FormatValue {
    private enum Kind: CodingKey {
        case null, boolean, integer, unsigned, decimal, double, string, date, uuid, data, object,
            list
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        guard let kind = container.allKeys.first, container.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: container.codingPath,
                    debugDescription: "A value has one key, which says of which type it is."))
        }
        func text<Value>(_ read: (String) -> Value?) throws -> Value {
            let text = try container.decode(String.self, forKey: kind)
            guard let value = read(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: kind, in: container,
                    debugDescription: "\(text) is no \(kind.stringValue).")
            }
            return value
        }
        self =
            switch kind {
            case .null: .datum(.null)
            case .boolean: .datum(.boolean(try container.decode(Bool.self, forKey: kind)))
            case .integer: .datum(.integer(try container.decode(Int64.self, forKey: kind)))
            case .unsigned: .datum(.unsigned(try container.decode(UInt64.self, forKey: kind)))
            case .decimal: .datum(.decimal(try text { $0 == "NaN" ? .nan : Decimal(string: $0) }))
            case .double: .datum(.double(try text(Double.init)))
            case .string: .datum(.string(try text(\.self)))
            case .date:
                .datum(.date(Date(timeIntervalSinceReferenceDate: try text(Double.init))))
            case .uuid: .datum(.uuid(try text { UUID(uuidString: $0) }))
            case .data: .datum(.data(try text { Data(base64Encoded: $0) }))
            case .object: .object(try container.decode(ObjectID.self, forKey: kind))
            case .list: .list(try container.decode([FormatValue].self, forKey: kind))
            }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        switch self {
        case .datum(.null): try container.encode(true, forKey: .null)
        case .datum(.boolean(let value)): try container.encode(value, forKey: .boolean)
        case .datum(.integer(let value)): try container.encode(value, forKey: .integer)
        case .datum(.unsigned(let value)): try container.encode(value, forKey: .unsigned)
        case .datum(.decimal(let value)): try container.encode("\(value)", forKey: .decimal)
        case .datum(.double(let value)): try container.encode("\(value)", forKey: .double)
        case .datum(.string(let value)): try container.encode(value, forKey: .string)
        case .datum(.date(let value)):
            try container.encode("\(value.timeIntervalSinceReferenceDate)", forKey: .date)
        case .datum(.uuid(let value)): try container.encode(value.uuidString, forKey: .uuid)
        case .datum(.data(let value)):
            try container.encode(value.base64EncodedString(), forKey: .data)
        case .object(let id): try container.encode(id, forKey: .object)
        case .list(let values): try container.encode(values, forKey: .list)
        }
    }
}
