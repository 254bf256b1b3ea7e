import Foundation

/// What a key path gives for a row, read from columns.
struct GroupColumn {
    let operand: Operand
    private let table: TableNumber

    /// The column of a key path, `nil` where it is no chain of properties.
    ///
    /// A count at the end of a chain that is unwrapped by force is none either: it has a value where the
    /// chain is broken, as objects would.
    init?(_ keyPath: AnyKeyPath, of model: ObjectModel, in table: TableNumber) {
        self.table = table
        switch model.resolve(keyPath) {
        case nil, .composite?: return nil
        case .identity(let path)?: operand = .identity(path)
        case .count(let path)?:
            let isOptional = type(of: keyPath).valueType is any ExpressibleByNilLiteral.Type
            guard path.count == 1 || isOptional else { return nil }
            operand = .count(path)
        case .property(let path)?:
            operand =
                Graph(layout: model.layout).isToOne(path, in: table)
                ? .identity(path) : .attribute(path)
        }
    }

    /// The value of a row.
    func value(_ row: Row, in graph: Graph) -> Datum { graph.value(of: operand, row, in: table) }

    /// What the value is told by.
    func word(_ row: Row, in graph: Graph) -> GroupWord { value(row, in: graph).groupWord }
}

/// What rows of a group have in common, read from columns.
struct GroupKeyColumn {
    let column: GroupColumn
    /// What makes buckets of dates, if anything does.
    private var buckets: CalendarBuckets?
    /// The type of keys that have no `nil`: a broken chain, which is unwrapped by force then, gives what the type has
    /// for no value.
    private let requiredType: (any AttributeValue.Type)?

    init(_ part: GroupKeyPart, _ column: GroupColumn) {
        self.column = column
        buckets = part.buckets
        let type = type(of: part.keyPath).valueType as? any AttributeValue.Type
        requiredType = type?.isOptional == false ? type : nil
    }

    /// What the key of a row is told by.
    mutating func word(_ row: Row, in graph: Graph) -> GroupWord {
        var value = column.value(row, in: graph)
        if let requiredType, value == .null { value = requiredType.datumOfNothing }
        return (buckets?.start(of: value) ?? value).groupWord
    }
}

extension AttributeValue {
    /// What an attribute reads as that no value was written to.
    fileprivate static var datumOfNothing: Datum { Self(stored: .unset, isValid: false).datum }
}
