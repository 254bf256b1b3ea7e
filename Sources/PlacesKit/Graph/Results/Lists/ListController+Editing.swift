extension ListController {
    /// Deletes the row of an object as ``onDelete`` has it, and tells that at once; what is selected and deleted is
    /// selected no more.
    ///
    /// - Returns: Whether the row can be deleted, and was.
    /// - Throws: What `onDelete` throws.
    @discardableResult
    public func delete(_ object: Object) throws -> Bool {
        guard position(of: object) != nil, canDelete(object) else { return false }
        try onDelete(object)
        if selection === object { selection = nil }
        context.processPendingChanges()
        return true
    }

    /// Whether the list stays as it is, whatever happens to the objects.
    ///
    /// What happens meanwhile is told as one change when the list goes on.
    public var isPaused: Bool {
        get { results?.isPaused ?? false }
        set { results?.isPaused = newValue }
    }

    /// Calls a closure whose changes of objects show here and are told to nobody, as when a user has dragged a row
    /// to its new position already.
    ///
    /// - Parameter body: What to do.
    /// - Returns: What it returns.
    /// - Throws: What it throws.
    public func withoutTelling<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let results else { return try body() }
        return try results.withoutTelling(body)
    }
}
