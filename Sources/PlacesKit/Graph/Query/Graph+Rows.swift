extension Graph {
    /// The rows that satisfy a condition, in ascending order.
    func fetchRows(
        _ condition: Condition, in table: Int, opaque: (Int32) -> Bool
    ) -> ContiguousArray<Int32> {
        var planner = QueryPlanner(self)
        var run = QueryRun(self)
        return run.rows(planner.plan(condition, in: table), opaque: opaque)
    }

    /// How many rows satisfy a condition.
    func countRows(_ condition: Condition, in table: Int, opaque: (Int32) -> Bool) -> Int {
        var planner = QueryPlanner(self)
        var run = QueryRun(self)
        return run.count(planner.plan(condition, in: table), opaque: opaque)
    }
}
