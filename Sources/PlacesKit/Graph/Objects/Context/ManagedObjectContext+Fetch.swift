import Foundation

extension ManagedObjectContext {
    /// Fetches the objects of a request, pending changes included.
    ///
    /// - Throws: `ContextError.unknownClass`; `ContextError.malformedPredicate` if a format does not
    ///   fit the class; `ContextError.patternTooCostly` if a regular expression of a format takes too
    ///   many steps; `ContextError.notText` if a search, or an order by relevance, names what is not
    ///   text; `ContextError.notAProperty` if ``FetchRequest/reachable`` follows what is not a
    ///   relationship.
    /// - Complexity: O(1) if the predicate names the value of a unique attribute; otherwise one
    ///   pass over the columns that the predicate reads, and O(m log k) to order m matches by k.
    public func fetch<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws(ContextError) -> FetchedResults<Object> {
        let table = try table(of: request.objectClass)
        return FetchedResults(
            rows: try GraphReading(self).rows(of: request), table: table, context: self,
            lifetime: fork.committed.graph.lifetime)
    }

    /// Fetches the first object of a request, or `nil` if there is none.
    ///
    /// - Throws: What `fetch` throws.
    public func first<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws(ContextError) -> Object? {
        var request = request
        request.limit = min(1, request.limit ?? 1)
        return try fetch(request).first
    }

    /// Fetches all objects of a class.
    ///
    /// They come in an order that stays while they live, mostly that in which they were inserted.
    ///
    /// - Throws: `ContextError.unknownClass`.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type
    ) throws(ContextError) -> FetchedResults<Object> {
        try fetch(FetchRequest(of: type))
    }

    // MARK: - Compiling

    /// The condition that a predicate stands for.
    func condition<Object: ManagedObject>(
        _ predicate: Predicate<Object>?, in table: ObjectTable
    ) -> Condition {
        GraphReading(self).condition(predicate, of: table.entityLayout)
    }

    /// Asks the object of a row; one that makes a predicate throw does not match.
    func evaluate<Object: ManagedObject>(
        _ predicates: [CarefulPredicate<Object>], _ row: Row, in table: ObjectTable
    ) -> Bool {
        guard let object = table.object(row) as? Object else { return false }
        return predicates.allSatisfy { $0.answer(for: object) }
    }

    /// The sort keys of some descriptors, or `nil` where one compares more than properties.
    func sortKeys<Object: ManagedObject>(
        _ descriptors: [SortDescriptor<Object>]
    ) throws(ContextError) -> [SortKey]? {
        try store.model.sortKeys(descriptors, in: told)
    }
}
