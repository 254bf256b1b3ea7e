extension ListController {
    /// Deletes the row of an object with ``onDelete``, and reports that at once.
    ///
    /// If the object was selected, the selection becomes `nil`.
    ///
    /// - Returns: Whether the row could be deleted, and was.
    /// - Throws: What `onDelete` throws.
    @discardableResult
    public func delete(_ object: Object) throws -> Bool {
        guard position(of: object) != nil, canDelete(object) else { return false }
        try onDelete(object)
        // Also of one that is deleted, which an undo may bring back.
        if selected === object { selection = nil }
        context.processPendingChanges()
        return true
    }

    /// Whether the list stays as it is while the objects change.
    ///
    /// When you set it to `false`, the list reports everything that happened as one change. A paused list that
    /// gets another request, or its first one, shows the current objects of that and stays paused.
    public var isPaused: Bool {
        get { results?.isPaused ?? isPausedNext }
        set {
            isPausedNext = newValue
            results?.isPaused = newValue
        }
    }

    /// Calls a closure whose changes of objects the list shows but does not report.
    ///
    /// Use it when the user has already dragged a row to its new position.
    ///
    /// - Parameter body: Changes objects of the context.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func withoutTelling<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let results else { return try body() }
        return try results.withoutTelling(body)
    }
}
