public import Foundation

extension ManagedObjectContext {
    /// Inserts an object.
    ///
    /// - Throws: `ContextError.unknownClass`.
    public func insert<Object: ManagedObject>(
        _ type: Object.Type
    ) throws(ContextError) -> Object {
        _ = try table(of: type)
        return type.init(context: self)
    }

    /// Inserts an object for each element, and calls `fill` to set its values.
    ///
    /// ```swift
    /// try context.insert(Photo.self, from: records) { photo, record in
    ///     photo.title = record.title
    /// }
    /// ```
    /// One handle is reused for all objects, unless `fill` keeps it.
    ///
    /// - Returns: The number of objects.
    /// - Throws: `ContextError.unknownClass`.
    @discardableResult
    public func insert<Object: ManagedObject, Elements: Sequence>(
        _ type: Object.Type, from elements: Elements,
        _ fill: (Object, Elements.Element) -> Void
    ) throws(ContextError) -> Int {
        let table = try table(of: type)
        var handle: ManagedObject?
        var count = 0
        for element in elements {
            fill(insert(into: table, &handle, table.insertRow()), element)
            count += 1
        }
        return count
    }

    /// Updates the objects whose unique attribute has an element's key, or inserts them.
    ///
    /// ```swift
    /// try context.upsert(Photo.self, by: \.uniqueID, from: records, key: \.id) { photo, record in
    ///     photo.title = record.title
    /// }
    /// ```
    /// Elements with the same key update the same object, one after the other. An element whose key
    /// is `nil` inserts an object. One handle is reused for all objects, unless `update` keeps it.
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - keyPath: A unique attribute of the class.
    ///   - elements: The values for the objects.
    ///   - key: The value of the unique attribute in an element.
    ///   - update: Sets the values of an object from an element; the object has the key already.
    /// - Returns: How many elements inserted an object, and how many updated one.
    /// - Throws: `ContextError.notUnique`, or `ContextError.unknownClass`.
    /// - Complexity: O(1) for each element.
    @discardableResult
    public func upsert<Object: ManagedObject, Key: AttributeValue, Elements: Sequence>(
        _ type: Object.Type, by keyPath: ReferenceWritableKeyPath<Object, Key>,
        from elements: Elements, key: (Elements.Element) -> Key,
        _ update: (Object, Elements.Element) -> Void
    ) throws(ContextError) -> (inserted: Int, updated: Int) {
        let table = try table(of: type)
        let slot = try table.uniqueSlot(of: keyPath)
        let lookup = UniqueLookup(table, slot)
        var handle: ManagedObject?
        var counts = (inserted: 0, updated: 0)
        for element in elements {
            let datum = lookup.datum(of: key(element))
            if let row = lookup.row(of: datum) {
                update(move(&handle, to: row, in: table), element)
                counts.updated += 1
            } else {
                let row = table.insertRow(with: datum, in: slot)
                update(insert(into: table, &handle, row), element)
                counts.inserted += 1
            }
        }
        return counts
    }

    /// Calls `update` to change every object that satisfies a predicate.
    ///
    /// ```swift
    /// try context.updateAll(Photo.self, where: #Predicate { $0.views > 1_000 }) { photo in
    ///     photo.isFavorite = true
    /// }
    /// ```
    /// One handle is reused for all objects, unless `update` keeps it.
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - predicate: The condition, evaluated before the first object changes; all by default.
    ///   - update: Changes one object.
    /// - Returns: The number of objects.
    /// - Throws: `ContextError.unknownClass`.
    @discardableResult
    public func updateAll<Object: ManagedObject>(
        _ type: Object.Type, where predicate: Predicate<Object>? = nil,
        _ update: (Object) -> Void
    ) throws(ContextError) -> Int {
        try updateAll(FetchRequest(of: type, predicate: predicate), update)
    }

    /// Calls `update` to change every object that satisfies a predicate written as a format string.
    ///
    /// ```swift
    /// try context.updateAll(Photo.self, where: "takenAt.name == %@ AND views > %d", "Paris", 9) {
    ///     $0.isFavorite = true
    /// }
    /// ```
    /// - Returns: The number of objects.
    /// - Throws: `ContextError.malformedPredicate` with the column and what belongs there;
    ///   `ContextError.patternTooCostly`; `ContextError.unknownClass`.
    @discardableResult
    public func updateAll<Object: ManagedObject>(
        _ type: Object.Type, where format: String, _ arguments: Any?...,
        update: (Object) -> Void
    ) throws(ContextError) -> Int {
        try updateAll(FetchRequest(of: type, format, arguments), update)
    }

    /// Calls `update` to change every object of a request, in its order and no more than its limit.
    ///
    /// ```swift
    /// let oldest = FetchRequest<Photo>(sortBy: [SortDescriptor(\.lastViewed)], limit: 100)
    /// try context.updateAll(oldest) { $0.thumbnail = nil }
    /// ```
    /// The objects are found before the first changes. One handle is reused for all, unless `update`
    /// keeps it.
    ///
    /// - Returns: The number of objects.
    /// - Throws: What `fetch` throws.
    @discardableResult
    public func updateAll<Object: ManagedObject>(
        _ request: FetchRequest<Object>, _ update: (Object) -> Void
    ) throws(ContextError) -> Int {
        let objects = try fetch(request)
        updateAll(objects, update)
        return objects.count
    }

    /// Calls `update` to change every object of a fetch that still exists.
    ///
    /// ```swift
    /// let unseen = try context.fetch(request)
    /// context.updateAll(unseen) { $0.lastViewed = .now }
    /// ```
    /// One handle is reused for all objects, unless `update` keeps it. If the objects are those of another
    /// context, nothing changes and the next save throws an error.
    public func updateAll<Object: ManagedObject>(
        _ objects: FetchedResults<Object>, _ update: (Object) -> Void
    ) {
        guard owns(objects) else { return }
        var handle: ManagedObject?
        let table = objects.table
        for row in objects.rows where transaction.contains(row, in: table.number) {
            update(move(&handle, to: row, in: table))
        }
    }

    /// Sets an attribute to a value in every object that satisfies a predicate.
    ///
    /// ```swift
    /// try context.updateAll(
    ///     Photo.self, where: #Predicate { $0.views > 1_000 }, set: \.isFavorite, to: true)
    /// ```
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - predicate: What the objects satisfy; all by default.
    ///   - keyPath: An attribute of the class, or any other writable property.
    ///   - value: The value.
    /// - Returns: The number of objects.
    /// - Throws: `ContextError.unknownClass`.
    @discardableResult
    public func updateAll<Object: ManagedObject, Value>(
        _ type: Object.Type, where predicate: Predicate<Object>? = nil,
        set keyPath: ReferenceWritableKeyPath<Object, Value>, to value: Value
    ) throws(ContextError) -> Int {
        try updateAll(type, where: predicate) { $0[keyPath: keyPath] = value }
    }

    /// Deletes every object that satisfies a predicate, and others as the delete rules say.
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - predicate: What the objects satisfy; all by default.
    /// - Returns: The number of objects that satisfied it.
    /// - Throws: `ContextError.unknownClass`.
    @discardableResult
    public func deleteAll<Object: ManagedObject>(
        _ type: Object.Type, where predicate: Predicate<Object>? = nil
    ) throws(ContextError) -> Int {
        try deleteAll(FetchRequest(of: type, predicate: predicate))
    }

    /// Deletes every object that satisfies a predicate written as a format string, and others as the
    /// delete rules say.
    ///
    /// ```swift
    /// try context.deleteAll(Photo.self, where: "lastViewed < %@ AND isFavorite == NO", start)
    /// ```
    /// - Returns: The number of objects that satisfied it.
    /// - Throws: `ContextError.malformedPredicate` with the column and what belongs there;
    ///   `ContextError.patternTooCostly`; `ContextError.unknownClass`.
    @discardableResult
    public func deleteAll<Object: ManagedObject>(
        _ type: Object.Type, where format: String, _ arguments: Any?...
    ) throws(ContextError) -> Int {
        try deleteAll(FetchRequest(of: type, format, arguments))
    }

    /// Deletes every object of a request, in its order and no more than its limit, and others as the
    /// delete rules say.
    ///
    /// ```swift
    /// try context.deleteAll(
    ///     FetchRequest<Photo>(sortBy: [SortDescriptor(\.dateUploaded)], limit: 100))
    /// ```
    /// - Returns: The number of objects that the request found before the first was deleted.
    /// - Throws: What `fetch` throws.
    @discardableResult
    public func deleteAll<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws(ContextError) -> Int {
        let objects = try fetch(request)
        deleteAll(objects)
        return objects.count
    }

    /// Deletes every object of a fetch, and others as the delete rules say.
    ///
    /// If the objects are those of another context, nothing is deleted and the next save throws an error.
    public func deleteAll<Object: ManagedObject>(_ objects: FetchedResults<Object>) {
        guard owns(objects) else { return }
        for row in objects.rows { delete(row, from: objects.table) }
    }

    /// Whether objects are those of this context; the next save tells of others.
    private func owns<Object: ManagedObject>(_ objects: FetchedResults<Object>) -> Bool {
        if objects.table.state === state { return true }
        if let first = objects.first { note(.noSuchObject(first.objectID)) }
        return false
    }

    // MARK: - Handles

    private func move<Object: ManagedObject>(
        _ handle: inout ManagedObject?, to row: Row, in table: ObjectTable
    ) -> Object {
        table.move(&handle, to: row)
        return unsafeDowncast(handle.unsafelyUnwrapped, to: Object.self)
    }

    private func insert<Object: ManagedObject>(
        into table: ObjectTable, _ handle: inout ManagedObject?, _ row: Row
    ) -> Object {
        unsafeDowncast(table.insert(&handle, row), to: Object.self)
    }
}
