import Foundation

/// A type of attributes whose values have the order of what their columns hold.
///
/// An enum may have another order than its raw values, so comparing one, or sorting by one, is left to
/// the type itself.
protocol OrderedAsStored {}

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
