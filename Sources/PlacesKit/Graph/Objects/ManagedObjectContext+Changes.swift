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
        processPendingChanges()
        guard let changes = unsaved.changes.all else { return [] }
        var objects: Set<ManagedObject> = []
        for table in state.tables where table.isRoot {
            for row in rows(changes.tables[table.number]) { objects.insert(table.object(row)) }
        }
        return objects
    }
}
