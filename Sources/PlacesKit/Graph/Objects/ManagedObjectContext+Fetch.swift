import Foundation

extension ManagedObjectContext {
    /// Fetches the objects of a request, pending changes included.
    ///
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    /// - Complexity: O(1) if the predicate names the value of a unique attribute; otherwise one
    ///   pass over the columns that the predicate reads, and O(m log k) to order m matches by k.
    public func fetch<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws(ContextError) -> FetchedResults<Object> {
        let table = try table(of: Object.self)
        return FetchedResults(
            rows: try GraphReading(self).rows(of: request), table: table, context: self,
            lifetime: fork.committed.graph.lifetime)
    }

    /// Fetches the first object of a request, or `nil` if there is none.
    ///
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    public func first<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws(ContextError) -> Object? {
        var request = request
        request.limit = min(1, request.limit ?? 1)
        return try fetch(request).first
    }

    /// Fetches all objects of a class, in no particular order.
    ///
    /// - Throws: `ContextError.unknownClass`.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type
    ) throws(ContextError) -> FetchedResults<Object> {
        try fetch(FetchRequest<Object>())
    }

    /// Finds the object whose unique attribute has a value, or `nil` if there is none.
    ///
    /// ```swift
    /// let paris = try context.find(Place.self, \.name, "Paris")
    /// ```
    /// - Throws: `ContextError.notUnique`, or `ContextError.unknownClass`.
    /// - Complexity: O(1).
    @inlinable
    public func find<Object: ManagedObject, Value: AttributeValue>(
        _ type: Object.Type, _ keyPath: KeyPath<Object, Value>, _ value: Value
    ) throws(ContextError) -> Object? {
        try find(type, keyPath, value.datum)
    }

    @usableFromInline
    func find<Object: ManagedObject>(
        _ type: Object.Type, _ keyPath: AnyKeyPath, _ value: Datum
    ) throws(ContextError) -> Object? {
        let (table, slot) = try tables.uniqueLookup(type, keyPath, of: store.model)
        return table._withUnsafeGuaranteedRef { table in
            guard let row = transaction.find(value, slot, in: table.number), table.holds(row)
            else { return nil }
            return unsafeDowncast(table.object(row), to: Object.self)
        }
    }

    /// Finds the object whose unique attribute has a value, or inserts one if there is none.
    ///
    /// An attribute of a superclass is unique among the objects of all its subclasses. If an object
    /// of another subclass has the value, this inserts a second object and the next save is
    /// refused.
    ///
    /// - Throws: `ContextError.notUnique`, or `ContextError.unknownClass`.
    /// - Complexity: O(1).
    @inlinable
    public func findOrInsert<Object: ManagedObject, Value: AttributeValue>(
        _ type: Object.Type, _ keyPath: ReferenceWritableKeyPath<Object, Value>, _ value: Value
    ) throws(ContextError) -> Object {
        try findOrInsert(type, keyPath, value.datum)
    }

    @usableFromInline
    func findOrInsert<Object: ManagedObject>(
        _ type: Object.Type, _ keyPath: AnyKeyPath, _ value: Datum
    ) throws(ContextError) -> Object {
        let (table, slot) = try tables.uniqueLookup(type, keyPath, of: store.model)
        return table._withUnsafeGuaranteedRef { table in
            if let row = transaction.find(value, slot, in: table.number), table.holds(row) {
                return unsafeDowncast(table.object(row), to: Object.self)
            }
            let row = table.insertRow()
            transaction.write(value, row, slot, in: table.number)
            var handle: ManagedObject?
            return unsafeDowncast(table.insert(&handle, row), to: Object.self)
        }
    }

    // MARK: - Compiling

    /// The condition that a predicate stands for.
    func condition<Object: ManagedObject>(
        _ predicate: Predicate<Object>?, in table: ObjectTable
    ) -> Condition {
        GraphReading(self).condition(predicate, of: table.entityLayout)
    }

    /// Asks the object of a row; one that makes a predicate throw does not match.
    func evaluate<Object: ManagedObject>(
        _ predicates: [Predicate<Object>], _ row: Row, in table: ObjectTable
    ) -> Bool {
        guard let object = table.object(row) as? Object else { return false }
        return predicates.allSatisfy { CarefulPredicates.answer($0, for: object) }
    }

    /// The sort keys of some descriptors, or `nil` where one compares more than properties.
    func sortKeys<Object: ManagedObject>(_ descriptors: [SortDescriptor<Object>]) -> [SortKey]? {
        store.model.sortKeys(descriptors)
    }
}

extension ObjectTable {
    /// The slot of the unique attribute that a key path leads to.
    func uniqueSlot(of keyPath: AnyKeyPath) throws(ContextError) -> Slot {
        guard case .property(let path)? = state.store.model.resolve(keyPath), path.count == 1
        else {
            throw .notUnique(entity: entity.name, keyPath: "\(keyPath)")
        }
        guard layout.uniqueSlots.contains(path[0]) else {
            throw .notUnique(entity: entity.name, keyPath: name(of: path[0]))
        }
        return path[0]
    }
}
