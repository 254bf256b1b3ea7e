import Foundation

extension ManagedObject {
    /// What a person reads of a property; `nil` for no value.
    func text(at key: AnyKeyPath) -> String? {
        self[keyPath: key].flatMap(Self.text)
    }

    private static func text(of value: Any) -> String? {
        switch value {
        case let text as String: text
        case let optional as any OptionalValue: optional.wrappedValue.flatMap(text)
        case let date as Date: date.formatted()
        case let number as any BinaryInteger: number.formatted()
        case let number as any BinaryFloatingPoint: number.formatted()
        case let number as Decimal: number.formatted()
        default: String(carefullyDescribing: value)
        }
    }
}
