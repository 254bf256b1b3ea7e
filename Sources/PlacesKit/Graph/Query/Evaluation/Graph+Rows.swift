extension Graph {
    /// The rows that satisfy a condition, in ascending order.
    func fetchRows(
        _ condition: Condition, in table: TableNumber, opaque: (Row) -> Bool
    ) -> ContiguousArray<Row> {
        var planner = QueryPlanner(self)
        var run = QueryRun(self)
        return run.rows(planner.plan(condition, in: table), opaque: opaque)
    }

    /// How many rows satisfy a condition.
    func countRows(_ condition: Condition, in table: TableNumber, opaque: (Row) -> Bool) -> Int {
        var planner = QueryPlanner(self)
        var run = QueryRun(self)
        return run.count(planner.plan(condition, in: table), opaque: opaque)
    }
}
