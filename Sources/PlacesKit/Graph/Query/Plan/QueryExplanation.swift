import PlacesBase

/// What a fetch does, what it was expected to find, and what it found.
///
/// ```swift
/// print(try request.explain(in: context))
/// ```
/// The fetch is really run, and the plan shown is the one that ran. Times of a step include those of
/// the steps under it.
public struct QueryExplanation: Sendable {
    /// A step of the plan, or a condition that one asks.
    public struct Step: Sendable {
        /// How far down the tree the step is: a step needs those below it that are one deeper.
        public var depth: Int
        /// What is done.
        public var text: String
        /// How many rows the planner expected; `nil` for a condition.
        public var estimatedRows: Int?
        /// How many rows the step found; `nil` for a condition, and where the step was not needed.
        public var rows: Int?
        /// How long the step took; `nil` for a condition, and where the step was not needed.
        public var duration: Duration?
        /// What the step decided while it ran.
        public var note: String?
    }

    /// The steps of the plan, each before those that it needs.
    public internal(set) var steps: [Step] = []
    /// Why parts of the predicate or the sort descriptors were not compiled, and objects asked.
    public internal(set) var notCompiled: [String] = []
    /// What of the predicate moves with the time, and how live results follow it.
    public internal(set) var timing: [String] = []
    /// How many objects the fetch found.
    public internal(set) var rows = 0
    /// How long compiling and planning took.
    public internal(set) var preparation: Duration = .zero
    /// How long the plan ran.
    public internal(set) var duration: Duration = .zero
}

extension QueryExplanation {
    /// The steps of a plan and what came of them.
    init(_ plan: QueryPlan, _ run: QueryRun, _ condition: Condition) {
        add(plan, depth: 0, run)
        notCompiled = condition.reasons
    }

    private mutating func add(_ plan: QueryPlan, depth: Int, _ run: QueryRun) {
        let trace = run.trace?[plan.id]
        steps.append(
            Step(
                depth: depth, text: plan.text(in: run.graph), estimatedRows: plan.estimate,
                rows: trace?.rows, duration: trace?.duration, note: trace?.note))
        switch plan.step {
        case .everything, .rows, .lookup, .range, .words: break
        case .intersection(let plans), .union(let plans):
            for plan in plans { add(plan, depth: depth + 1, run) }
        case .links(_, let inner), .sort(let inner, _, _): add(inner, depth: depth + 1, run)
        case .filter(let inner, let tests):
            for test in tests { add(test, plan.table, depth: depth + 1, run) }
            if case .everything = inner.step { break }
            add(inner, depth: depth + 1, run)
        case .walk(_, let tests, let otherwise):
            for test in tests { add(test, plan.table, depth: depth + 1, run) }
            if let otherwise { add(otherwise, depth: depth + 1, run) }
        }
    }

    private mutating func add(_ test: RowTest, _ table: TableNumber, depth: Int, _ run: QueryRun) {
        func line(_ text: String) { steps.append(Step(depth: depth, text: text)) }
        let layout = run.graph.layout
        switch test {
        case .condition(let condition): line("if " + condition.text(in: table, of: layout))
        case .object(let opaque): line("if the object says so: " + opaque.reason)
        case .not(let test):
            line("if not")
            add(test, table, depth: depth + 1, run)
        case .all(let tests):
            line("if all of")
            for test in tests { add(test, table, depth: depth + 1, run) }
        case .any(let tests):
            line("if any of")
            for test in tests { add(test, table, depth: depth + 1, run) }
        case .target(let join, let otherwise):
            let name = layout.tables[table].properties[join.slot].name
            line("if \(name) is \(otherwise ? "nil or " : "")one of")
            add(join.plan, depth: depth + 1, run)
        case .among(let plan, _, let condition):
            line("if " + condition.text(in: table, of: layout))
            add(plan, depth: depth + 1, run)
        case .member(let join):
            line("if \(layout.tables[table].properties[join.slot].name) has one of")
            add(join.plan, depth: depth + 1, run)
        }
    }
}

extension Condition {
    /// Why parts of the condition are asked of objects.
    fileprivate var reasons: [String] {
        switch self {
        case .opaque(let opaque): [opaque.reason]
        case .not(let inner): inner.reasons
        case .all(let inner), .any(let inner): inner.flatMap(\.reasons)
        default: []
        }
    }
}

extension QueryExplanation: CustomStringConvertible {
    /// One line for the whole, and one for each step, indented under what needs it.
    public var description: String {
        var lines = [
            "\(rows.counted("object")) in \(Self.text(duration)), "
                + "prepared in \(Self.text(preparation))"
        ]
        lines += steps.map { step in
            var line = String(repeating: "  ", count: step.depth) + step.text
            if let rows = step.rows, let duration = step.duration {
                line += " → \(rows.counted("row"))"
                if let estimate = step.estimatedRows { line += ", \(estimate) expected" }
                line += ", \(Self.text(duration))"
            } else if let estimate = step.estimatedRows {
                line += " → not run, \(estimate.counted("row")) expected"
            }
            return line + (step.note.map { ", " + $0 } ?? "")
        }
        lines += notCompiled.map { "not compiled: \($0)" }
        lines += timing.map { "time: \($0)" }
        return lines.joined(separator: "\n")
    }

    /// Microseconds, or milliseconds with two digits.
    private static func text(_ duration: Duration) -> String {
        let microseconds = duration / .microseconds(1)
        guard microseconds >= 1_000 else { return "\(Int(microseconds.rounded(.up))) µs" }
        let hundredths = Int((microseconds / 10).rounded())
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) ms"
    }
}
