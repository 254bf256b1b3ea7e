import Foundation

/// How a sort key compares text, where not by its composed bytes.
enum TextComparator: Sendable {
    /// As one of Foundation's comparators does, whatever its direction.
    case standard(String.StandardComparator)
    /// As the Finder does.
    case localizedStandard

    /// How two texts compare, going up.
    func compare(_ left: String, _ right: String) -> ComparisonResult {
        switch self {
        case .standard(let comparator): comparator.compare(left, right)
        case .localizedStandard: left.localizedStandardCompare(right)
        }
    }
}
