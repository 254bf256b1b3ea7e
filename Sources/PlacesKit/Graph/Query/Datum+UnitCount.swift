import Foundation

extension Datum {
    /// How long text or data is: in the units of UTF-16, as `NSString` counts, or in bytes.
    var unitCount: Datum {
        switch self {
        case .string(let text): .integer(Int64(text.utf16.count))
        case .data(let data): .integer(Int64(data.count))
        default: .null
        }
    }
}
