extension QueryPlan {
    /// The indexes with which the plan would have read far fewer rows.
    func advice(_ run: QueryRun) -> [IndexAdvice] {
        switch step {
        case .everything, .rows, .lookup, .range, .area, .words, .intersection, .union, .links: []
        case .walk(_, _, let otherwise): otherwise?.advice(run) ?? []
        case .nearest(_, _, let otherwise): otherwise.advice(run)
        case .filter(let inner, let tests):
            inner.isScan ? filterAdvice(tests, run) : inner.advice(run)
        case .sort(let inner, let keys, let limit, _):
            sortAdvice(inner, keys, limit, run).map { [$0] } ?? inner.advice(run)
        }
    }

    private var isScan: Bool { if case .everything = step { true } else { false } }

    /// Tables with fewer rows are scanned in no time.
    private static var leastRows: Int { 1_000 }

    private func filterAdvice(_ tests: [RowTest], _ run: QueryRun) -> [IndexAdvice] {
        let (count, layout) = (run.graph.tables[table].count, run.graph.layout)
        guard let found = run.trace?[id]?.rows, count >= Self.leastRows, found <= count / 16 else {
            return []
        }
        let (equal, compared) = Self.compared(tests, in: table, of: layout)
        let point = Self.point(tests, compared, layout.tables[table])
        let advice =
            if equal.isEmpty, let point {
                IndexAdvice(point, isSpatial: true, in: table, of: layout)
            } else {
                IndexAdvice(equal + compared.prefix(1), in: table, of: layout)
            }
        return advice.map { [$0] } ?? []
    }

    /// The advice for a request of which only the first rows are wanted.
    private func sortAdvice(
        _ inner: QueryPlan, _ keys: [SortKey], _ limit: Int?, _ run: QueryRun
    ) -> IndexAdvice? {
        guard let limit, let key = keys.first, key.comparator == nil,
            let sorted = run.trace?[inner.id]?.rows, sorted >= Self.leastRows, sorted / 16 >= limit
        else { return nil }
        if let point = key.operand.point, key.isAscending {
            return IndexAdvice(point, isSpatial: true, in: table, of: run.graph.layout)
        }
        guard keys.count == 1, case .attribute(let path) = key.operand, path.count == 1 else {
            return nil
        }
        var equal: [Slot] = []
        if case .filter(let rows, let tests) = inner.step, rows.isScan {
            equal = Self.compared(tests, in: table, of: run.graph.layout).equal
        }
        return IndexAdvice(
            equal.filter { $0 != path[0] } + path, in: table, of: run.graph.layout)
    }

    /// The properties that tests compare with constants: for equality, and otherwise.
    private static func compared(
        _ tests: [RowTest], in table: TableNumber, of layout: GraphLayout
    ) -> (equal: [Slot], compared: [Slot]) {
        var (equal, compared) = ([Slot](), [Slot]())
        for case .condition(let condition) in tests {
            for slot in layout.tables[table].properties.slots {
                guard let (comparison, value) = condition.comparison(of: slot), value != .null,
                    layout.tables[table].properties[slot].isIndexable
                else { continue }
                switch comparison {
                case .equal: if !equal.contains(slot) { equal.append(slot) }
                case .notEqual: break
                case .less, .lessOrEqual, .greater, .greaterOrEqual: compared.append(slot)
                }
            }
        }
        return (equal, compared.filter { !equal.contains($0) })
    }

    /// The latitude and the longitude of which tests demand that they lie in an area: in a circle, or both between
    /// others.
    private static func point(
        _ tests: [RowTest], _ compared: [Slot], _ layout: TableLayout
    ) -> [Slot]? {
        for case .condition(.comparison(let operand, let comparison, .constant)) in tests
        where comparison == .less || comparison == .lessOrEqual {
            if let point = operand.point { return point }
        }
        for first in compared where layout.properties[first].name.hasSuffix("latitude") {
            let other = layout.properties[first].name.dropLast("latitude".count) + "longitude"
            if let second = compared.first(where: { layout.properties[$0].name == other }) {
                return [first, second]
            }
        }
        return nil
    }
}

extension Operand {
    /// The latitude and the longitude of a row of which this is the distance from somewhere.
    fileprivate var point: [Slot]? {
        guard case .distance(.attribute(let latitude), .attribute(let longitude), _) = self,
            latitude.count == 1, longitude.count == 1
        else { return nil }
        return latitude + longitude
    }
}
