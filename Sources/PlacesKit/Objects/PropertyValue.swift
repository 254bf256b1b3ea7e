/// The value of a property without its Swift type: an attribute's datum, or whom a relationship
/// leads to.
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

extension ObjectTable {
    /// The value of a property of a row in some graph of the store.
    func value(_ row: Int32, _ slot: Int, in graph: Graph) -> PropertyValue {
        guard let destination = destination(of: slot) else {
            return .attribute(graph.value(row, slot, in: number))
        }
        let others = graph.related(row, slot, in: number).map {
            graph.objectID($0, in: destination.number)
        }
        return switch layout.relationships[slot] {
        case .toMany, .manyToMany: .objects(others)
        case .toOne, .oneToOne, nil: .object(others.first)
        }
    }
}
