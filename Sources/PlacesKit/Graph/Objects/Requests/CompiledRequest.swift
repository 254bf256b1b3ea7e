/// What a request compiles to.
struct CompiledRequest {
    /// The number of the entity of the objects.
    let entity: Int
    let table: TableNumber
    let condition: Condition
    /// `nil` where the objects themselves must be sorted.
    var keys: [SortKey]?
    var window: Range<Int>
    /// Where the rows begin that are wanted, if they are a page.
    var page: PageStart?

    /// The plan for the rows up to the end of the window.
    func plan(_ planner: inout QueryPlanner) -> QueryPlan {
        guard let keys else { return planner.plan(condition, in: table) }
        let limit = window.upperBound == .max ? nil : window.upperBound
        return planner.plan(condition, in: table, by: keys, first: limit, page: page)
    }
}
