extension ManagedObjectContext {
    /// Checks what a save of some changes would commit.
    ///
    /// - Throws: `ContextError.invalid` with every rule that the changes break.
    /// - Complexity: O(k) for k changed objects.
    func validate(_ changes: ChangeSet) throws(ContextError) {
        var validator = ChangeValidator(changes)
        validator.checkDeletes(transaction.deniedDeletes(in: changes.after))
        if !validator.failures.isEmpty { throw .invalid(validator.failures) }
    }
}
