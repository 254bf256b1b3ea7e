import PlacesBase

/// How a fetch ran: its plan, what the planner expected, and what each step found.
///
/// ```swift
/// print(try request.explain(in: context))
/// ```
/// The fetch really ran, with the plan that is shown. The time of a step includes the steps below
/// it.
public struct QueryExplanation: Sendable {
    /// A step of the plan, or a condition that a step tests.
    public struct Step: Sendable {
        /// The depth of the step in the tree: a step needs the steps below it that are one deeper.
        public var depth: Int
        /// What the step does.
        public var text: String
        /// The number of rows that the planner expected; `nil` for a condition.
        public var estimatedRows: Int?
        /// The number of rows found; `nil` for a condition, or if the step did not run.
        public var rows: Int?
        /// The duration of the step; `nil` for a condition, or if the step did not run.
        public var duration: Duration?
        /// What the step decided while it ran.
        public var note: String?
    }

    /// The steps of the plan; each comes before the steps that it needs.
    public internal(set) var steps: [Step] = []
    /// Why parts of the predicate or the sort descriptors were not compiled but run on objects.
    public internal(set) var notCompiled: [String] = []
    /// Which parts of the predicate change with the time, and how live results follow them.
    public internal(set) var timing: [String] = []
    /// The indexes with which the fetch would have read far fewer rows, as a class declares them in its `constraints`.
    public internal(set) var helpfulIndexes: [String] = []
    /// The number of objects that the fetch found.
    public internal(set) var rows = 0
    /// The duration of compiling and planning.
    public internal(set) var preparation: Duration = .zero
    /// The duration of running the plan.
    public internal(set) var duration: Duration = .zero
}

extension QueryExplanation {
    /// The steps of a plan and what came of them; `composites` tells of the composite attributes of an entity's class,
    /// where it is known.
    init(
        _ plan: QueryPlan, _ run: QueryRun, _ condition: Condition,
        composites: (Int) -> [String: DeclaredComposite] = { _ in [:] }
    ) {
        add(plan, depth: 0, run)
        notCompiled = condition.reasons
        helpfulIndexes = plan.advice(run).map {
            $0.text(in: run.graph.layout, composites($0.entity))
        }
    }

    private mutating func add(_ plan: QueryPlan, depth: Int, _ run: QueryRun) {
        let trace = run.trace?[plan.id]
        steps.append(
            Step(
                depth: depth, text: plan.text(in: run.graph), estimatedRows: plan.estimate,
                rows: trace?.rows, duration: trace?.duration, note: trace?.note))
        switch plan.step {
        case .everything, .rows, .lookup, .range, .area, .words: break
        case .intersection(let plans), .union(let plans):
            for plan in plans { add(plan, depth: depth + 1, run) }
        case .links(_, let inner), .sort(let inner, _, _, _): add(inner, depth: depth + 1, run)
        case .filter(let inner, let tests):
            for test in tests { add(test, plan.table, depth: depth + 1, run) }
            if case .everything = inner.step { break }
            add(inner, depth: depth + 1, run)
        case .walk(_, let tests, let otherwise):
            for test in tests { add(test, plan.table, depth: depth + 1, run) }
            if let otherwise { add(otherwise, depth: depth + 1, run) }
        case .nearest(_, let tests, let otherwise):
            for test in tests { add(test, plan.table, depth: depth + 1, run) }
            add(otherwise, depth: depth + 1, run)
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
    var reasons: [String] {
        switch self {
        case .opaque(let opaque): [opaque.reason]
        case .not(let inner): inner.reasons
        case .all(let inner), .any(let inner): inner.flatMap(\.reasons)
        default: []
        }
    }
}

extension QueryExplanation: CustomStringConvertible {
    /// One line for the fetch, and one for each step, indented below the step that needs it.
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
        lines += helpfulIndexes.map { "would help: \($0)" }
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
