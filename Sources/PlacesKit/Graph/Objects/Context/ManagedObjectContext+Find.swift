public import Foundation

/// Objects by the value of a unique attribute.
extension ManagedObjectContext {
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
        let lookup = try uniqueLookup(type, keyPath)
        return lookup.object(of: lookup.datum(of: value)).map {
            unsafeDowncast($0, to: Object.self)
        }
    }

    /// Finds the objects whose unique attribute has one of some values.
    ///
    /// ```swift
    /// for photo in try context.find(Photo.self, \.uniqueID, in: ids) { print(photo.title) }
    /// ```
    /// - Returns: The objects in the order of the values. This leaves out a value that no object has.
    /// - Throws: `ContextError.notUnique`, or `ContextError.unknownClass`.
    /// - Complexity: O(1) for each value.
    @inlinable
    public func find<Object: ManagedObject, Value: AttributeValue, Values: Sequence<Value>>(
        _ type: Object.Type, _ keyPath: KeyPath<Object, Value>, in values: Values
    ) throws(ContextError) -> FetchedResults<Object> {
        let lookup = try uniqueLookup(type, keyPath)
        var rows = lookup.rows(of: lookup.data(of: values))
        rows.removeAll { $0.isNone }
        return results(rows, lookup)
    }

    /// Whether there is an object whose unique attribute has a value.
    ///
    /// - Throws: `ContextError.notUnique`, or `ContextError.unknownClass`.
    /// - Complexity: O(1).
    @inlinable
    public func contains<Object: ManagedObject, Value: AttributeValue>(
        _ type: Object.Type, _ keyPath: KeyPath<Object, Value>, _ value: Value
    ) throws(ContextError) -> Bool {
        let lookup = try uniqueLookup(type, keyPath)
        return lookup.row(of: lookup.datum(of: value)) != nil
    }

    /// Whether there are objects whose unique attribute has some values, for each value in turn.
    ///
    /// ```swift
    /// let known = try context.contains(Photo.self, \.uniqueID, in: ids)
    /// let new = zip(ids, known).filter { !$0.1 }.map(\.0)
    /// ```
    /// - Throws: `ContextError.notUnique`, or `ContextError.unknownClass`.
    /// - Complexity: O(1) for each value.
    @inlinable
    public func contains<Object: ManagedObject, Value: AttributeValue, Values: Sequence<Value>>(
        _ type: Object.Type, _ keyPath: KeyPath<Object, Value>, in values: Values
    ) throws(ContextError) -> [Bool] {
        let lookup = try uniqueLookup(type, keyPath)
        return lookup.rows(of: lookup.data(of: values)).map { !$0.isNone }
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
        let lookup = try uniqueLookup(type, keyPath)
        let datum = lookup.datum(of: value)
        return unsafeDowncast(
            lookup.object(of: datum) ?? lookup.insert(datum), to: Object.self)
    }

    /// Finds the objects whose unique attribute has some values, and inserts those that are missing.
    ///
    /// ```swift
    /// let tags = try context.findOrInsert(Tag.self, \.name, in: ["sea", "sky", "sea"])
    /// ```
    /// - Returns: An object for each value, in the order of the values.
    /// - Throws: `ContextError.notUnique`, or `ContextError.unknownClass`.
    /// - Complexity: O(1) for each value.
    @inlinable
    public func findOrInsert<
        Object: ManagedObject, Value: AttributeValue, Values: Sequence<Value>
    >(
        _ type: Object.Type, _ keyPath: ReferenceWritableKeyPath<Object, Value>, in values: Values
    ) throws(ContextError) -> FetchedResults<Object> {
        let lookup = try uniqueLookup(type, keyPath)
        let data = lookup.data(of: values)
        var rows = lookup.rows(of: data)
        for index in rows.indices where rows[index].isNone {
            // It may be the second one with its value.
            rows[index] = lookup.row(of: data[index]) ?? lookup.insert(data[index]).row
        }
        return results(rows, lookup)
    }

    @usableFromInline
    func uniqueLookup(
        _ type: ManagedObject.Type, _ keyPath: AnyKeyPath
    ) throws(ContextError) -> UniqueLookup {
        try state.tables.uniqueLookup(type, keyPath, of: store.model)
    }

    @usableFromInline
    func results<Object: ManagedObject>(
        _ rows: ContiguousArray<Row>, _ lookup: UniqueLookup
    ) -> FetchedResults<Object> {
        FetchedResults(
            rows: rows, table: lookup.table.takeUnretainedValue(), context: self,
            lifetime: fork.committed.graph.lifetime)
    }
}

/// A unique attribute of a class in a context, which must outlive this value.
@usableFromInline
struct UniqueLookup {
    let table: Unmanaged<ObjectTable>
    let slot: Slot
    private let type: AttributeType

    init(_ table: ObjectTable, _ slot: Slot) {
        self.table = .passUnretained(table)
        self.slot = slot
        type = table.layout.properties[slot].attribute?.type ?? .string
    }

    /// A value of the attribute without its type.
    ///
    /// Nobody asks for the type's name in the schema: with raw values that takes longer than to find an object.
    @inlinable
    func datum<Value: AttributeValue>(of value: Value) -> Datum {
        if Value.self == String.self || Value.self == Int.self || Value.self == UUID.self {
            return value.datum
        }
        return typedDatum(of: value)
    }

    /// The same, by the attribute's type.
    @usableFromInline
    func typedDatum(of value: some AttributeValue) -> Datum { value.datum(as: type) }

    /// Values of the attribute without their type.
    @inlinable
    func data(of values: some Sequence<some AttributeValue>) -> ContiguousArray<Datum> {
        ContiguousArray(values.lazy.map { datum(of: $0) })
    }

    /// The row of the object of the class that has a value.
    @usableFromInline
    func row(of value: Datum) -> Row? {
        table._withUnsafeGuaranteedRef { table in
            guard let row = table.transaction.find(value, slot, in: table.number) else {
                return nil
            }
            return table.holds(row) ? row : table.row(sharing: slot, with: row)
        }
    }

    /// The rows of the objects of the class that have some values, in the order of the values; `.none` where there is none.
    @usableFromInline
    func rows(of values: ContiguousArray<Datum>) -> ContiguousArray<Row> {
        table._withUnsafeGuaranteedRef { table in
            var rows = table.transaction.find(values, slot, in: table.number)
            for index in rows.indices where !rows[index].isNone && !table.holds(rows[index]) {
                rows[index] = table.row(sharing: slot, with: rows[index]) ?? .none
            }
            return rows
        }
    }

    /// The object of the class that has a value.
    @usableFromInline
    func object(of value: Datum) -> ManagedObject? {
        row(of: value).map { row in table._withUnsafeGuaranteedRef { $0.keptObject(row) } }
    }

    /// A new object of the class, which has a value.
    @usableFromInline
    func insert(_ value: Datum) -> ManagedObject {
        table._withUnsafeGuaranteedRef { table in
            var handle: ManagedObject?
            return table.insert(&handle, table.insertRow(with: value, in: slot))
        }
    }
}

extension ObjectTable {
    /// The row of an object of the class that has the value of a unique attribute which one of another class is found
    /// by.
    @inline(never)
    fileprivate func row(sharing slot: Slot, with other: Row) -> Row? {
        transaction.current.row(sharing: slot, with: other, of: entityLayout)
    }

    /// The slot of the unique attribute that a key path leads to.
    func uniqueSlot(of keyPath: AnyKeyPath) throws(ContextError) -> Slot {
        guard case .property(let path)? = state.store.model.resolve(keyPath), path.count == 1
        else {
            throw .notUnique(
                entity: entity.name,
                keyPath: Prototypes.unclearAttribute(keyPath) ?? "\(keyPath)")
        }
        guard layout.uniqueSlots.contains(path[0]) else {
            throw .notUnique(entity: entity.name, keyPath: name(of: path[0]))
        }
        return path[0]
    }
}
