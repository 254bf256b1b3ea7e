import Foundation

extension Collection {
    /// Whether the first of two positions comes before the second: as the first element that tells them
    /// apart has it, or else in their own order.
    func precedes(
        _ first: Int, _ second: Int, by compare: (Element) -> ComparisonResult
    ) -> Bool {
        for element in self {
            switch compare(element) {
            case .orderedAscending: return true
            case .orderedDescending: return false
            case .orderedSame: continue
            }
        }
        return first < second
    }
}
