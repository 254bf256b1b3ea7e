import Foundation

/// How a condition that is a function of the time moves with it.
///
/// It is compiled for many instants, near and far, which shows what its constants do: those that stay, and
/// dates that move as far as the time does. That holds until the *horizon*, the first instant found at
/// which the condition becomes another one: what was worked out from the time alone may turn, or a date
/// jump, as the beginning of the day does at midnight.
struct ConditionTimeline {
    /// A comparison of stored dates with one that moves with the time.
    struct Motion {
        var comparison: ConditionOutline.DateComparison
        /// What the constant is ahead of the time, in seconds.
        var offset: Double
    }

    /// What the condition is at an instant, as the timeline tells.
    struct Moment {
        var condition: Condition
        var outline: ConditionOutline

        /// The date that a motion compares with.
        func date(of motion: Motion) -> Date? {
            if case .date(let date) = outline.constants[motion.comparison.constant] {
                date
            } else {
                nil
            }
        }
    }

    /// The instant from which the timeline looks ahead.
    let start: Date
    /// The first instant at which the condition becomes another one, if any was found.
    private(set) var horizon: Date?
    /// The comparisons that move with the time.
    private(set) var motions: [Motion] = []
    /// Why the condition cannot be followed through the time, in words.
    private(set) var problem: String?

    /// The outline at the start.
    private let outline: ConditionOutline
    /// For each constant whether it moves.
    private var moves: [Bool] = []
    private let compile: (Date) -> Condition?
    let table: TableNumber
    let layout: GraphLayout

    /// Looks ahead from an instant.
    ///
    /// - Parameters:
    ///   - start: The instant.
    ///   - condition: What the condition is then.
    ///   - table: The table of the rows that are asked.
    ///   - layout: The layout of the graph.
    ///   - compile: Gives the condition of other instants, `nil` where that fails.
    init(
        from start: Date, _ condition: Condition, table: TableNumber, layout: GraphLayout,
        compile: @escaping (Date) -> Condition?
    ) {
        self.start = start
        self.table = table
        self.layout = layout
        self.compile = compile
        outline = ConditionOutline(condition, table: table, layout: layout)
        guard start.timeIntervalSinceReferenceDate.isFinite else {
            problem = "the clock tells no time"
            return
        }
        guard !condition.isOpaque else {
            problem = "what is not compiled is asked of the objects at each change"
            return
        }
        classify()
        if problem == nil { findHorizon() }
    }

    /// The condition of an instant, or `nil` where the timeline does not reach so far.
    func moment(_ instant: Date) -> Moment? {
        guard problem == nil, instant >= start, horizon.map({ instant < $0 }) ?? true else {
            return nil
        }
        return compiled(instant)
    }

    // MARK: - Looking ahead

    /// The condition of an instant, if it differs from that of the start only as the time does.
    private func compiled(_ instant: Date) -> Moment? {
        guard let condition = compile(instant) else { return nil }
        let other = ConditionOutline(condition, table: table, layout: layout)
        guard other.words == outline.words else { return nil }
        for (number, (old, new)) in zip(outline.constants, other.constants).enumerated() {
            let isRight =
                moves[number] ? isShift(from: old, to: new, until: instant) : old.isSame(as: new)
            guard isRight else { return nil }
        }
        return Moment(condition: condition, outline: other)
    }

    /// Whether a constant moved as far as the time did, but for the rounding of dates.
    private func isShift(from old: Datum, to new: Datum, until instant: Date) -> Bool {
        guard case .date(let old) = old, case .date(let new) = new else { return false }
        let seconds = [old, new, start, instant].map(\.timeIntervalSinceReferenceDate)
        let tolerance = 4 * (seconds.map(\.magnitude).max() ?? 0).ulp
        return abs((seconds[1] - seconds[0]) - (seconds[3] - seconds[2])) <= tolerance
    }

    /// Finds out which constants move, from an instant just after the start.
    private mutating func classify() {
        let next = start + Self.steps[0]
        guard let condition = compile(next) else {
            problem = "the predicate has no answer for another instant"
            return
        }
        let other = ConditionOutline(condition, table: table, layout: layout)
        guard other.words == outline.words else {
            problem = "the condition is another one from instant to instant"
            return
        }
        for (old, new) in zip(outline.constants, other.constants) {
            if old.isSame(as: new) {
                moves.append(false)
            } else if isShift(from: old, to: new, until: next) {
                moves.append(true)
            } else {
                problem = "\(old) does not move as the time does"
                return
            }
        }
        for comparison in outline.dateComparisons where moves[comparison.constant] {
            motions.append(Motion(comparison: comparison, offset: offset(of: comparison.constant)))
        }
        let understood = Set(motions.map(\.comparison.constant))
        if let other = moves.indices.first(where: { moves[$0] && !understood.contains($0) }) {
            problem = "\(outline.constants[other]) is not compared with a stored date by itself"
        }
    }

    /// What a constant is ahead of the time: exactly, where the reference date tells.
    private func offset(of constant: Int) -> Double {
        guard case .date(let date) = outline.constants[constant] else { return 0 }
        let rough = date.timeIntervalSince(start)
        let zero = Date(timeIntervalSinceReferenceDate: 0)
        guard let condition = compile(zero) else { return rough }
        let other = ConditionOutline(condition, table: table, layout: layout)
        guard other.words == outline.words,
            isShift(from: outline.constants[constant], to: other.constants[constant], until: zero),
            case .date(let offset) = other.constants[constant]
        else { return rough }
        return offset.timeIntervalSinceReferenceDate
    }

    /// Finds the first instant at which the condition becomes another one, by steps that double, and by the hour.
    ///
    /// A condition that becomes another one some day may do so sooner for a while, between two steps. So nobody
    /// looks further ahead than a day then.
    private mutating func findHorizon() {
        var last = start
        for step in Self.steps {
            let next = start + step
            if compiled(next) != nil {
                last = next
                continue
            }
            let bounds = (last.timeIntervalSinceReferenceDate, next.timeIntervalSinceReferenceDate)
            let horizon = Double.first(above: bounds.0, upTo: bounds.1) { seconds in
                compiled(Date(timeIntervalSinceReferenceDate: seconds)) == nil
            }
            self.horizon = min(
                Date(timeIntervalSinceReferenceDate: horizon), start + Self.day)
            return
        }
    }

    private static let day: Double = 86_400

    /// How far ahead the condition is asked for: from a millisecond to four thousand years.
    private static let steps: [Double] = {
        let doubling = (-10...37).map { Double(sign: .plus, exponent: $0, significand: 0.9) }
        return (doubling + stride(from: 3_600, to: day, by: 3_600)).sorted()
    }()
}

extension Double {
    /// The first number above one that has a property, which `end` has, and all numbers after the first.
    static func first(
        above start: Double, upTo end: Double, where holds: (Double) -> Bool
    ) -> Double {
        var (low, high) = (start, end)
        while case let middle = low + (high - low) / 2, middle > low, middle < high {
            if holds(middle) { high = middle } else { low = middle }
        }
        return high
    }
}
