import Foundation

extension ManagedObjectContext {
    /// The objects that a request describes, pending changes included.
    ///
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    /// - Complexity: O(1) where the predicate names the value of a unique attribute; else one pass
    ///   over the columns that the predicate reads, and O(m log k) to order m matches by k.
    public func fetch<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws(ContextError) -> FetchedResults<Object> {
        let table = try table(of: Object.self)
        let window = request.window
        var rows: ContiguousArray<Int32>
        if request.limit != nil, let keys = sortKeys(request.sortDescriptors),
            transaction.graph.isWalkable(by: keys, in: table.number, first: window.upperBound),
            let walked = transaction.graph.walkedRows(
                try condition(of: request, in: table), by: keys, in: table.number,
                first: window.upperBound)
        {
            rows = walked
        } else {
            rows = try self.rows(matching: request, in: table)
            rows = sort(rows, by: request.sortDescriptors, in: table, first: window.upperBound)
        }
        return FetchedResults(
            rows: ContiguousArray(rows[window.clamped(to: rows.indices)]), table: table,
            context: self)
    }

    /// All objects of a class, in the order of their insertion.
    ///
    /// - Throws: `ContextError.unknownClass`.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type
    ) throws(ContextError) -> FetchedResults<Object> {
        try fetch(FetchRequest<Object>())
    }

    /// How many objects a request describes, without making their handles.
    ///
    /// - Throws: `ContextError.unknownClass`.
    public func count<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws(ContextError) -> Int {
        let table = try table(of: Object.self)
        let graph = transaction.graph
        let count = graph.countRows(
            try condition(of: request, in: table), in: table.number
        ) {
            evaluate(request.predicate, $0, in: table)
        }
        return request.window.clamped(to: 0..<count).count
    }

    /// How many objects of a class there are.
    ///
    /// - Complexity: O(1); for a class with a superclass in the model one pass over a column.
    /// - Throws: `ContextError.unknownClass`.
    public func count<Object: ManagedObject>(_ type: Object.Type) throws(ContextError) -> Int {
        try count(FetchRequest<Object>())
    }

    /// The object whose unique attribute has a value, or `nil`.
    ///
    /// ```swift
    /// let paris = try context.find(Place.self, \.name, "Paris")
    /// ```
    /// - Throws: `ContextError.notUnique`, or `ContextError.unknownClass`.
    /// - Complexity: O(1).
    public func find<Object: ManagedObject, Value: AttributeValue>(
        _ type: Object.Type, _ keyPath: KeyPath<Object, Value>, _ value: Value
    ) throws(ContextError) -> Object? {
        let (table, slot) = try uniqueLookup(type, keyPath)
        return table._withUnsafeGuaranteedRef { table in
            guard let row = transaction.find(value.datum, slot, in: table.number), table.holds(row)
            else { return nil }
            return unsafeDowncast(table.object(row), to: Object.self)
        }
    }

    /// The object whose unique attribute has a value, inserted if there is none.
    ///
    /// If an object of another subclass has the value, a second one is inserted and the next save
    /// refused: an attribute of a superclass is unique among the objects of all its subclasses.
    ///
    /// - Throws: `ContextError.notUnique`, or `ContextError.unknownClass`.
    /// - Complexity: O(1).
    public func findOrInsert<Object: ManagedObject, Value: AttributeValue>(
        _ type: Object.Type, _ keyPath: ReferenceWritableKeyPath<Object, Value>, _ value: Value
    ) throws(ContextError) -> Object {
        let (table, slot) = try uniqueLookup(type, keyPath)
        return table._withUnsafeGuaranteedRef { table in
            let datum = value.datum
            if let row = transaction.find(datum, slot, in: table.number), table.holds(row) {
                return unsafeDowncast(table.object(row), to: Object.self)
            }
            let row = table.insertRow()
            transaction.write(datum, row, slot, in: table.number)
            var handle: ManagedObject?
            return unsafeDowncast(table.insert(&handle, row), to: Object.self)
        }
    }

    /// The table of a class, and the slot of the unique attribute that a key path leads to.
    private func uniqueLookup<Object: ManagedObject>(
        _ type: Object.Type, _ keyPath: AnyKeyPath
    ) throws(ContextError) -> (table: Unmanaged<ObjectTable>, slot: Int) {
        try uniqueLookups.lookup(keyPath) { () throws(ContextError) in
            let table = try self.table(of: type)
            return (table, try table.uniqueSlot(of: keyPath))
        }
    }

    // MARK: - Compiling

    /// The condition that a predicate stands for.
    func condition<Object: ManagedObject>(
        _ predicate: Predicate<Object>?, in table: ObjectTable
    ) -> Condition {
        let objects = Condition.objects(of: table.place)
        guard let predicate else { return objects }
        let condition = PredicateCompiler.compile(
            predicate, in: table.number, of: transaction.graph, resolver: store.model)
        return .every([objects, condition])
    }

    /// Asks the object of a row; one that makes the predicate throw does not match.
    func evaluate<Object: ManagedObject>(
        _ predicate: Predicate<Object>?, _ row: Int32, in table: ObjectTable
    ) -> Bool {
        guard let predicate, let object = table.object(row) as? Object else { return false }
        return CarefulPredicates.answer(predicate, for: object)
    }

    /// The rows that a request describes, in no particular order and without its window.
    func rows<Object: ManagedObject>(
        matching request: FetchRequest<Object>, in table: ObjectTable
    ) throws(ContextError) -> ContiguousArray<Int32> {
        // A copy, for computed properties that are asked may change the context.
        let graph = transaction.graph
        return graph.fetchRows(try condition(of: request, in: table), in: table.number) {
            evaluate(request.predicate, $0, in: table)
        }
    }

    /// The sort keys of some descriptors, or `nil` where one compares more than properties.
    func sortKeys<Object: ManagedObject>(
        _ descriptors: [SortDescriptor<Object>]
    ) -> [SortKey]? {
        var keys: [SortKey] = []
        for descriptor in descriptors {
            guard let keyPath = descriptor.keyPath,
                let resolved = store.model.resolve(keyPath),
                let key = SortKey(resolved, descriptor)
            else { return nil }
            keys.append(key)
        }
        return keys
    }

    private func sort<Object: ManagedObject>(
        _ rows: ContiguousArray<Int32>, by descriptors: [SortDescriptor<Object>],
        in table: ObjectTable, first limit: Int
    ) -> ContiguousArray<Int32> {
        if let keys = sortKeys(descriptors) {
            return transaction.graph.sorted(
                rows, by: keys, in: table.number, first: Swift.min(limit, rows.count))
        }
        let objects = rows.map { unsafeDowncast(table.object($0), to: Object.self) }
        return ContiguousArray(objects.sorted(using: descriptors).map(\.row))
    }
}

extension SortKey {
    /// The key of a descriptor over a property.
    fileprivate init?<Object>(_ resolved: ResolvedKeyPath, _ descriptor: SortDescriptor<Object>) {
        guard let keyPath = descriptor.keyPath,
            type(of: keyPath).valueType is any OrderedAsStored.Type
        else { return nil }
        switch resolved {
        case .property(let path): operand = .attribute(path)
        case .count(let path): operand = .count(path)
        case .identity: return nil
        }
        isAscending = descriptor.order == .forward
        comparator = descriptor.stringComparator
    }
}

extension ObjectModel: KeyPathResolver {}

extension ObjectTable {
    /// The slot of the unique attribute that a key path leads to.
    func uniqueSlot(of keyPath: AnyKeyPath) throws(ContextError) -> Int {
        guard case .property(let path)? = context.store.model.resolve(keyPath), path.count == 1
        else {
            throw .notUnique(entity: entity.name, keyPath: "\(keyPath)")
        }
        guard layout.uniqueSlots.contains(path[0]) else {
            throw .notUnique(entity: entity.name, keyPath: name(of: path[0]))
        }
        return path[0]
    }
}
