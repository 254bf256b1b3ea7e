import Foundation

extension GraphReading {
    /// What a key path gives for the objects of some rows.
    ///
    /// A chain that unwraps by force, and is broken, gives what its type has for no value: zero, an
    /// empty text, an identifier that no object has.
    func values<Object: AnyObject, Value>(
        of keyPath: KeyPath<Object, Value>, _ rows: ContiguousArray<Row>, of entity: Int
    ) -> [Value] {
        columnValues(of: keyPath, rows, in: model.layout.entities[entity].table)
            ?? rows.map { (object($0, of: entity) as Object)[keyPath: keyPath] }
    }

    /// The same, read from a column; `nil` where the key path is no chain of properties.
    private func columnValues<Object: AnyObject, Value>(
        of keyPath: KeyPath<Object, Value>, _ rows: ContiguousArray<Row>, in table: TableNumber
    ) -> [Value]? {
        switch model.resolve(keyPath) {
        case nil, .composite?: return nil
        case .identity(let path)?:
            let (targets, end) = graph.targets(of: path[...], rows, in: table)
            let nobody = ObjectID(entity: graph.layout.tables[end].name, number: -1)
            return converted(
                targets.map { $0.isNone ? nil : graph.objectID($0, in: end) }, default: nobody)
        case .count(let path)?:
            let (targets, end) = graph.targets(of: path.dropLast(), rows, in: table)
            let slot = path[path.count - 1]
            return converted(
                targets.map { $0.isNone ? nil : graph.memberCount($0, slot, in: end) }, default: 0)
        case .property(let path)?:
            guard let type = Value.self as? any AttributeValue.Type else { return nil }
            let (targets, end) = graph.targets(of: path.dropLast(), rows, in: table)
            let slot = path[path.count - 1]
            guard let attribute = graph.layout.tables[end].properties[slot].attribute,
                type.columnKind == attribute.type.columnKind
            else { return nil }
            let column = AttributeValues(
                column: graph.tables[end].columns[slot], rows: targets,
                isOptional: attribute.isOptional)
            return column.commonValues() ?? column.specialized(type)
        }
    }

    /// Items as what a key path says that they are, optional or not; `nil` where it is neither.
    private func converted<Item, Value>(
        _ items: [Item?], default item: Item
    ) -> [Value]? {
        if Value.self == Item?.self { return unsafeBitCast(items, to: [Value].self) }
        guard Value.self == Item.self else { return nil }
        return unsafeBitCast(items.map { $0 ?? item }, to: [Value].self)
    }
}

/// The values that an attribute has at some rows; nothing where there is none.
private struct AttributeValues {
    let column: Column
    let rows: ContiguousArray<Row>
    /// Whether a row may hold no value.
    let isOptional: Bool

    /// The values, as the accessors of objects give them.
    private func values<Value: AttributeValue>(of type: Value.Type) -> [Value] {
        let reader = column.reader
        let checksValidity = isOptional && Value.isOptional
        let isExternal = column.kind == .blob
        return withExtendedLifetime(column) {
            rows.map { row in
                guard !row.isNone else { return Value(stored: .unset, isValid: false) }
                let block = reader.block(row.chunk)
                let offset = row.offset
                if isExternal { return Value(external: block, at: offset) }
                return Value(
                    stored: block.elements(of: Value.Stored.self)[offset],
                    isValid: !checksValidity || block.isValid(at: offset))
            }
        }
    }

    /// The values of a type for which the compiler has a loop of its own; others take several times
    /// as long.
    func commonValues<Value>() -> [Value]? {
        if let values: [Value] = specialized(Int.self) { return values }
        if let values: [Value] = specialized(Int?.self) { return values }
        if let values: [Value] = specialized(String.self) { return values }
        if let values: [Value] = specialized(String?.self) { return values }
        if let values: [Value] = specialized(Double.self) { return values }
        if let values: [Value] = specialized(Double?.self) { return values }
        if let values: [Value] = specialized(Date.self) { return values }
        if let values: [Value] = specialized(Date?.self) { return values }
        return specialized(Bool.self)
    }

    @inline(__always)
    func specialized<Known: AttributeValue, Value>(_ type: Known.Type) -> [Value]? {
        guard Value.self == Known.self else { return nil }
        return unsafeBitCast(values(of: Known.self), to: [Value].self)
    }
}
