extension QueryPlanner {
    /// Rows among which all that satisfy a condition are, and what is still to be asked of them.
    typealias Source = (plan: QueryPlan, rest: [PlannedCondition])

    /// The smallest set of rows that an index or links can give for a condition.
    mutating func source(_ condition: PlannedCondition, in table: TableNumber) -> Source? {
        switch condition.form {
        case .plain: source(plain: condition, in: table)
        case .target(let join, otherwise: false), .member(let join): links(join, in: table)
        case .all(let conditions): conjunction(conditions, in: table)
        case .any(let conditions): disjunction(conditions, in: table)
        case .not, .target: nil
        }
    }

    private mutating func source(plain planned: PlannedCondition, in table: TableNumber) -> Source?
    {
        let condition = planned.condition
        return switch condition {
        case .constant(false): (node(table, 0, .union([])), [])
        case .comparison(.attribute(let path), .equal, .constant(let value)) where path.count == 1:
            lookup(path[0], [value], planned, in: table) ?? rows(in: planned.range, of: table)
        case .comparison(.attribute, _, _): rows(in: planned.range, of: table)
        case .membership(.attribute(let path), let values) where path.count == 1:
            lookup(path[0], values, planned, in: table)
                ?? ranges(path[0], values, in: table)
        case .comparison(.identity(let path), .equal, .constant(let value)):
            rows(path, [value], in: table)
        case .membership(.identity(let path), let values):
            rows(path, values, in: table)
        case .rows(let set) where set.count <= Self.fewRows:
            rows([], Set(set.rows.map { .integer(graph.number(of: $0, in: table)) }), in: table)
        case .text(.attribute(let path), let test) where path.count == 1:
            test.words.flatMap { words(path[0], $0, planned, in: table) }
                ?? prefixRange(planned, in: table)
        default: nil
        }
    }

    // MARK: - Look-ups

    /// How many rows of a set are looked up one by one, rather than among all rows.
    private static let fewRows = 1_024

    /// The rows of some numbers, or those that lead to them.
    private mutating func rows(
        _ path: [Slot], _ values: Set<Datum>, in table: TableNumber
    ) -> Source? {
        guard choices.contains(.lookups) else { return nil }
        if path.isEmpty {
            return (node(table, values.count, .rows(values, isLinked: false)), [])
        }
        guard choices.contains(.links), path.count == 1, !values.contains(.null),
            graph.layout.tables[table].relationships[path[0]]?.isToOne == true
        else { return nil }
        let targets = node(
            graph.destination(of: path[0], in: table), values.count,
            .rows(values, isLinked: true))
        return (links(path[0], targets, in: table), [])
    }

    private mutating func lookup(
        _ slot: Slot, _ values: Set<Datum>, _ condition: PlannedCondition, in table: TableNumber
    ) -> Source? {
        guard choices.contains(.lookups), values.count <= graph.tables[table].count,
            let index = graph.layout.tables[table].uniqueSlots.firstIndex(of: slot),
            !graph.tables[table].uniqueIndexes[index].hasDuplicates,
            let attribute = graph.layout.tables[table].properties[slot].attribute,
            // No value is not indexed, nor is what reads like a value but was never written.
            !values.contains(attribute.isOptional ? .null : attribute.blank),
            // The index has numbers of the column's kind only, and one of another kind may equal some.
            !graph.mixesNumbers(slot, values, in: table)
        else { return nil }
        return (node(table, values.count, .lookup(slot: slot, values)), [condition])
    }

    // MARK: - Ranges

    private mutating func rows(in range: IndexRange?, of table: TableNumber) -> Source? {
        guard choices.contains(.ranges), let range else { return nil }
        return (node(table, range.positions.count, .range(range)), [])
    }

    /// The range of the texts that begin as a condition demands, and few others.
    private mutating func prefixRange(_ condition: PlannedCondition, in table: TableNumber)
        -> Source?
    {
        guard choices.contains(.ranges),
            let range = graph.prefixRange(condition.condition, in: table)
        else { return nil }
        return (node(table, range.positions.count, .range(range)), [condition])
    }

    /// The ranges of some values of an attribute.
    private mutating func ranges(
        _ slot: Slot, _ values: Set<Datum>, in table: TableNumber
    ) -> Source? {
        guard choices.contains([.ranges, .combinations]), values.count <= 64 else { return nil }
        var parts: [QueryPlan] = []
        for value in values {
            let condition = Condition.comparison(.attribute([slot]), .equal, .constant(value))
            guard let part = rows(in: graph.indexRange(condition, in: table), of: table) else {
                return nil
            }
            parts.append(part.plan)
        }
        return (union(parts, in: table), [])
    }

    // MARK: - Words

    /// The rows that have all words of a pattern, or those of its rarest ones and the rest to be asked.
    private mutating func words(
        _ slot: Slot, _ pattern: WordPattern, _ condition: PlannedCondition, in table: TableNumber
    ) -> Source? {
        guard choices.contains(.ranges),
            let (ranges, isExact) = graph.wordRanges(pattern, slot, in: table),
            let rarest = ranges.first?.positions.count
        else { return nil }
        let used = ranges.prefix { range in
            choices.intersects
                && (choices.contains(.eager) || rarest > 64 && range.positions.count <= rarest * 2)
        }
        let parts = max(1, used.count)
        let rest = isExact && parts == ranges.count ? [] : [condition]
        return (intersection(ranges.prefix(parts), in: table), rest)
    }

    /// The test whether a row is among those that have all words of a pattern.
    mutating func amongWords(
        _ slot: Slot, _ pattern: WordPattern, _ condition: Condition, in table: TableNumber
    ) -> RowTest? {
        guard choices.contains(.ranges),
            let (ranges, isExact) = graph.wordRanges(pattern, slot, in: table)
        else { return nil }
        return .among(intersection(ranges[...], in: table), isExact: isExact, condition)
    }

    private mutating func intersection(_ ranges: ArraySlice<WordRange>, in table: TableNumber)
        -> QueryPlan
    {
        let count = graph.tables[table].count
        let parts = ranges.map { node(table, min($0.positions.count, count), .words($0)) }
        return parts.count == 1
            ? parts[0] : node(table, parts[0].estimate, .intersection(parts))
    }

    // MARK: - Links

    private mutating func links(_ join: RowTest.Join, in table: TableNumber) -> Source? {
        guard choices.contains(.links), !join.condition.isOpaque else { return nil }
        return (links(join.slot, join.plan, in: table), [])
    }

    private mutating func links(_ slot: Slot, _ plan: QueryPlan, in table: TableNumber) -> QueryPlan
    {
        let estimate = Double(plan.estimate) * graph.fan(slot, in: table)
        return node(
            table, min(graph.tables[table].count, Int(estimate.rounded(.up))),
            .links(slot: slot, plan))
    }

    // MARK: - Combinations

    /// The best way to some of the conditions, and others that narrow it down for less than asking.
    private mutating func conjunction(
        _ conditions: [PlannedCondition], in table: TableNumber
    ) -> Source? {
        var sources: [(source: Source, conditions: [Int])] = []
        let ranges =
            choices.contains(.ranges) ? conditions.indexRanges : []
        for (range, members) in ranges {
            sources.append(((node(table, range.positions.count, .range(range)), []), members))
        }
        if let area = area(conditions, in: table) { sources.append(area) }
        if choices.contains(.ranges) {
            for (range, members) in compoundRanges(conditions, in: table) {
                sources.append(((node(table, range.positions.count, .range(range)), []), members))
            }
        }
        // No sets: mostly there are two or three conditions.
        var isInRange = [Bool](repeating: false, count: conditions.count)
        for (_, members) in ranges { for index in members { isInRange[index] = true } }
        for index in conditions.indices where !isInRange[index] {
            if let source = source(conditions[index], in: table) {
                sources.append((source, [index]))
            }
        }
        sources.sort { $0.source.plan.estimate < $1.source.plan.estimate }
        guard let best = sources.first else { return nil }
        let isEager = choices.contains(.eager)
        var (parts, rest) = ([best.source.plan], best.source.rest)
        var isUsed = [Bool](repeating: false, count: conditions.count)
        for index in best.conditions { isUsed[index] = true }
        if choices.intersects, isEager || best.source.plan.estimate > 64 {
            // Asking takes a few times as long as reading what the other index has.
            let worth = best.source.plan.estimate * 2
            for other in sources.dropFirst()
            where other.source.plan.isIndexed && (isEager || other.source.plan.estimate <= worth)
                && !other.conditions.allSatisfy({ isUsed[$0] })
            {
                for index in other.conditions { isUsed[index] = true }
                parts.append(other.source.plan)
                rest += other.source.rest
            }
        }
        rest += conditions.indices.filter { !isUsed[$0] }.map { conditions[$0] }
        guard parts.count > 1 else { return (parts[0], rest) }
        return (node(table, best.source.plan.estimate, .intersection(parts)), rest)
    }

    /// All ways together, if there is one for each condition.
    private mutating func disjunction(
        _ conditions: [PlannedCondition], in table: TableNumber
    ) -> Source? {
        guard choices.contains(.combinations), !conditions.isEmpty else { return nil }
        var parts: [QueryPlan] = []
        for condition in conditions {
            guard let source = source(condition, in: table), !condition.condition.isOpaque else {
                return nil
            }
            parts.append(
                source.rest.isEmpty
                    ? source.plan
                    : node(
                        table, source.plan.estimate,
                        .filter(source.plan, tests(source.rest, in: table))))
        }
        return (union(parts, in: table), [])
    }

    private mutating func union(_ parts: [QueryPlan], in table: TableNumber) -> QueryPlan {
        let sum = parts.reduce(0) { min($0 + $1.estimate, graph.tables[table].count) }
        return parts.count == 1 ? parts[0] : node(table, sum, .union(parts))
    }
}

extension QueryPlan {
    /// Whether the rows come from an index alone.
    fileprivate var isIndexed: Bool {
        switch step {
        case .range, .area, .words, .lookup, .rows: true
        case .intersection(let plans), .union(let plans): plans.allSatisfy(\.isIndexed)
        default: false
        }
    }

    /// Whether words are looked up, which beside a search of all texts is worth it however many rows
    /// have them.
    var findsWords: Bool {
        switch step {
        case .words: true
        case .intersection(let plans), .union(let plans): plans.contains(where: \.findsWords)
        default: false
        }
    }
}
