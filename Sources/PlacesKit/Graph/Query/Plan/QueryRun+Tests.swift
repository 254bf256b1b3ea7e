extension QueryRun {
    /// The rows of a selection that pass some tests.
    mutating func narrow(
        _ selection: RowSelection, _ tests: [RowTest], in table: TableNumber, opaque: (Row) -> Bool
    ) -> RowSelection {
        switch selection {
        case .set(let set):
            return .set(passing(tests, .table, set, in: table, opaque: opaque))
        case .list(let rows):
            let positions = passing(
                tests, RowDomain(rows: rows), RowSet(positions: rows.count), in: table,
                opaque: opaque)
            var result = ContiguousArray<Row>()
            positions.forEach { result.append(rows[$0.index]) }
            return .list(result)
        }
    }

    /// The candidates that pass all of some tests.
    mutating func passing(
        _ tests: [RowTest], _ domain: RowDomain, _ candidates: RowSet, in table: TableNumber,
        opaque: (Row) -> Bool
    ) -> RowSet {
        var result = candidates
        for test in tests {
            if result.isEmpty { break }
            result = passing(test, domain, result, in: table, opaque: opaque)
        }
        return result
    }

    private mutating func passing(
        _ test: RowTest, _ domain: RowDomain, _ candidates: RowSet, in table: TableNumber,
        opaque: (Row) -> Bool
    ) -> RowSet {
        switch test {
        case .condition(let condition):
            return graph.scan(condition, in: table, domain, candidates, &tally)
                ?? asking(condition, domain, candidates, in: table)
        case .object: return candidates.filter { opaque(domain.row(at: $0)) }
        case .not(let test):
            var result = candidates
            result.subtract(passing(test, domain, candidates, in: table, opaque: opaque))
            return result
        case .all(let tests):
            return passing(tests, domain, candidates, in: table, opaque: opaque)
        case .any(let tests):
            var (result, rest) = (candidates.emptied, candidates)
            for test in tests {
                if rest.isEmpty { break }
                let passing = passing(test, domain, rest, in: table, opaque: opaque)
                result.formUnion(passing)
                rest.subtract(passing)
            }
            return result
        case .target(let join, let otherwise):
            guard isWorthJoining(join, for: candidates) else {
                return asking(join.condition, domain, candidates, in: table)
            }
            let targets = joinedRows(join.plan)
            if domain.rows == nil, !otherwise,
                let members = linked(
                    join.slot, targets, in: table, atMost: candidates.count / 16)
            {
                note("along links", at: join.plan)
                var result = candidates.emptied
                for row in members where candidates.contains(row) { result.insert(row) }
                return result
            }
            return graph.tables[table].columns[join.slot].scan(domain, candidates, nil) {
                (target: Row) in
                !target.isNone ? targets.contains(target) : otherwise
            }
        case .among(let plan, let isExact, let condition):
            // Reading an entry of an index takes a hundredth of what finding words in a text does.
            guard knows(plan) || candidates.count >= plan.scannedRows / 128 else {
                return passing(.condition(condition), domain, candidates, in: table, opaque: opaque)
            }
            let rows = joinedRows(plan)
            var result = candidates
            if domain.rows == nil {
                result.formIntersection(rows)
            } else {
                result = candidates.filter { rows.contains(domain.row(at: $0)) }
            }
            if isExact || result.isEmpty { return result }
            return passing(.condition(condition), domain, result, in: table, opaque: opaque)
        case .member(let join):
            guard isWorthJoining(join, for: candidates) else {
                return asking(join.condition, domain, candidates, in: table)
            }
            let members = joinedRows(join.plan)
            let owners = graph.owners(of: members, join.slot, in: table)
            guard domain.rows != nil else {
                var result = candidates
                result.formIntersection(owners)
                return result
            }
            return candidates.filter { owners.contains(domain.row(at: $0)) }
        }
    }

    /// Whether finding the rows to be joined takes less time than asking for each candidate.
    private func isWorthJoining(_ join: RowTest.Join, for candidates: RowSet) -> Bool {
        if knows(join.plan) { return true }
        let visits = Double(candidates.count) * join.visits
        return visits >= Double(max(join.plan.scannedRows, 8) / 32)
    }

    private func asking(
        _ condition: Condition, _ domain: RowDomain, _ candidates: RowSet, in table: TableNumber
    ) -> RowSet {
        let holds = graph.answers(to: condition, in: table) { _ in false }
        return candidates.filter { holds(domain.row(at: $0)) }
    }
}

extension QueryPlan {
    /// How many rows the plan looks at, as far as is known.
    fileprivate var scannedRows: Int {
        switch step {
        case .everything, .rows, .lookup, .range, .area, .words, .sort, .walk, .nearest: estimate
        case .intersection(let plans), .union(let plans):
            plans.reduce(0) { $0 + $1.scannedRows }
        case .links(_, let plan): estimate + plan.scannedRows
        case .filter(let plan, _): plan.scannedRows
        }
    }
}

extension Graph {
    /// The candidates that satisfy a condition, where a loop over a column can tell; `nil` where it
    /// must be asked of each row.
    func scan(
        _ condition: Condition, in table: TableNumber, _ domain: RowDomain, _ candidates: RowSet,
        _ tally: inout ScanTally
    ) -> RowSet? {
        switch condition {
        case .constant(let answer): answer ? candidates : candidates.emptied
        case .kind(let kinds):
            layout.tables[table].kinds.map { column in
                tables[table].columns[column].scan(domain, candidates, nil) { (kind: Int32) in
                    kinds.contains(kind)
                }
            }
        case .rows(let rows): candidates.filter { rows.contains(domain.row(at: $0)) }
        case .comparison(.attribute(let path), let comparison, .constant(let constant))
        where path.count == 1 && !mixesNumbers(path[0], CollectionOfOne(constant), in: table):
            scan(path[0], comparison, constant, in: table, domain, candidates, &tally)
        case .comparison(.count(let path), let comparison, .constant(.integer(let constant)))
        where path.count == 1:
            scanCounts(path[0], in: table, domain, candidates) { comparison.holds($0, constant) }
        case .comparison(.identity(let path), .equal, .constant(let constant)):
            scanIdentities(path, among: [constant], in: table, domain, candidates)
        case .comparison(.identity(let path), .notEqual, .constant(let constant)):
            scanIdentities(path, among: [constant], in: table, domain, candidates)
                .map { equal in
                    var result = candidates
                    result.subtract(equal)
                    return result
                }
        case .membership(.identity(let path), let values):
            scanIdentities(path, among: values, in: table, domain, candidates)
        case .membership(.attribute(let path), let values) where path.count == 1:
            scan(path[0], among: values, in: table, domain, candidates)
        case .text(.attribute(let path), let test) where path.count == 1:
            scan(path[0], test, in: table, domain, candidates)
        default: nil
        }
    }

    /// Whether any of some constants is a number of another kind than an attribute: those are compared row by row.
    func mixesNumbers(
        _ slot: Slot, _ constants: some Sequence<Datum>, in table: TableNumber
    ) -> Bool {
        guard let attribute = layout.tables[table].properties[slot].attribute,
            case let own = FormatType(attribute), own.isNumber
        else { return false }
        return constants.contains { own != FormatType($0) && $0.number != nil }
    }

    private func scanCounts(
        _ slot: Slot, in table: TableNumber, _ domain: RowDomain, _ candidates: RowSet,
        where isIncluded: (Int64) -> Bool
    ) -> RowSet? {
        switch layout.tables[table].relationships[slot] {
        case .toMany(let list), .manyToMany(let list, _):
            // The count's column holds -1, its unset value, until the first member comes.
            tables[table].columns[list.count].scan(domain, candidates, nil) { (count: Int32) in
                isIncluded(Int64(max(0, count)))
            }
        case .toOne, .oneToOne, nil: nil
        }
    }

    /// The candidates that are, or whose to-one relationship leads to, one of some rows or nowhere.
    private func scanIdentities(
        _ path: [Slot], among values: Set<Datum>, in table: TableNumber, _ domain: RowDomain,
        _ candidates: RowSet
    ) -> RowSet? {
        let end = path.reduce(table) { destination(of: $1, in: $0) }
        var rows: Set<Row> = values.contains(.null) ? [Row.none] : []
        for case .integer(let number) in values {
            if let row = row(of: number, in: end) { rows.insert(row) }
        }
        switch path.count {
        case 0: return candidates.filter { rows.contains(domain.row(at: $0)) }
        case 1:
            let column = tables[table].columns[path[0]]
            if rows.count == 1, let sought = rows.first {
                return column.scan(domain, candidates, nil) { (row: Row) in row == sought }
            }
            return column.scan(domain, candidates, nil) { (row: Row) in rows.contains(row) }
        default: return nil
        }
    }
}
