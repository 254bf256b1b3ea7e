extension QueryPlan {
    /// The indexes with which the plan would have read far fewer rows, as they are declared.
    func advice(_ run: QueryRun) -> [String] {
        switch step {
        case .everything, .rows, .lookup, .range, .area, .words, .intersection, .union, .links: []
        case .walk(_, _, let otherwise): otherwise?.advice(run) ?? []
        case .nearest(_, _, let otherwise): otherwise.advice(run)
        case .filter(let inner, let tests):
            inner.isScan ? filterAdvice(tests, run) : inner.advice(run)
        case .sort(let inner, let keys, let limit, _):
            sortAdvice(inner, keys, limit, run) ?? inner.advice(run)
        }
    }

    private var isScan: Bool { if case .everything = step { true } else { false } }

    /// Tables with fewer rows are scanned in no time.
    private static var leastRows: Int { 1_000 }

    private func filterAdvice(_ tests: [RowTest], _ run: QueryRun) -> [String] {
        let count = run.graph.tables[table].count
        guard let found = run.trace?[id]?.rows, count >= Self.leastRows, found <= count / 16 else {
            return []
        }
        let (equal, compared) = Self.compared(tests, in: table, of: run.graph.layout)
        let columns = equal + compared.prefix(1)
        guard !columns.isEmpty, !isIndexed(columns, run.graph.layout) else { return [] }
        return [declaration(columns, run.graph.layout)]
    }

    /// The advice for a request of which only the first rows are wanted.
    private func sortAdvice(
        _ inner: QueryPlan, _ keys: [SortKey], _ limit: Int?, _ run: QueryRun
    ) -> [String]? {
        guard let limit, keys.count == 1, keys[0].comparator == nil,
            case .attribute(let path) = keys[0].operand, path.count == 1,
            let sorted = run.trace?[inner.id]?.rows, sorted >= max(Self.leastRows, limit * 16)
        else { return nil }
        var equal: [Slot] = []
        if case .filter(let rows, let tests) = inner.step, rows.isScan {
            equal = Self.compared(tests, in: table, of: run.graph.layout).equal
        }
        let columns = equal.filter { $0 != path[0] } + path
        if isIndexed(columns, run.graph.layout) { return nil }
        return [declaration(columns, run.graph.layout)]
    }

    /// The properties that tests compare with constants: for equality, and otherwise.
    private static func compared(
        _ tests: [RowTest], in table: TableNumber, of layout: GraphLayout
    ) -> (equal: [Slot], compared: [Slot]) {
        var (equal, compared) = ([Slot](), [Slot]())
        for case .condition(let condition) in tests {
            for slot in layout.tables[table].properties.slots {
                guard let (comparison, value) = condition.comparison(of: slot), value != .null,
                    layout.tables[table].properties[slot].attribute?.type != .json
                else { continue }
                switch comparison {
                case .equal: equal.append(slot)
                case .notEqual: break
                case .less, .lessOrEqual, .greater, .greaterOrEqual: compared.append(slot)
                }
            }
        }
        return (equal, compared.filter { !equal.contains($0) })
    }

    /// Whether there is an index of some columns, which the plan had a reason to leave.
    private func isIndexed(_ columns: [Slot], _ layout: GraphLayout) -> Bool {
        layout.tables[table].orderedIndexes.contains { index in
            !index.isPartial && !index.isSpatial && index.columns.map(\.column) == columns
        }
    }

    private func declaration(_ columns: [Slot], _ layout: GraphLayout) -> String {
        let name = layout.tables[table].name
        let paths = columns.map { "\\\(name).\(layout.tables[table].properties[$0].name)" }
        return ".index(\(paths.joined(separator: ", ")))"
    }
}
