extension ManagedObjectContext {
    /// The object with an identifier, or `nil` where it was deleted or never was here.
    ///
    /// - Complexity: O(1).
    public func object(with id: ObjectID) -> ManagedObject? {
        guard let table = tables.first(where: { $0.entity.name == id.entity }),
            let row = transaction.row(of: id.number, in: table.number),
            transaction.contains(row, in: table.number),
            transaction.kind(row, in: table.number) == table.entityLayout.kind
        else { return nil }
        return table.object(row)
    }

    /// The object with an identifier.
    ///
    /// - Throws: `ContextError.noSuchObject` where it was deleted or never was here.
    /// - Complexity: O(1).
    public func existingObject(with id: ObjectID) throws(ContextError) -> ManagedObject {
        guard let object = object(with: id) else { throw .noSuchObject(id) }
        return object
    }

    /// The object of a class with an identifier.
    ///
    /// ```swift
    /// let photo = try context.existingObject(Photo.self, with: id)
    /// ```
    /// - Throws: `ContextError.noSuchObject` where it was deleted, never was here or is of another
    ///   class.
    /// - Complexity: O(1).
    public func existingObject<Object: ManagedObject>(
        _ type: Object.Type, with id: ObjectID
    ) throws(ContextError) -> Object {
        guard let object = object(with: id) as? Object else { throw .noSuchObject(id) }
        return object
    }

    /// The objects that somebody holds a reference to, without those that are gone for good.
    ///
    /// Gone is an object whose delete was saved, and an insert that was deleted or rolled back. A
    /// context keeps no object alive: pending changes live in its graph.
    ///
    /// - Complexity: O(n) for the n rows of the entities, which is what it takes to look for them.
    public var registeredObjects: Set<ManagedObject> {
        let saved = saved
        var objects: Set<ManagedObject> = []
        for table in tables {
            for object in table.liveHandles
            where transaction.contains(object.row, in: table.number)
                || saved.contains(object.row, in: table.number)
            {
                objects.insert(object)
            }
        }
        return objects
    }
}
