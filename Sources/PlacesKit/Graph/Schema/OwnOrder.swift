import Foundation

/// The order of a type of one's own, which need not be that of what its values are stored as.
///
/// No file has it, so the types alone are compared.
struct OwnOrder: Sendable, Hashable {
    let type: ObjectIdentifier
    /// How two values compare; what is no value of the type comes first, and what is
    /// not a number last.
    let compare: @Sendable (Datum, Datum) -> ComparisonResult
    /// How a value compares with others; it is made of its datum only once.
    let comparing: @Sendable (Datum) -> (Datum) -> ComparisonResult

    static func == (left: OwnOrder, right: OwnOrder) -> Bool { left.type == right.type }

    func hash(into hasher: inout Hasher) { hasher.combine(type) }
}
