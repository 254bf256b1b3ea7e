/// What happened to one object.
public enum ObjectEvent: Sendable, Hashable {
    /// The object is new, or is there again after its deletion was undone.
    case inserted
    /// Some properties changed, which are given by name.
    case updated(Set<String>)
    /// The object is gone.
    case deleted
}

extension ObjectChanges {
    /// Tells what happened to an object; `nil` for nothing.
    ///
    /// - Complexity: O(1) on average, if you ask for many objects; the first two calls take O(n) for n changed objects
    ///   of the object's class.
    public func event(of id: ObjectID) -> ObjectEvent? {
        let changes = changes
        guard let table = changes.after.layout.entity(of: id)?.table,
            changes.tables.tableNumbers.contains(table)
        else { return nil }
        let old = changes.before.row(of: id, in: table)
        let new = changes.after.row(of: id, in: table)
        guard let row = new ?? old else { return nil }
        switch changes.change(of: row, in: table) {
        case .deleted where old != nil: return .deleted
        case .inserted where new != nil: return .inserted
        case .updated(let mask) where new != nil:
            return .updated(names(of: RowUpdate(row: row, changes: mask), in: table))
        default: return nil
        }
    }

    /// The names of the properties that an update changed.
    func names(of update: RowUpdate, in table: TableNumber) -> Set<String> {
        changes.after.changedNames(
            of: update.row, by: update.changes, since: changes.before, in: table)
    }
}

extension ManagedObjectContext {
    /// A sequence of what happens to one object from now on, in order.
    ///
    /// ```swift
    /// for await change in context.changes(of: photo) {
    ///     if change == .deleted { break }
    ///     print(photo.title)
    /// }
    /// ```
    /// - Changes come in batches, as those of all objects do: see ``changes``. If more than 256 batches wait for a
    ///   slow consumer, they are joined.
    /// - The sequence tells of changes by this context and of those that it merges, and goes on after the deletion of
    ///   the object, which may be undone. It ends with the context. It does not keep the object.
    public func changes(
        of object: ManagedObject
    ) -> AsyncCompactMapSequence<ChangeStream<ContextChange>, ObjectEvent> {
        let id = object.objectID
        // What is saved changed before.
        return changes.compactMap { $0.kind == .didSave ? nil : $0.objects.event(of: id) }
    }
}
