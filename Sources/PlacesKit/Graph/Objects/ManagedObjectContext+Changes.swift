extension ManagedObjectContext {
    /// The objects inserted since the last save.
    public var insertedObjects: Set<ManagedObject> { objects(\.inserted) }

    /// The objects changed since the last save, without the inserted ones.
    public var updatedObjects: Set<ManagedObject> {
        objects { ContiguousArray($0.updated.map(\.row)) }
    }

    /// The objects deleted since the last save.
    public var deletedObjects: Set<ManagedObject> { objects(\.deleted) }

    private func objects(
        _ rows: (TableChanges) -> ContiguousArray<Row>
    ) -> Set<ManagedObject> {
        guard let changes = unsavedChanges else { return [] }
        var objects: Set<ManagedObject> = []
        for table in state.tables where table.isRoot {
            for row in rows(changes.tables[table.number]) { objects.insert(table.object(row)) }
        }
        return objects
    }

    /// All changes since the last save, as they are now; `nil` without any.
    ///
    /// They are not made a batch by that: whoever looks ends no group of undo, and tells nobody.
    var unsavedChanges: ChangeSet? {
        let processed = unsaved.changes.all
        // The closure of a derived attribute is asked in the midst of a change.
        guard !transaction.isComputing, let noted = transaction.notedChanges else {
            return processed
        }
        return processed?.merging(noted) ?? noted
    }
}
