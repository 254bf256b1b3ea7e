extension ManagedObjectContext {
    /// Checks by the rules of the model all that a save would commit, without saving.
    ///
    /// - If a save would let a new object become one that has its unique value, as the constraint or the
    ///   ``mergePolicy`` says, this checks what becomes of both.
    /// - `willSave` is not called, so a value that it fills in counts as missing.
    /// - The check knows what the context shows. A save may still meet what others saved since.
    ///
    /// - Throws: `ContextError.invalid` with every rule that the changes break.
    /// - Complexity: O(k) for k changed objects.
    public func validate() throws(ContextError) {
        guard !isHeld else { throw refusal }
        if let folded = foldedChanges {
            let failures = folded.failures
            if !failures.isEmpty { throw .invalid(failures) }
        } else if let changes = unsavedChanges {
            try validate(changes)
        }
    }

    /// The changes since the last save as a save would fold them; `nil` where it has nothing to fold.
    fileprivate var foldedChanges: FoldedChanges? {
        guard !transaction.isComputing, hasFoldable, let changes = unsavedChanges else {
            return nil
        }
        return FoldedChanges(changes, in: self)
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
    ///   - refusals: Tells what objects say of themselves; by default they are asked in this context.
    /// - Returns: A failure for each rule that is broken.
    func failures(
        of changes: ChangeSet, denied: [(table: TableNumber, row: Row, slot: Slot)],
        refusals: ((ContiguousArray<Row>, ObjectTable) -> [ValidationFailure])? = nil
    ) -> [ValidationFailure] {
        let refusals = refusals ?? self.refusals
        var validator = ChangeValidator(changes.after)
        for table in state.tables {
            let rows = validator.check(changes, of: table.entityLayout)
            validator.checkReading(changes, of: table)
            validator.checkComposites(changes, of: table, in: store.model)
            validator.failures += refusals(rows, table)
        }
        for (table, row, slot) in denied {
            validator.fail(row, slot, in: table, .deleteDenied)
        }
        return validator.failures
    }

    /// What the objects of some rows say of themselves.
    func refusals(
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
    func refusals(of object: ManagedObject) -> [ValidationFailure] {
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
    /// - The list includes the object's own ``validate()``, except when you call this inside
    ///   `validate()`. It is empty for a deleted object.
    /// - If a save would let the object become one that has its unique value, as the constraint or the
    ///   context's merge policy says, the list is what is wrong with that one then.
    /// - `willSave` is not called, so a value that it fills in counts as missing.
    ///
    /// To check many objects, call the context's `validate()` once: it lists the failures of all.
    ///
    /// - Complexity: O(1), but O(k) for k changed objects of the context while new ones have unique values that others
    ///   have.
    public final func validationFailures() -> [ValidationFailure] {
        guard let table, let context, !isDeleted else { return [] }
        if let folded = context.foldedChanges { return folded.failures(of: self, in: table) }
        return ChangeValidator.failures(
            of: row, in: table, of: context.transaction.graph, since: context.saved,
            model: context.store.model)
            + context.refusals(of: self)
    }
}
