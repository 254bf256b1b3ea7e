extension GraphStore {
    /// Runs work on a background context of its own, off the caller's actor.
    ///
    /// ```swift
    /// let count = try await store.perform { context in
    ///     for record in records { Photo(context: context).title = record.title }
    ///     try context.save()
    ///     return records.count
    /// }
    /// ```
    ///
    /// - Changes that the work does not save are dropped. Objects must not leave the work; their
    ///   identifiers may.
    /// - Calls run concurrently, each on a fork of the store's graph at the time it begins. If two
    ///   of them change the same objects, the merge policy of the context decides; it is `error` at
    ///   first. If a save meets a conflict, the save throws and so does the call. PlacesKit does
    ///   not try again.
    ///
    /// - Parameter body: The work.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    @concurrent
    public func perform<Result: Sendable>(
        _ body: @Sendable (ManagedObjectContext) async throws -> Result
    ) async throws -> Result {
        try await body(ManagedObjectContext(self, isolation: nil))
    }
}
