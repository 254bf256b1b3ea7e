import Foundation

extension Datum {
    /// The value as a column of the given type holds it; `nil` where it is of another type.
    func element<Element: ColumnElement>(of type: Element.Type) -> Element? {
        switch self {
        case .null: nil
        case .boolean(let value): value as? Element
        case .integer(let value): value as? Element
        case .unsigned(let value): value.ordered as? Element
        case .decimal(let value): value as? Element
        case .double(let value): value as? Element
        case .string(let value): value as? Element
        case .date(let value): value.timeIntervalSinceReferenceDate as? Element
        case .uuid(let value): value as? Element
        case .data(let value): value as? Element ?? Blob.holding(value) as? Element
        }
    }
}

extension UInt64 {
    /// The signed integer that stands for this one in a column: its order is that of the values.
    @inlinable @inline(__always) var ordered: Int64 { Int64(bitPattern: self ^ 1 << 63) }

    /// The integer for which another stands in a column.
    @inlinable @inline(__always) init(ordered: Int64) {
        self = UInt64(bitPattern: ordered) ^ 1 << 63
    }
}
