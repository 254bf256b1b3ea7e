import Foundation

extension Graph {
    /// What a query means here.
    func compile(
        _ query: RecordQuery, now: Date
    ) throws(PredicateFormatError) -> CompiledRequest {
        do throws(PredicateFormatError) {
            let number = try entity(of: query)
            return CompiledRequest(
                entity: number, table: layout.entities[number].table,
                condition: try condition(of: query, entity: number, now: now),
                keys: try sortKeys(of: query, entity: number), window: query.window)
        } catch {
            throw error.inQuery
        }
    }

    private func entity(of query: RecordQuery) throws(PredicateFormatError) -> Int {
        guard let number = schema.number(named: query.entity) else {
            throw PredicateFormatError(
                format: query.text, column: query.parts.entityColumn,
                problem: .unknownEntity(
                    query.entity,
                    nearest: query.entity.nearest(among: schema.entities.map(\.name))))
        }
        return number
    }

    private func condition(
        of query: RecordQuery, entity: Int, now: Date
    ) throws(PredicateFormatError) -> Condition {
        let objects = Condition.objects(of: layout.entities[entity])
        guard let root = query.parts.predicate else { return objects }
        let format = PredicateFormat(format: query.text, root: root)
        return .every([
            objects, try FormatCompiler.compile(format, of: entity, in: self, now: now),
        ])
    }

    private func sortKeys(
        of query: RecordQuery, entity: Int
    ) throws(PredicateFormatError) -> [SortKey] {
        var keys: [SortKey] = []
        for (path, isAscending, hasGreatestNil) in query.parts.sorting {
            let operand = try FormatCompiler.operand(
                path, written: query.text, of: entity, in: self)
            guard operand.type.isOrdered else {
                throw PredicateFormatError(
                    format: query.text, column: path.column,
                    problem: .unexpected(
                        found: operand.type.name,
                        expected: "a number, text, a date or another value that has an order"))
            }
            keys.append(
                SortKey(
                    operand: operand.operand, isAscending: isAscending,
                    hasGreatestNil: hasGreatestNil))
        }
        return keys
    }

    /// The rows that a query describes, in its order; `compiled` is what it means here.
    func rows(
        of query: RecordQuery, _ compiled: CompiledRequest
    ) throws(PredicateFormatError) -> ContiguousArray<Row> {
        var planner = QueryPlanner(self)
        var run = QueryRun(self)
        let plan = compiled.plan(&planner)
        return try rows(of: query, compiled, plan, &run)
    }

    private func rows(
        of query: RecordQuery, _ compiled: CompiledRequest, _ plan: QueryPlan,
        _ run: inout QueryRun
    ) throws(PredicateFormatError) -> ContiguousArray<Row> {
        // Nothing that a query says is asked of objects.
        let (rows, exhausting) = PatternBudget.spending { run.rows(plan) { _ in false } }
        if let exhausting {
            throw PredicateFormatError(
                format: query.text, column: 1, problem: .patternTooCostly(exhausting)
            ).inQuery
        }
        let window = compiled.window.clamped(to: rows.indices)
        return window == rows.indices ? rows : ContiguousArray(rows[window])
    }

    /// Runs a query, and tells how.
    func explain(
        _ query: RecordQuery, now: Date
    ) throws(PredicateFormatError) -> QueryExplanation {
        let start = ContinuousClock.now
        let compiled = try compile(query, now: now)
        var planner = QueryPlanner(self)
        let plan = compiled.plan(&planner)
        var run = QueryRun(self, isTraced: true)
        let planned = ContinuousClock.now
        let rows = try rows(of: query, compiled, plan, &run)
        let end = ContinuousClock.now
        var explanation = QueryExplanation(plan, run, compiled.condition)
        explanation.rows = rows.count
        explanation.preparation = planned - start
        explanation.duration = end - planned
        return explanation
    }
}
