/// A value of a format string: a literal, or an argument.
enum FormatValue: Sendable, Hashable, Codable {
    case datum(Datum)
    case object(ObjectID)
    case list([FormatValue])
}

/// What has an identity that a predicate can compare.
protocol IdentifiedObject {
    var objectID: ObjectID { get }
}

extension FormatValue {
    /// The value of an argument; `nil` for a type that no attribute has and no list holds.
    init?(_ argument: Any?) {
        switch argument {
        case nil: self = .datum(.null)
        case let value as FormatValue: self = value
        case let object as any IdentifiedObject: self = .object(object.objectID)
        case let id as ObjectID: self = .object(id)
        case let list as [Any?]: self.init(list: list)
        case let set as Set<AnyHashable>: self.init(list: set.map(\.base))
        case let range as any ClosedBounds: self.init(list: range.bounds)
        case let list as any ListedElements: self.init(list: Array(list))
        case let value as any AttributeValue: self = .datum(value.datum.asWritten)
        default: return nil
        }
    }

    /// Whether an argument is a range, which as a value is a list of its bounds.
    static func isRange(_ argument: Any?) -> Bool { argument is any ClosedBounds }

    /// The value of an attribute; `nil` for an object and for a list.
    var attribute: Datum? { if case .datum(let datum) = self { datum } else { nil } }

    private init?(list: [Any?]) {
        var values: [FormatValue] = []
        for element in list {
            guard let value = FormatValue(element) else { return nil }
            values.append(value)
        }
        self = .list(values)
    }
}

extension Datum {
    /// The value as it is read again from a written format, where a number is unsigned only if no signed integer holds it.
    var asWritten: Datum {
        if case .unsigned(let value) = self {
            Int64(exactly: value).map(Datum.integer) ?? self
        } else {
            self
        }
    }
}

/// A collection other than an array or a set that `IN` takes.
protocol ListedElements: Collection {}

extension ArraySlice: ListedElements {}
extension ContiguousArray: ListedElements {}

/// A range whose bounds `BETWEEN` takes.
private protocol ClosedBounds {
    var bounds: [Any] { get }
}

extension ClosedRange: ClosedBounds {
    fileprivate var bounds: [Any] { [lowerBound, upperBound] }
}
