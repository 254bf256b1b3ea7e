import Foundation

extension Equatable {
    /// Whether a value is NaN, which does not equal itself unless it is a `Decimal`.
    @inline(__always)
    var isNotANumber: Bool {
        Self.self == Decimal.self ? (self as? Decimal)?.isNaN ?? false : self != self
    }
}
