extension FetchRequest {
    /// Fetches the objects and describes how it found them.
    ///
    /// The explanation has the plan, the expected and actual rows and the time of each step, and
    /// why parts of the request were not compiled.
    ///
    /// ```swift
    /// print(try request.explain(in: context))
    /// ```
    /// - Throws: What `fetch` throws.
    public func explain(
        in context: ManagedObjectContext
    ) throws(ContextError) -> QueryExplanation {
        let start = ContinuousClock.now
        let reading = GraphReading(context)
        let query = try reading.query(of: self)
        var planner = QueryPlanner(reading.graph)
        let plan = query.plan(&planner)
        var run = QueryRun(reading.graph, isTraced: true)
        let planned = ContinuousClock.now
        let rows = try reading.rows(of: query, self, plan, &run)
        let end = ContinuousClock.now
        var explanation = QueryExplanation(plan, run, query.condition) {
            reading.model.classes[$0].composites
        }
        explanation.rows = rows.count
        explanation.preparation = planned - start
        explanation.duration = end - planned
        if query.keys == nil {
            explanation.notCompiled.append(
                "a sort descriptor compares what is not a property, so all objects are sorted")
        }
        if isTimed {
            let timeline = ConditionTimeline(
                from: reading.now, query.condition, table: query.table, layout: reading.graph.layout
            ) { try? reading.condition(of: self, at: $0) }
            explanation.timing = timeline.words(in: reading.graph)
        }
        return explanation
    }
}
