import Foundation

extension ManagedObjectContext {
    /// Fetches one page of a request, which goes on where another page ended.
    ///
    /// ```swift
    /// let request = FetchRequest<Photo>(sortBy: [SortDescriptor(\.title)], limit: 50)
    /// var page = try context.page(request)
    /// while let token = page.next {
    ///     page = try context.page(request, after: token)
    /// }
    /// ```
    ///
    /// - The limit of the request is the size of a page; less than one counts as one. The offset
    ///   counts for the first page only.
    /// - No object that stays the same comes twice or is missed, whatever happens to others between
    ///   two pages: also where the last object of a page changes or is deleted, or where the
    ///   document is opened again.
    /// - Objects that are equal under all sort descriptors come in the order of their identifiers'
    ///   numbers: mostly that of insertion.
    /// - In an order by relevance all pages go by how rare the words were for the first one.
    /// - The condition may be another one for each page; the order may not. Of a comparator of your
    ///   own a token knows just the type.
    ///
    /// - Parameters:
    ///   - request: Which objects to fetch, in which order.
    ///   - token: Where the page before ended; `nil` for the first page.
    /// - Returns: The objects, and what leads to the next page.
    /// - Throws: `ContextError.otherPageOrder` for a token of another order or class,
    ///   `ContextError.computedPageOrder` where a sort descriptor compares what is not a property,
    ///   and what a fetch throws.
    /// - Complexity: O(k log n) for k objects where the only sort descriptor is that of an indexed
    ///   attribute, as long as few objects share a value; otherwise as a fetch of the first k.
    public func page<Object: ManagedObject>(
        _ request: FetchRequest<Object>, after token: PageToken? = nil
    ) throws(ContextError) -> FetchedPage<Object> {
        let reading = GraphReading(self)
        var request = request
        request.limit = request.limit.map { max(1, $0) }
        if token != nil { request.offset = 0 }
        // What the order counts over all objects is what it was for the first page.
        var query = try reading.query(of: request, counted: token == nil)
        let (graph, table) = (reading.graph, try table(of: Object.self))
        guard var keys = query.keys else {
            throw .computedPageOrder(entity: table.entity.name)
        }
        let texts = keys.map { $0.text(in: query.table, of: graph.layout) }
        let order =
            table.entity.name + (texts.isEmpty ? "" : " by " + texts.joined(separator: ", "))
        query.page = PageStart()
        if let token {
            let values = token.values.compactMap(\.attribute)
            guard token.order == order, values.count == keys.count,
                values.count == token.values.count,
                let ranked = keys.counting(as: token.statistics ?? [])
            else { throw .otherPageOrder(token: token.order, request: order) }
            keys = ranked
            query.keys = keys
            query.page?.last = PageStart.Last(values: values, number: token.number)
        }
        let size = query.window.count
        // One more, to know whether there is a next page.
        if query.window.upperBound < .max {
            query.window = query.window.lowerBound..<query.window.upperBound + 1
        }
        var planner = QueryPlanner(graph)
        var run = QueryRun(graph)
        var rows = try reading.rows(of: query, request, query.plan(&planner), &run)
        var next: PageToken?
        if rows.count > size {
            rows.removeLast()
            let (last, statistics) = (rows[size - 1], keys.statistics)
            next = PageToken(
                order: order,
                values: keys.map { .datum(graph.value(of: $0.operand, last, in: query.table)) },
                number: graph.objectID(last, in: query.table).number,
                statistics: statistics.isEmpty ? nil : statistics)
        }
        let objects = FetchedResults<Object>(
            rows: rows, table: table, context: self, lifetime: fork.committed.graph.lifetime)
        return FetchedPage(objects: objects, next: next)
    }
}
