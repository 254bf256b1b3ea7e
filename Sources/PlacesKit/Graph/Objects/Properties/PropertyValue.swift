/// The value of a property without its Swift type: a datum, or the related objects.
public enum PropertyValue: Hashable, Sendable {
    /// The value of an attribute.
    case attribute(Datum)
    /// The object that a to-one relationship leads to.
    case object(ObjectID?)
    /// The members of a to-many relationship, in their order.
    case objects([ObjectID])
}

extension PropertyValue: CustomStringConvertible {
    /// The value as a person would write it.
    public var description: String {
        switch self {
        case .attribute(let datum): datum.description
        case .object(let id): id?.description ?? "nil"
        case .objects(let ids): "[\(ids.map(\.description).joined(separator: ", "))]"
        }
    }
}

extension Graph {
    /// The value of a property of a row.
    func propertyValue(_ row: Row, _ slot: Slot, in table: TableNumber) -> PropertyValue {
        guard let relationship = layout.tables[table].relationships[slot] else {
            return .attribute(value(row, slot, in: table))
        }
        let destination = destination(of: slot, in: table)
        let others = related(row, slot, in: table).map { objectID($0, in: destination) }
        return switch relationship {
        case .toMany, .manyToMany: .objects(others)
        case .toOne, .oneToOne: .object(others.first)
        }
    }
}
