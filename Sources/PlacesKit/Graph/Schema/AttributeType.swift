/// The declared type of an attribute, as the schema and its files name it.
public enum AttributeType: String, Sendable, Codable, CaseIterable {
    /// `Bool`.
    case boolean
    /// `Int8`.
    case int8
    /// `Int16`.
    case int16
    /// `Int32`.
    case int32
    /// `Int` and `Int64`.
    case int64
    /// `UInt8`.
    case uint8
    /// `UInt16`.
    case uint16
    /// `UInt32`.
    case uint32
    /// `UInt` and `UInt64`.
    case uint64
    /// `Float`.
    case float
    /// `Double`.
    case double
    /// `Decimal`.
    case decimal
    /// `String`.
    case string
    /// `Date`.
    case date
    /// `UUID`.
    case uuid
    /// `URL`.
    case url
    /// `Data`.
    case data
    /// A `Codable` value, kept as JSON.
    case json

    /// The integers that the type can hold, or `nil` when it is not an integer type, or one whose
    /// integers are not all of 64 bits with a sign.
    var integerRange: ClosedRange<Int64>? {
        switch self {
        case .int8: Int64(Int8.min)...Int64(Int8.max)
        case .int16: Int64(Int16.min)...Int64(Int16.max)
        case .int32: Int64(Int32.min)...Int64(Int32.max)
        case .int64: Int64.min...Int64.max
        case .uint8: 0...Int64(UInt8.max)
        case .uint16: 0...Int64(UInt16.max)
        case .uint32: 0...Int64(UInt32.max)
        case .boolean, .uint64, .float, .double, .decimal, .string, .date, .uuid, .url, .data,
            .json:
            nil
        }
    }
}
