public import Foundation

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

    /// Fetches the objects of a class that satisfy a predicate.
    ///
    /// ```swift
    /// let photos = try context.fetch(
    ///     Photo.self, where: #Predicate { $0.isFavorite }, sortBy: [SortDescriptor(\.title)])
    /// ```
    /// Without sort descriptors they come in an order that stays while they live, mostly that in which they
    /// were inserted.
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - predicate: What the objects satisfy; all by default.
    ///   - sortDescriptors: The order of the objects, first descriptor first.
    ///   - limit: How many objects to fetch at most; `nil` for all, and none if it is negative.
    ///   - offset: How many of the objects to skip; none if it is negative.
    /// - Returns: The objects.
    /// - Throws: `ContextError.unknownClass`; `ContextError.notText` if an order by relevance names what is not text.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, where predicate: Predicate<Object>? = nil,
        sortBy sortDescriptors: [SortDescriptor<Object>] = [], limit: Int? = nil, offset: Int = 0
    ) throws(ContextError) -> FetchedResults<Object> {
        try fetch(
            FetchRequest(
                of: type, predicate: predicate, sortBy: sortDescriptors, limit: limit,
                offset: offset))
    }

    /// Fetches the first object of a class that satisfies a predicate, or `nil` if there is none.
    ///
    /// ```swift
    /// let newest = try context.first(
    ///     Photo.self, where: #Predicate { $0.isFavorite },
    ///     sortBy: [SortDescriptor(\.dateUploaded, order: .reverse)])
    /// ```
    /// - Throws: `ContextError.unknownClass`; `ContextError.notText` if an order by relevance names what is not text.
    public func first<Object: ManagedObject>(
        _ type: Object.Type, where predicate: Predicate<Object>? = nil,
        sortBy sortDescriptors: [SortDescriptor<Object>] = []
    ) throws(ContextError) -> Object? {
        try first(FetchRequest(of: type, predicate: predicate, sortBy: sortDescriptors))
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
