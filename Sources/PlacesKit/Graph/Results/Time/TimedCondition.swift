import Foundation

/// A condition that is a function of the time, at one time after the other.
///
/// Where it is understood, only the rows between the old and the new position of a moving date are asked
/// again, and the next time at which a row comes or goes is known. Where it is not, every row may change
/// at any time.
struct TimedCondition {
    /// The condition now.
    private(set) var condition: Condition
    /// The time that is now.
    private(set) var now: Date
    private var moment: ConditionTimeline.Moment?
    private var timeline: ConditionTimeline
    /// The stored dates that moving ones are compared with, by the number of the motion.
    private var dates: [StoredDates] = []
    /// What must hold of a row, whatever the time, for it to come or go.
    private var lasting: Condition
    private let table: TableNumber
    private let layout: GraphLayout
    private let compile: (Date) -> Condition?

    /// Follows a condition from a time on.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - table: The table of the rows that are asked.
    ///   - graph: The graph as it is.
    ///   - compile: The condition of a time, `nil` where there is none.
    init(at now: Date, table: TableNumber, graph: Graph, compile: @escaping (Date) -> Condition?) {
        self.now = now
        self.table = table
        self.compile = compile
        layout = graph.layout
        condition = compile(now) ?? .constant(false)
        timeline = ConditionTimeline(
            from: now, condition, table: table, layout: layout, compile: compile)
        moment = timeline.moment(now)
        lasting = .constant(true)
        follow(graph)
    }

    /// Why the condition is not understood, in words.
    var problem: String? { timeline.problem }

    /// Follows changes of the stored dates.
    mutating func update(_ changes: ChangeSet) {
        for index in dates.indices { dates[index].update(changes) }
    }

    /// Goes to another time, and tells which rows may have another answer then.
    mutating func move(to now: Date, in graph: Graph) -> LiveCondition.Touched {
        guard now != self.now else { return .these([]) }
        let earlier = moment
        self.now = now
        guard let later = timeline.moment(now), let earlier else {
            condition = compile(now) ?? .constant(false)
            timeline = ConditionTimeline(
                from: now, condition, table: table, layout: layout, compile: compile)
            moment = timeline.moment(now)
            follow(graph)
            return .unknown
        }
        moment = later
        condition = later.condition
        var touched: Set<Row> = []
        for (motion, dates) in zip(timeline.motions, dates) {
            guard let old = earlier.date(of: motion), let new = later.date(of: motion), old != new
            else { continue }
            for row in dates.rows(from: min(old, new), to: max(old, new), in: graph) {
                touched.formUnion(
                    graph.origins(of: row, along: motion.comparison.station.chain[...]))
            }
        }
        return .these(touched)
    }

    /// The next time at which a row may come or go by itself; `nil` where none does, or nobody knows.
    ///
    /// - Complexity: O(log n) for each moving date, and a look at a few rows.
    func nextChange(in graph: Graph) -> Date? {
        guard let moment else { return nil }
        var next = timeline.horizon
        func note(_ date: Date?, _ motion: ConditionTimeline.Motion, isReached: Bool) {
            guard let date,
                let instant = motion.instant(passing: date, after: now, isReached: isReached)
            else { return }
            next = next.map { min($0, instant) } ?? instant
        }
        for (motion, dates) in zip(timeline.motions, dates) {
            guard let present = moment.date(of: motion) else { continue }
            let isOwn = motion.comparison.station.chain.isEmpty
            func first(from date: Date, isIncluded: Bool) -> Date? {
                dates.first(from: date, isIncluded: isIncluded, in: graph) { row in
                    !isOwn || graph.matches(lasting, row, in: table) { _ in true }
                }
            }
            if motion.comparison.comparison.turnsWhenReached {
                note(first(from: present, isIncluded: false), motion, isReached: true)
            }
            if motion.comparison.comparison.turnsWhenPassed {
                note(first(from: present, isIncluded: true), motion, isReached: false)
            }
        }
        return next
    }

    /// Finds what is needed to follow the moving dates.
    private mutating func follow(_ graph: Graph) {
        lasting = timeline.lasting(condition)
        dates = timeline.motions.map {
            StoredDates(
                of: $0.comparison.slot, in: $0.comparison.station.table,
                reachedBy: $0.comparison.station.chain.last, graph)
        }
    }
}

extension Graph {
    /// The rows from which a chain of relationships leads to a row.
    func origins(of row: Row, along chain: ArraySlice<(table: TableNumber, slot: Slot)>) -> Set<Row>
    {
        chain.reversed().reduce([row]) { reached, link in
            reached.reduce(into: []) { origins, row in
                origins.formUnion(sources(of: row, link.slot, in: link.table))
            }
        }
    }
}
