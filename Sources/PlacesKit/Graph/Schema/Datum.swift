public import Foundation
import PlacesBase

/// One attribute value without its Swift type, as in defaults, errors and files.
///
/// The cases are the values that a graph distinguishes. An `Int16` and an `Int` are both
/// `.integer`, a URL is its `.string`, an enum is its raw value, and a `Codable` value is its JSON
/// as a `.string`.
public enum Datum: Sendable, Hashable {
    /// No value.
    case null
    /// A truth value.
    case boolean(Bool)
    /// An integer of any width.
    case integer(Int64)
    /// An integer of a type whose values do not all fit into an `Int64`: `UInt` or `UInt64`.
    case unsigned(UInt64)
    /// A decimal number.
    case decimal(Decimal)
    /// A floating-point number.
    case double(Double)
    /// Text, or the absolute string of a URL.
    case string(String)
    /// An instant.
    case date(Date)
    /// A universally unique identifier.
    case uuid(UUID)
    /// Bytes.
    case data(Data)
}

extension Datum: CustomStringConvertible {
    /// The value as a person would write it.
    public var description: String {
        switch self {
        case .null: "nil"
        case .boolean(let value): String(value)
        case .integer(let value): String(value)
        case .unsigned(let value): String(value)
        case .decimal(let value): value.description
        case .double(let value): String(value)
        case .string(let value): "\"\(value)\""
        case .date(let value):
            value.hasCalendarForm
                ? value.ISO8601Format()
                : "\(value.timeIntervalSinceReferenceDate) seconds since 2001"
        case .uuid(let value): value.uuidString
        case .data(let value): value.count.counted("byte")
        }
    }
}

extension Datum {
    /// The description, with milliseconds where a date lies after the beginning of a second: for errors, in which dates
    /// of one second may stand side by side.
    var exactDescription: String {
        guard case .date(let value) = self, value.hasCalendarForm,
            case let seconds = value.timeIntervalSinceReferenceDate,
            seconds > seconds.rounded(.down)
        else { return description }
        return value.ISO8601Format(.init(includingFractionalSeconds: true))
    }
}

extension Date {
    /// Whether files have it as a day and a time: Foundation writes what is further away, or not a number, as another date.
    fileprivate var hasCalendarForm: Bool {
        // Zero has one name, whatever its sign.
        SnapshotDate(timeIntervalSinceReferenceDate + 0) != nil
    }
}
