import Foundation

extension Collection {
    /// Whether the first of two positions or rows comes before the second: as the first element that tells them
    /// apart has it, or else in their own order.
    func precedes<Position: Comparable>(
        _ first: Position, _ second: Position, by compare: (Element) -> ComparisonResult
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
