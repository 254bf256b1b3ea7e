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
    /// - What the work does not save is dropped. Objects must not leave it; their identifiers may.
    /// - Calls run side by side, each on a fork of what the store has when it begins. The merge policy
    ///   of the context, `error` at first, decides where two change the same; a save that meets a
    ///   conflict throws, and the call with it. Nothing is tried again by itself.
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
