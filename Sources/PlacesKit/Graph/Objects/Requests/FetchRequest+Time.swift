public import Foundation

extension FetchRequest {
    /// Describes a fetch whose predicate depends on the time.
    ///
    /// ```swift
    /// let recent = FetchRequest<Photo> { now in
    ///     let (limit, never) = (now - 48 * 3600, Date.distantPast)
    ///     return #Predicate { ($0.lastViewed ?? never) > limit }
    /// }
    /// ```
    ///
    /// A fetch passes the time of the store's clock to the function. Live results follow the time
    /// by themselves. They also call the function with other times, to find out which values move.
    /// So the function must accept any time and depend on nothing else.
    ///
    /// - Parameters:
    ///   - sortDescriptors: The order of the objects, first descriptor first.
    ///   - limit: How many objects to fetch at most; `nil` for all.
    ///   - offset: How many of the objects to skip.
    ///   - predicate: Makes the predicate for a time.
    public init(
        sortBy sortDescriptors: [SortDescriptor<Object>] = [], limit: Int? = nil, offset: Int = 0,
        timedPredicate predicate: @escaping @Sendable (_ now: Date) -> Predicate<Object>
    ) {
        self.init(sortBy: sortDescriptors, limit: limit, offset: offset)
        timedPredicate = predicate
    }

    /// Whether what the request describes may change with the time alone.
    var isTimed: Bool {
        timedPredicate != nil || format?.root.asksForNow == true
            || compound?.formats.contains { $0.root.asksForNow } == true
    }

    /// The predicates that objects satisfy at a time.
    func predicates(at now: Date) -> [Predicate<Object>] {
        // NB: Without a literal of both and `compactMap`, which took a tenth of a short fetch's time.
        var predicates: [Predicate<Object>] = []
        if let predicate { predicates.append(predicate) }
        if let timedPredicate { predicates.append(timedPredicate(now)) }
        return predicates
    }
}
