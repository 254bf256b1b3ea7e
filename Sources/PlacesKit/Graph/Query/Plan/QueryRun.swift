/// Runs a plan on a graph, and notes what came of each step if asked to.
struct QueryRun {
    let graph: Graph
    /// What came of each step, by its number; `nil` where nobody asks.
    private(set) var trace: [Int: StepTrace]?
    /// How many chunks the present step had not to look into.
    var tally = ScanTally()
    /// The rows of plans that tests join, found once.
    private var joined: [Int: RowSet] = [:]

    init(_ graph: Graph, isTraced: Bool = false) {
        self.graph = graph
        trace = isTraced ? [:] : nil
    }

    /// The rows that a plan finds: in the plan's order if it has one, else in ascending order.
    ///
    /// `opaque` answers for what was not compiled, and is asked only about rows that no other
    /// condition excludes.
    mutating func rows(_ plan: QueryPlan, opaque: (Row) -> Bool) -> ContiguousArray<Row> {
        traced(plan, count: \.count) { run in
            switch plan.step {
            case .sort(let inner, let keys, let limit, let page):
                let rows = run.rows(inner, opaque: opaque)
                return run.graph.sorted(
                    page?.rows(among: rows) ?? rows, by: keys, in: plan.table, first: limit)
            case .walk(let walk, let tests, let otherwise):
                return run.walk(walk, tests, in: plan.table, opaque: opaque)
                    ?? run.rowsOfOther(otherwise, than: plan, opaque: opaque)
            case .nearest(let nearest, let tests, let otherwise):
                return run.nearest(nearest, tests, in: plan.table, opaque: opaque)
                    ?? run.rowsOfOther(otherwise, than: plan, opaque: opaque)
            default: return run.find(plan, opaque: opaque).rows
            }
        }
    }

    /// How many rows a plan finds.
    mutating func count(_ plan: QueryPlan, opaque: (Row) -> Bool) -> Int {
        switch plan.step {
        case .everything(isLinked: false): graph.tables[plan.table].count
        case .range(let range): range.positions.count
        case .words(let range) where range.isOneWord: range.positions.count
        case .sort, .walk, .nearest: rows(plan, opaque: opaque).count
        default: selection(plan, opaque: opaque).count
        }
    }

    private mutating func rowsOfOther(
        _ plan: QueryPlan?, than walk: QueryPlan, opaque: (Row) -> Bool
    ) -> ContiguousArray<Row> {
        note(walk.surrender, at: walk)
        return plan.map { rows($0, opaque: opaque) } ?? []
    }

    /// The rows that a plan without an order finds.
    mutating func selection(_ plan: QueryPlan, opaque: (Row) -> Bool) -> RowSelection {
        traced(plan, count: \.count) { $0.find(plan, opaque: opaque) }
    }

    private mutating func find(_ plan: QueryPlan, opaque: (Row) -> Bool) -> RowSelection {
        let table = plan.table
        let chunks = graph.tables[table].chunkCount
        switch plan.step {
        case .everything(let isLinked):
            return .set(isLinked ? RowSet(chunks: chunks).inverted : graph.rows(in: table))
        case .rows(let values, let isLinked):
            return RowSelection(
                unordered: rows(values, isLinked: isLinked, in: table), chunks: chunks)
        case .lookup(let slot, let values):
            let rows = values.compactMap { graph.find($0, slot, in: table) }
            return RowSelection(unordered: ContiguousArray(rows), chunks: chunks)
        case .range(let range):
            return graph.tables[table].orderedIndexes[range.index]
                .selection(at: range.positions, chunks: chunks)
        case .area(let area):
            let index = graph.tables[table].orderedIndexes[area.index]
            let rows = area.areOnLines ? area.cover.onLines : area.cover.rows(in: index)
            return RowSelection(unordered: rows, chunks: chunks)
        case .words(let range):
            return graph.tables[table].wordIndexes[range.index]
                .selection(at: range.positions, chunks: chunks)
        case .intersection(let plans):
            var result = selection(plans[0], opaque: opaque)
            for plan in plans.dropFirst() where result.count > 0 {
                result = result.intersection(with: selection(plan, opaque: opaque))
            }
            return result
        case .union(let plans):
            let parts = plans.map { selection($0, opaque: opaque) }
            guard parts.reduce(0, { $0 + $1.count }) > chunks * 2 else {
                return RowSelection(
                    unordered: ContiguousArray(parts.flatMap(\.rows)), chunks: chunks)
            }
            return .set(
                parts.reduce(into: RowSet(chunks: chunks)) { $0.formUnion($1.set(chunks: chunks)) })
        case .links(let slot, let inner): return links(slot, inner, of: plan)
        case .filter(let inner, let tests):
            let outer = tally
            defer { tally = outer }
            let rows = selection(inner, opaque: opaque)
            tally = ScanTally()
            let result = narrow(rows, tests, in: table, opaque: opaque)
            let found = tally
            if found != ScanTally() {
                note("\(found.skipped) chunks skipped, \(found.whole) taken whole", at: plan)
            }
            return result
        case .sort, .walk, .nearest:
            return RowSelection(unordered: rows(plan, opaque: opaque), chunks: chunks)
        }
    }

    private func rows(
        _ values: Set<Datum>, isLinked: Bool, in table: TableNumber
    ) -> ContiguousArray<Row> {
        var rows = ContiguousArray<Row>()
        for case .integer(let number) in values {
            guard let row = graph.row(of: number, in: table),
                isLinked ? graph.tables[table].rows.contains(row) : graph.contains(row, in: table)
            else { continue }
            rows.append(row)
        }
        return rows
    }

    // MARK: - Joins

    /// The rows of the plan that a test joins, as a set.
    mutating func joinedRows(_ plan: QueryPlan) -> RowSet {
        if let rows = joined[plan.id] { return rows }
        let rows = selection(plan) { _ in false }
            .set(chunks: graph.tables[plan.table].chunkCount)
        joined[plan.id] = rows
        return rows
    }

    /// Whether the rows of the plan that a test joins are known already.
    func knows(_ plan: QueryPlan) -> Bool { joined[plan.id] != nil }

    // MARK: - Traces

    private mutating func traced<Result>(
        _ plan: QueryPlan, count: (Result) -> Int, _ body: (inout QueryRun) -> Result
    ) -> Result {
        guard trace != nil else { return body(&self) }
        let start = ContinuousClock.now
        let result = body(&self)
        trace?[plan.id, default: StepTrace()].rows = count(result)
        trace?[plan.id, default: StepTrace()].duration = ContinuousClock.now - start
        return result
    }

    /// Notes what a step decided while it ran.
    mutating func note(_ text: @autoclosure () -> String, at plan: QueryPlan) {
        guard trace != nil else { return }
        trace?[plan.id, default: StepTrace()].note = text()
    }
}

extension OrderedIndex {
    /// The rows at some positions, of a table with so many chunks.
    func selection(at positions: Range<Int>, chunks: Int) -> RowSelection {
        if RowSelection.isSet(positions.count, chunks: chunks) {
            var set = RowSet(chunks: chunks)
            set.words.withUnsafeMutableBufferPointer { words in
                forEachRun(positions) { entries in
                    for entry in entries {
                        words[entry.row.index &>> 6] |= 1 &<< UInt64(entry.row.index & 63)
                    }
                }
            }
            return .set(set)
        }
        return RowSelection(unordered: rows(at: [positions]), chunks: chunks)
    }

    /// The rows at some positions.
    func rows(at ranges: [Range<Int>]) -> ContiguousArray<Row> {
        var rows = ContiguousArray<Row>()
        rows.reserveCapacity(ranges.reduce(0) { $0 + $1.count })
        for range in ranges {
            forEachRun(range) { entries in
                for entry in entries { rows.append(entry.row) }
            }
        }
        return rows
    }
}

/// What came of a step of a plan.
struct StepTrace {
    var rows = 0
    /// How long the step took, with those that it needed.
    var duration: Duration = .zero
    /// What the step decided while it ran.
    var note: String?
}

extension QueryPlan {
    /// What is told where the plan is given up for another.
    fileprivate var surrender: String {
        switch step {
        case .walk(let walk, _, _): "given up after \(walk.budget) entries"
        default: "given up: too few pass, or too few lie anywhere"
        }
    }
}
