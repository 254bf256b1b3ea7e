extension FetchRequest {
    /// Those of some objects that the request asks for, each found by its own row.
    ///
    /// A fetch asks sets of rows, live results ask the rows that changed one by one. Tests compare the two.
    package func matches(
        among objects: [Object], in context: ManagedObjectContext
    ) throws(ContextError) -> [Object] {
        let reading = GraphReading(context)
        let (number, place) = try reading.entity(of: Object.self)
        let condition = try reading.condition(of: self)
        let evaluate = reading.evaluation(of: self, of: number)
        return objects.filter {
            reading.graph.matches(condition, $0.row, in: place.table, opaque: evaluate)
        }
    }
}
