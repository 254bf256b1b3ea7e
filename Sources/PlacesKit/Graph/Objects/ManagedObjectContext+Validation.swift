extension ManagedObjectContext {
    /// Checks all pending changes as a save would, without saving.
    ///
    /// - Throws: `ContextError.invalid` with every rule that the changes break.
    /// - Complexity: O(k) for k changed objects.
    public func validate() throws(ContextError) {
        guard !isHeld else { throw refusal }
        if let changes = unsavedChanges { try validate(changes) }
    }

    /// Checks what a save of some changes would commit.
    ///
    /// - Throws: `ContextError.invalid` with every rule that the changes break.
    /// - Complexity: O(k) for k changed objects.
    func validate(_ changes: ChangeSet) throws(ContextError) {
        let failures = failures(of: changes, denied: transaction.deniedDeletes(in: changes.after))
        if !failures.isEmpty { throw .invalid(failures) }
    }

    /// The rules that changes break, which lead to what the context shows.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - denied: The objects whose relationships forbid that others are deleted.
    /// - Returns: A failure for each rule that is broken.
    func failures(
        of changes: ChangeSet, denied: [(table: TableNumber, row: Row, slot: Slot)]
    ) -> [ValidationFailure] {
        var validator = ChangeValidator(changes.after)
        for table in state.tables {
            let rows = validator.check(changes, of: table.entityLayout)
            validator.checkReading(changes, of: table)
            validator.failures += refusals(of: rows, in: table)
        }
        for (table, row, slot) in denied {
            validator.fail(row, slot, in: table, .deleteDenied)
        }
        return validator.failures
    }

    /// What the objects of some rows say of themselves.
    private func refusals(
        of rows: ContiguousArray<Row>, in table: ObjectTable
    ) -> [ValidationFailure] {
        let former = hooks.pointee.asking
        guard former != .validate else { return [] }
        // The walk makes handles, and objects that awake must not take back or replace what is checked, either.
        hooks.pointee.asking = .validate
        defer { hooks.pointee.asking = former }
        var failures: [ValidationFailure] = []
        var walk = HandleWalk(
            rows: rows, table: table, context: self,
            during: fork.committed.graph.lifetime)
        while walk.advance() {
            guard let object = walk.current, !object.isDeleted else { continue }
            if let found = refusal(of: object) { failures += found }
        }
        return failures
    }

    /// What an object says of itself; nothing while one is being asked.
    fileprivate func refusals(of object: ManagedObject) -> [ValidationFailure] {
        let former = hooks.pointee.asking
        guard former != .validate else { return [] }
        hooks.pointee.asking = .validate
        defer { hooks.pointee.asking = former }
        return refusal(of: object) ?? []
    }

    /// What an object's `validate` says; `nil` if it has no objection.
    private func refusal(of object: ManagedObject) -> [ValidationFailure]? {
        do {
            try object.validate()
            return nil
        } catch ContextError.invalid(let failures) {
            return failures
        } catch {
            return [
                ValidationFailure(
                    object: object.objectID, property: "", reason: .refused(ThrownError(error)))
            ]
        }
    }
}

extension ManagedObject {
    /// Lists the rules of the model for which a save would refuse the object.
    ///
    /// The list includes the object's own ``validate()``, except when you call this inside
    /// `validate()`. It is empty for a deleted object.
    public final func validationFailures() -> [ValidationFailure] {
        guard let table, let context, !isDeleted else { return [] }
        var validator = ChangeValidator(context.transaction.graph)
        validator.check([row], of: table.entityLayout)
        validator.checkReading(of: table) { _ in [row] }
        if isInserted { validator.checkInserted([row], of: table.entityLayout) }
        validator.checkUniqueness(in: table.number) { $0 == row }
        return validator.failures.filter { $0.object == objectID }
            + context.refusals(of: self)
    }
}
