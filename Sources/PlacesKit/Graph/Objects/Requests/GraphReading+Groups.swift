extension GraphReading {
    /// Some rows, grouped by what a key path gives for their objects, and what it gives for each group.
    func groups<Object: AnyObject, Key: Hashable>(
        of rows: ContiguousArray<Row>, by keyPath: KeyPath<Object, Key>, of entity: Int
    ) -> (groups: RowGroups, keys: [Key]) {
        if let groups = keyGroups(of: rows, by: keyPath, of: entity) {
            let firsts = ContiguousArray(groups.firsts.map { rows[$0] })
            return (groups, values(of: keyPath, firsts, of: entity))
        }
        let (groups, keys) = RowGroups.grouping(values(of: keyPath, rows, of: entity))
        return (groups, keys)
    }

    /// Some rows, grouped by what a key path gives for their objects: two groups never have one key.
    func keyGrouping<Object: AnyObject, Key: Hashable>(
        of rows: ContiguousArray<Row>, by keyPath: KeyPath<Object, Key>, of entity: Int
    ) -> RowGroups {
        keyGroups(of: rows, by: keyPath, of: entity)
            ?? RowGroups.grouping(values(of: keyPath, rows, of: entity)).groups
    }

    /// The same, read from a column; `nil` where the key path is no chain of properties.
    ///
    /// A broken chain that is unwrapped by force gives a value, which other objects may have.
    private func keyGroups<Object: AnyObject, Key: Hashable>(
        of rows: ContiguousArray<Row>, by keyPath: KeyPath<Object, Key>, of entity: Int
    ) -> RowGroups? {
        guard let groups = columnGroups(of: rows, by: keyPath, of: entity) else { return nil }
        guard groups.null != nil, !(Key.self is any ExpressibleByNilLiteral.Type) else {
            return groups
        }
        let firsts = ContiguousArray(groups.firsts.map { rows[$0] })
        return groups.united(
            by: RowGroups.grouping(values(of: keyPath, firsts, of: entity)).groups)
    }

    /// Some rows, grouped by what a key path gives for their objects; those of which a chain breaks are a group apart.
    func grouping<Object: AnyObject, Key: Hashable>(
        of rows: ContiguousArray<Row>, by keyPath: KeyPath<Object, Key>, of entity: Int
    ) -> RowGroups {
        columnGroups(of: rows, by: keyPath, of: entity)
            ?? RowGroups.grouping(values(of: keyPath, rows, of: entity)).groups
    }

    /// The same, read from a column; `nil` where the key path is no chain of properties.
    private func columnGroups(
        of rows: ContiguousArray<Row>, by keyPath: AnyKeyPath, of entity: Int
    ) -> RowGroups? {
        model.resolve(keyPath).flatMap {
            graph.groups(of: rows, by: $0, in: model.layout.entities[entity].table)
        }
    }
}

extension RowGroups {
    /// Groups rows by values that were read from objects; returns the different values too.
    fileprivate static func grouping<Key: Hashable>(
        _ values: [Key]
    ) -> (groups: RowGroups, keys: [Key]) {
        var groups = RowGroups(capacity: values.count)
        var numbers: [Key: Int32] = [:]
        // All that is not a number is one value.
        var notANumber: Int32?
        var keys: [Key] = []
        for value in values {
            let isNotANumber = value.isNotANumber
            if let number = isNotANumber ? notANumber : numbers[value] {
                groups.append(number)
                continue
            }
            let number = groups.appendNew()
            if isNotANumber { notANumber = number } else { numbers[value] = number }
            keys.append(value)
            if isNil(value) { groups.null = number }
        }
        return (groups, keys)
    }
}
