import Foundation

/// What rows of one group have in common: equal for zeros of either sign, for canonically equivalent
/// texts, and for all that is not a number.
enum GroupWord: Hashable, Sendable {
    case null
    case bits(UInt64)
    case text(String)
    case other(Datum)
    /// Of several keys.
    case several([GroupWord])
}

extension Datum {
    /// The word of a value.
    var groupWord: GroupWord {
        switch self {
        case .null: .null
        case .boolean, .integer, .unsigned, .double, .date: .bits(orderedBits)
        case .string(let text): .text(text)
        case .decimal, .uuid, .data: .other(self)
        }
    }
}
