import Foundation
import PlacesBase

/// Makes a value of another type of an attribute's value, where nothing of it is lost.
struct ValueConversion {
    private let type: AttributeType
    private let allowed: [Datum]?
    private let check: ValueCheck?

    /// Converts into values that an attribute may have.
    init(to attribute: AttributeDescription, _ check: ValueCheck? = nil) {
        type = attribute.type
        allowed = attribute.allowedValues
        self.check = check
    }

    /// The value of the type; `nil` where there is none that is worth the same.
    ///
    /// Text becomes what it spells if that is written as the text is.
    func callAsFunction(_ value: Datum) -> Datum? {
        guard let converted = converted(value) else { return nil }
        if let allowed, !allowed.contains(converted) { return nil }
        guard let check else { return converted }
        return check.canonical(converted)
    }

    private func converted(_ value: Datum) -> Datum? {
        switch type {
        case .boolean: boolean(value)
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32:
            integer(value).flatMap {
                (type.integerRange?.contains($0) ?? true) ? .integer($0) : nil
            }
        case .uint64: unsigned(value).map(Datum.unsigned)
        case .float:
            double(value).flatMap {
                $0.isNaN || Double(Float($0)).bitPattern == $0.bitPattern ? .double($0) : nil
            }
        case .double: double(value).map(Datum.double)
        case .decimal: decimal(value).map(Datum.decimal)
        case .string: text(value).map(Datum.string)
        case .url: url(value)
        case .json: json(value)
        case .date: date(value)
        case .uuid: uuid(value)
        case .data: data(value)
        }
    }

    // MARK: - Numbers

    private func boolean(_ value: Datum) -> Datum? {
        switch value {
        case .boolean: value
        case .string("true"): .boolean(true)
        case .string("false"): .boolean(false)
        case .string: nil
        default:
            switch integer(value) {
            case 0: .boolean(false)
            case 1: .boolean(true)
            default: nil
            }
        }
    }

    private func integer(_ value: Datum) -> Int64? {
        switch value {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): value
        case .unsigned(let value): Int64(exactly: value)
        case .double(let value): Int64(exactly: value).flatMap { value.isNegativeZero ? nil : $0 }
        case .decimal(let value):
            Int64(value.description).flatMap { Decimal($0) == value ? $0 : nil }
        case .string(let text): Int64(text).flatMap { String($0) == text ? $0 : nil }
        case .null, .date, .uuid, .data: nil
        }
    }

    private func unsigned(_ value: Datum) -> UInt64? {
        switch value {
        case .unsigned(let value): value
        case .double(let value): UInt64(exactly: value).flatMap { value.isNegativeZero ? nil : $0 }
        case .decimal(let value):
            UInt64(value.description).flatMap { Decimal($0) == value ? $0 : nil }
        case .string(let text): UInt64(text).flatMap { String($0) == text ? $0 : nil }
        default: integer(value).flatMap { UInt64(exactly: $0) }
        }
    }

    private func double(_ value: Datum) -> Double? {
        switch value {
        case .double(let value): value
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): Double(exactly: value)
        case .unsigned(let value): Double(exactly: value)
        case .decimal(let value):
            value.isNaN
                ? .nan
                : Double(value.description).flatMap {
                    Decimal(string: $0.description) == value ? $0 : nil
                }
        case .string(let text):
            Double(text).flatMap { $0.description == text || spelling($0) == text ? $0 : nil }
                ?? JSONNonFinite(rawValue: text)?.value
        case .null, .date, .uuid, .data: nil
        }
    }

    private func decimal(_ value: Datum) -> Decimal? {
        switch value {
        case .decimal(let value): value
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): Decimal(value)
        case .unsigned(let value): Decimal(value)
        case .double(let value):
            value.isNaN
                ? .nan
                : Decimal(string: value.description).flatMap {
                    Double($0.description)?.bitPattern == value.bitPattern ? $0 : nil
                }
        case .string(let text):
            Decimal(text: text).flatMap { $0.description == text ? $0 : nil }
        case .null, .date, .uuid, .data: nil
        }
    }

    /// A whole number without its point.
    private func spelling(_ value: Double) -> String? {
        Int64(exactly: value).flatMap { value.isNegativeZero ? nil : String($0) }
    }

    // MARK: - Text

    private func text(_ value: Datum) -> String? {
        switch value {
        case .string(let text): text
        case .boolean(let value): String(value)
        case .integer(let value): String(value)
        case .unsigned(let value): String(value)
        case .double(let value):
            value.isFinite ? value.description : JSONNonFinite(value).rawValue
        case .decimal(let value): value.description
        case .date(let value): SnapshotDate(value.timeIntervalSinceReferenceDate)?.text
        case .uuid(let value): value.uuidString
        case .data(let value): String(validating: value, as: UTF8.self)
        case .null: nil
        }
    }

    private func url(_ value: Datum) -> Datum? {
        guard let text = written(value), URL(string: text)?.absoluteString == text else {
            return nil
        }
        return .string(text)
    }

    /// The text that a value is, or whose bytes it is.
    private func written(_ value: Datum) -> String? {
        switch value {
        case .string, .data: text(value)
        default: nil
        }
    }

    private func json(_ value: Datum) -> Datum? {
        guard let text = written(value), text != "null",
            (try? JSONReader.read(Array(text.utf8)) { try $0.skipValue() }) != nil
        else { return nil }
        return .string(text)
    }

    private func date(_ value: Datum) -> Datum? {
        switch value {
        case .date: value
        case .string(let text):
            SnapshotDate.seconds(of: text).flatMap {
                SnapshotDate($0)?.text == text
                    ? .date(Date(timeIntervalSinceReferenceDate: $0)) : nil
            }
        default: nil
        }
    }

    private func uuid(_ value: Datum) -> Datum? {
        switch value {
        case .uuid: value
        case .string(let text):
            // Digits above nine are the same number in either case.
            UUID(uuidString: text).flatMap { $0.uuidString == text.uppercased() ? .uuid($0) : nil }
        default: nil
        }
    }

    private func data(_ value: Datum) -> Datum? {
        switch value {
        case .data: value
        case .string(let text): .data(Data(text.utf8))
        default: nil
        }
    }
}

extension Double {
    /// Whether this is the zero that no integer is.
    fileprivate var isNegativeZero: Bool { self == 0 && sign == .minus }
}
