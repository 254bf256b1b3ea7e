import Foundation

/// One column of a table, of one of the closed set of physical types.
///
/// Every case runs code that the compiler specialised for its element.
enum Column: Sendable {
    case boolean(ChunkedColumn<Bool>)
    case integer(ChunkedColumn<Int64>)
    case double(ChunkedColumn<Double>)
    case string(ChunkedColumn<String>)
    case uuid(ChunkedColumn<UUID>)
    case data(ChunkedColumn<Data>)
    case reference(ChunkedColumn<Int32>)
    /// Stands in while a transaction replaces the column, so that nothing is copied needlessly.
    case vacant

    /// A column for an attribute, whose unwritten rows hold the attribute's default.
    ///
    /// Without a default they hold no value, and read as what the type has for that.
    init(for attribute: AttributeDescription) {
        let hasDefault = attribute.defaultValue != nil
        let initial = attribute.defaultValue ?? attribute.blank
        switch (attribute.type.columnKind, initial) {
        case (.boolean, .boolean(let value)):
            self = .boolean(.init(repeating: value, isValid: hasDefault))
        case (.boolean, _): self = .boolean(.init())
        case (.integer, .integer(let value)):
            self = .integer(.init(repeating: value, isValid: hasDefault))
        case (.integer, _): self = .integer(.init())
        case (.double, .double(let value)):
            self = .double(.init(repeating: value, isValid: hasDefault))
        case (.double, .date(let value)):
            self = .double(
                .init(repeating: value.timeIntervalSinceReferenceDate, isValid: hasDefault))
        case (.double, _): self = .double(.init())
        case (.string, .string(let value)):
            self = .string(.init(repeating: value, isValid: hasDefault))
        case (.string, _): self = .string(.init())
        case (.uuid, .uuid(let value)):
            self = .uuid(.init(repeating: value, isValid: hasDefault))
        case (.uuid, _): self = .uuid(.init())
        case (.data, .data(let value)):
            self = .data(.init(repeating: value, isValid: hasDefault))
        case (.data, _): self = .data(.init())
        case (.reference, _): self = .reference(.init())
        }
    }

    /// The block of the chunk of the given number.
    func block(_ chunk: Int) -> UnsafeMutableRawPointer {
        switch self {
        case .boolean(let column): column.block(chunk)
        case .integer(let column): column.block(chunk)
        case .double(let column): column.block(chunk)
        case .string(let column): column.block(chunk)
        case .uuid(let column): column.block(chunk)
        case .data(let column): column.block(chunk)
        case .reference(let column): column.block(chunk)
        case .vacant: preconditionFailure("a column was read while it was being replaced")
        }
    }

    /// Whether a row holds a value.
    func isValid(at row: Int32) -> Bool {
        block(Int(row) >> ChunkLayout.shift).isValid(at: Int(row) & ChunkLayout.mask)
    }

    /// The block of the chunk of the given number, made writable for the transaction of `token`.
    mutating func writableBlock(_ chunk: Int, token: UInt64) -> UnsafeMutableRawPointer {
        let column = self
        self = .vacant
        switch consume column {
        case .boolean(var column):
            defer { self = .boolean(column) }
            return column.writableBlock(chunk, token: token)
        case .integer(var column):
            defer { self = .integer(column) }
            return column.writableBlock(chunk, token: token)
        case .double(var column):
            defer { self = .double(column) }
            return column.writableBlock(chunk, token: token)
        case .string(var column):
            defer { self = .string(column) }
            return column.writableBlock(chunk, token: token)
        case .uuid(var column):
            defer { self = .uuid(column) }
            return column.writableBlock(chunk, token: token)
        case .data(var column):
            defer { self = .data(column) }
            return column.writableBlock(chunk, token: token)
        case .reference(var column):
            defer { self = .reference(column) }
            return column.writableBlock(chunk, token: token)
        case .vacant: preconditionFailure("a column was written while it was being replaced")
        }
    }

    /// Whether two columns hold the same at a row.
    func isEqual(to other: Column, at row: Int32) -> Bool {
        let row = Int(row)
        return switch (self, other) {
        case (.boolean(let a), .boolean(let b)): a.value(at: row) == b.value(at: row)
        case (.integer(let a), .integer(let b)): a.value(at: row) == b.value(at: row)
        case (.double(let a), .double(let b)):
            a.value(at: row)?.bitPattern == b.value(at: row)?.bitPattern
        case (.string(let a), .string(let b)):
            // Canonically equivalent text in other bytes is a change that a file must keep.
            a.value(at: row) == b.value(at: row)
                && (a.value(at: row) ?? "").utf8.elementsEqual((b.value(at: row) ?? "").utf8)
        case (.uuid(let a), .uuid(let b)): a.value(at: row) == b.value(at: row)
        case (.data(let a), .data(let b)): a.value(at: row) == b.value(at: row)
        case (.reference(let a), .reference(let b)): a.value(at: row) == b.value(at: row)
        default: false
        }
    }
}

/// The physical type of a column.
enum ColumnKind: BitwiseCopyable {
    case boolean, integer, double, string, uuid, data, reference
}

extension Column {
    /// The column's physical type.
    var kind: ColumnKind {
        switch self {
        case .boolean: .boolean
        case .integer: .integer
        case .double: .double
        case .string: .string
        case .uuid: .uuid
        case .data: .data
        case .reference: .reference
        case .vacant: preconditionFailure("a column was read while it was being replaced")
        }
    }
}

extension AttributeDescription {
    /// What the attribute reads as where it is not optional and nobody gave it a value.
    var blank: Datum {
        if let first = allowedValues?.first { return first }
        return switch type {
        case .boolean: .boolean(.unset)
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32: .integer(.unset)
        case .float, .double: .double(.unset)
        case .date: .date(Date(timeIntervalSinceReferenceDate: .unset))
        case .string: .string(.unset)
        case .url: .string(URL(stored: .unset, isValid: false).absoluteString)
        case .uuid: .uuid(.unset)
        case .data: .data(.unset)
        }
    }
}

extension AttributeType {
    /// The physical type of the column that holds such an attribute.
    var columnKind: ColumnKind {
        switch self {
        case .boolean: .boolean
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32: .integer
        case .float, .double, .date: .double
        case .string, .url: .string
        case .uuid: .uuid
        case .data: .data
        }
    }
}
