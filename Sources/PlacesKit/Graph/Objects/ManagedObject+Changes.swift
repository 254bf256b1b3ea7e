extension ManagedObject {
    /// Whether the object was inserted and not saved yet.
    ///
    /// Further changes do not end this; the save does.
    public final var isInserted: Bool {
        guard let context, let table else { return false }
        return !isDeleted && !context.saved.contains(row, in: table.number)
    }

    /// Whether a saved object has properties that differ from what was saved.
    public final var isUpdated: Bool {
        guard let context, let table, !isDeleted else { return false }
        return context.saved.contains(row, in: table.number)
            && !context.changedProperties(of: row, in: table).isEmpty
    }

    /// Whether the object was inserted, changed or deleted since the last save.
    public final var hasChanges: Bool {
        guard let context, let table else { return false }
        return isDeleted
            ? context.saved.contains(row, in: table.number) : isInserted || isUpdated
    }

    /// The properties that differ from the saved object, by name, with their new values.
    ///
    /// If the object was never saved, these are the properties that differ from their defaults.
    ///
    /// - Complexity: O(p + log n) for p properties and n unsaved changes, on average, and O(m) to list or compare
    ///   m members of a to-many relationship that changed.
    public final func changedValues() -> [String: PropertyValue] {
        guard let context, let table, !isDeleted else { return [:] }
        let slots = context.changedProperties(of: row, in: table)
        return values(of: slots, table, in: context.transaction.graph)
    }

    /// Returns the last saved values of properties, or the defaults if the object was never saved.
    ///
    /// Names that no property has are left out.
    public final func committedValues(
        forKeys names: [String]? = nil
    ) -> [String: PropertyValue] {
        guard let context, let table else { return [:] }
        let slots = table.entityLayout.slots.filter {
            names?.contains(table.name(of: $0)) ?? true
        }
        return values(of: slots, table, in: context.lastSaved(row, in: table))
    }

    private func values(
        of slots: [Slot], _ table: ObjectTable, in graph: Graph
    ) -> [String: PropertyValue] {
        var values: [String: PropertyValue] = [:]
        for slot in slots {
            values[table.name(of: slot)] = graph.propertyValue(row, slot, in: table.number)
        }
        return values
    }
}

extension Identifiable where Self: ManagedObject {
    /// Returns the last saved value of an attribute, or its default if the object was never saved.
    ///
    /// ```swift
    /// let old = try photo.committedValue(of: \.title)
    /// ```
    /// - Throws: `ContextError.notAProperty` if the key path is not an attribute of the object.
    public func committedValue<Value: AttributeValue>(
        of keyPath: KeyPath<Self, Value>
    ) throws(ContextError) -> Value {
        guard let context, let table, let slot = table.attributeSlot(of: keyPath) else {
            throw .notAProperty(entity: table?.entity.name ?? "", keyPath: "\(keyPath)")
        }
        let column = context.lastSaved(row, in: table).tables[table.number].columns[slot]
        if column.kind == .blob {
            return Value(
                external: column.block(row.chunk), at: row.offset)
        }
        return Value(
            stored: column.element(Value.Stored.self, at: row), isValid: column.isValid(at: row))
    }
}

extension ObjectTable {
    /// The slot of the attribute that a key path leads to.
    func attributeSlot(of keyPath: AnyKeyPath) -> Slot? {
        let model = state.store.model
        guard case .property(let path)? = model.resolve(keyPath) else {
            return model.codableSlot(of: keyPath)
        }
        return path.count == 1 && layout.relationships[path[0]] == nil ? path[0] : nil
    }
}

extension ManagedObjectContext {
    /// The graph as it was saved last: that without the pending changes.
    var saved: Graph { unsaved.changes.before ?? transaction.base }

    /// The same, or a graph in which objects have their defaults if a row's object was never saved.
    ///
    /// The row may have been that of another object, which is gone and whose values are not cleared there, or hold what
    /// the object had before its insert was undone.
    func lastSaved(_ row: Row, in table: ObjectTable) -> Graph {
        let (saved, number) = (saved, table.number)
        if saved.contains(row, in: number) { return saved }
        let isSame =
            saved.generation(row, in: number) == transaction.generation(row, in: number)
            && saved.kind(row, in: number) >= 0
            && !transaction.suppliedRows.isNew(row, in: number)
        return isSame ? saved : table.defaults
    }

    /// The slots of a row that differ from what was saved.
    func changedProperties(of row: Row, in table: ObjectTable) -> [Slot] {
        var mask = transaction.access[table.number].changes(of: row)
        mask.formUnion(unsaved.changes.properties(of: row, in: table.number))
        guard !mask.isEmpty else { return [] }
        if !saved.contains(row, in: table.number) { mask = .all }
        let (graph, saved) = (transaction.graph, lastSaved(row, in: table))
        return table.entityLayout.slots.filter {
            mask.contains(PropertyMask(slot: $0))
                && graph.differs(from: saved, row, $0, in: table.number)
        }
    }
}
