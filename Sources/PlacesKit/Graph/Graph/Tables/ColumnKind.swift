import Foundation

/// The physical type of a column: one of a closed set, each with code of its own.
enum ColumnKind: BitwiseCopyable, Sendable {
    case boolean, integer, double, decimal, string, uuid, data
    /// Data that lies in files of its own.
    case blob
    /// Rows of a table, the other ends of links.
    case reference

    /// The bytes from one element to the next.
    var stride: Int {
        switch self {
        case .boolean: MemoryLayout<Bool>.stride
        case .integer: MemoryLayout<Int64>.stride
        case .double: MemoryLayout<Double>.stride
        case .decimal: MemoryLayout<Decimal>.stride
        case .string: MemoryLayout<String>.stride
        case .uuid: MemoryLayout<UUID>.stride
        case .data: MemoryLayout<Data>.stride
        case .blob: MemoryLayout<Blob>.stride
        case .reference: MemoryLayout<Row>.stride
        }
    }
}

extension AttributeType {
    /// The physical type of the column that holds such an attribute.
    var columnKind: ColumnKind {
        switch self {
        case .boolean: .boolean
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64: .integer
        case .float, .double, .date: .double
        case .decimal: .decimal
        case .string, .url, .json: .string
        case .uuid: .uuid
        case .data: .data
        }
    }
}

extension AttributeDescription {
    /// The physical type of the attribute's column.
    var columnKind: ColumnKind {
        usesExternalStorage && type == .data ? .blob : type.columnKind
    }
}

extension ColumnKind {
    /// The column that holds elements of a type; `nil` for a type that is none of the closed set,
    /// whatever it says of itself.
    init?(of element: any ColumnElement.Type) {
        switch element {
        case Bool.self: self = .boolean
        case Int64.self: self = .integer
        case Double.self: self = .double
        case Decimal.self: self = .decimal
        case String.self: self = .string
        case UUID.self: self = .uuid
        case Data.self: self = .data
        default: return nil
        }
    }
}

extension AttributeValue {
    /// The column that holds the values; `nil` where none does.
    static var columnKind: ColumnKind? { ColumnKind(of: Stored.self) }
}
