import Foundation

extension ConditionTimeline.Motion {
    /// The first instant after `now` at which a stored date, not yet passed by the moving one, is.
    ///
    /// - Parameters:
    ///   - date: The stored date.
    ///   - now: The present.
    ///   - isReached: Whether it is enough that the moving date reaches it.
    /// - Returns: The instant; `nil` where it never comes.
    func instant(passing date: Date, after now: Date, isReached: Bool) -> Date? {
        let value = date.timeIntervalSinceReferenceDate
        let start = now.timeIntervalSinceReferenceDate
        let estimate = value - offset
        guard estimate.isFinite else { return nil }
        func isPassed(_ instant: Double) -> Bool {
            isReached ? instant + offset >= value : instant + offset > value
        }
        // Sums are rounded, so that the instant is a few steps beside the difference.
        let margin = 4 * Swift.max(value.magnitude, offset.magnitude, estimate.magnitude).ulp
        let end = Swift.max(estimate, start) + 2 * margin
        guard end > start, isPassed(end) else { return nil }
        let low = Swift.max(start, estimate - margin)
        let instant =
            low > start && isPassed(low)
            ? Double.first(above: start, upTo: low, where: isPassed)
            : Double.first(above: low, upTo: end, where: isPassed)
        return Date(timeIntervalSinceReferenceDate: instant)
    }
}

extension ComparisonOperator {
    /// Whether the answer changes when a moving date on the right reaches the one on the left.
    var turnsWhenReached: Bool {
        switch self {
        case .greater, .lessOrEqual, .equal, .notEqual: true
        case .less, .greaterOrEqual: false
        }
    }

    /// Whether the answer changes when a moving date on the right leaves the one on the left behind.
    var turnsWhenPassed: Bool {
        switch self {
        case .less, .greaterOrEqual, .equal, .notEqual: true
        case .greater, .lessOrEqual: false
        }
    }
}

extension ConditionTimeline {
    /// What holds of a row for as long as a condition does, whatever the time: those of its parts that say
    /// nothing of it.
    func lasting(_ condition: Condition) -> Condition {
        let moving = Set(motions.map(\.comparison.slot))
        let parts = if case .all(let parts) = condition { parts } else { [condition] }
        return .every(
            parts.filter { part in
                let outline = ConditionOutline(part, table: table, layout: layout)
                return !part.isOpaque
                    && outline.dateComparisons.allSatisfy { !moving.contains($0.slot) }
            })
    }
}
