import Foundation

/// A type of attributes whose values have the order of what their columns hold.
///
/// An enum may have another order than its raw values, so comparing one, or sorting by one, is left to
/// the type itself.
protocol OrderedAsStored {}

/// Whether the values of a type have the order of what their columns hold.
///
/// The types that mostly occur are told by their metadata: to ask the runtime for a conformance takes ten times
/// as long.
func isOrderedAsStored(_ type: Any.Type) -> Bool {
    type == Date.self || type == String.self || type == Int.self || type == Double.self
        || type == Date?.self || type is any OrderedAsStored.Type
}

extension Bool: OrderedAsStored {}
extension Int: OrderedAsStored {}
extension Int8: OrderedAsStored {}
extension Int16: OrderedAsStored {}
extension Int32: OrderedAsStored {}
extension Int64: OrderedAsStored {}
extension UInt8: OrderedAsStored {}
extension UInt16: OrderedAsStored {}
extension UInt32: OrderedAsStored {}
extension UInt: OrderedAsStored {}
extension UInt64: OrderedAsStored {}
extension Decimal: OrderedAsStored {}
extension Float: OrderedAsStored {}
extension Double: OrderedAsStored {}
extension String: OrderedAsStored {}
extension Date: OrderedAsStored {}
extension UUID: OrderedAsStored {}
extension Optional: OrderedAsStored where Wrapped: OrderedAsStored {}
