import Foundation

extension JSONReader {
    /// Reads the value of an attribute, which must be one that the attribute may have.
    mutating func readValue(
        of attribute: AttributeDescription, _ check: ValueCheck? = nil
    ) throws -> Datum {
        if try readNullIfPresent() {
            guard attribute.isOptional else {
                throw failure(.invalidValue(expected: "a value, for the attribute is required"))
            }
            return .null
        }
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
            case .json: .string(try readText())
            case .float, .double: .double(try readDouble())
            case .date: .date(Date(timeIntervalSinceReferenceDate: try readDate()))
            case .string, .url: .string(try readString())
            case .uuid:
                .uuid(
                    try readString(as: "a UUID") { bytes in
                        UUID(uuidString: String(decoding: bytes, as: UTF8.self))
                    })
            case .data:
                .data(
                    try readString(as: "Base64") { bytes in
                        Data(base64Encoded: String(decoding: bytes, as: UTF8.self))
                    })
            }
        if let allowed = attribute.allowedValues, !allowed.contains(value) {
            let list = allowed.map(\.description).joined(separator: ", ")
            throw failure(.invalidValue(expected: "one of \(list)"))
        }
        guard let check else { return value }
        guard let canonical = check.canonical(value) else {
            throw failure(
                .invalidValue(expected: "a value of \(check.typeName)"), at: start)
        }
        return canonical
    }

    /// Reads a value of any kind as the text that it is.
    private mutating func readText() throws -> String {
        _ = try peekKind()
        let start = offset
        try skipValue()
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func readInteger(of type: AttributeType) throws -> Int64 {
        let value = try readInt64()
        guard type.integerRange?.contains(value) ?? true else {
            throw failure(.numberOutOfRange(type: type.rawValue))
        }
        return value
    }

    /// Reads an instant in seconds since 2001.
    mutating func readDate() throws -> Double {
        guard try peekKind() == .string else { return try readDouble() }
        return try readString(as: "an instant such as 2026-11-21T09:41:00Z") { bytes in
            SnapshotDate.seconds(of: bytes)
                ?? JSONNonFinite.allCases.first { bytes.elementsEqual($0.rawValue.utf8) }?.value
        }
    }
}
