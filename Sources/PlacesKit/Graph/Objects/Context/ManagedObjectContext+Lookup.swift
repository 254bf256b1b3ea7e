extension ManagedObjectContext {
    /// Finds the object with an identifier; `nil` if it was deleted or the context never had it.
    ///
    /// - Complexity: O(1).
    public func object(with id: ObjectID) -> ManagedObject? {
        guard let table = transaction.layout.entityNumber(of: id).map({ state.tables[$0] }),
            let row = transaction.row(of: id.number, in: table.number),
            transaction.contains(row, in: table.number),
            transaction.kind(row, in: table.number) == table.entityLayout.kind
        else { return nil }
        return table.keptObject(row)
    }

    /// Finds the object with an identifier, or throws an error.
    ///
    /// - Throws: `ContextError.noSuchObject` if it was deleted or the context never had it.
    /// - Complexity: O(1).
    public func existingObject(with id: ObjectID) throws(ContextError) -> ManagedObject {
        guard let object = object(with: id) else { throw .noSuchObject(id) }
        return object
    }

    /// Finds the object of a class with an identifier, or throws an error.
    ///
    /// ```swift
    /// let photo = try context.existingObject(Photo.self, with: id)
    /// ```
    /// - Throws: `ContextError.noSuchObject` if it was deleted or the context never had it;
    ///   `ContextError.otherClass` if it is of another class.
    /// - Complexity: O(1).
    public func existingObject<Object: ManagedObject>(
        _ type: Object.Type, with id: ObjectID
    ) throws(ContextError) -> Object {
        guard let object = try existingObject(with: id).inheriting(from: type) else {
            throw .otherClass(id, expected: type.entityName)
        }
        return object
    }

    /// Finds the objects of a class with some identifiers, in their order; objects that were deleted, or
    /// that have another class, are left out.
    ///
    /// - Complexity: O(1) for each identifier.
    public func objects<Object: ManagedObject>(
        _ type: Object.Type, with ids: some Sequence<ObjectID>
    ) -> [Object] {
        ids.compactMap { object(with: $0)?.inheriting(from: type) }
    }

    /// The objects to which you or the context hold a reference.
    ///
    /// This excludes objects whose delete was saved, and inserted objects that were deleted or
    /// rolled back. Pending changes are in the context's graph, whether an object is held or not.
    ///
    /// - Complexity: O(n) for n rows of the entities, since this looks at all of them.
    public var registeredObjects: Set<ManagedObject> {
        let saved = saved
        var objects: Set<ManagedObject> = []
        for table in state.tables {
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

extension ManagedObject {
    /// The object, if it is one of a class, which may be a value.
    fileprivate func inheriting<Object: ManagedObject>(from type: Object.Type) -> Object? {
        guard let object = self as? Object else { return nil }
        return type == Object.self || Prototypes.inherits(Swift.type(of: object), from: type)
            ? object : nil
    }
}
