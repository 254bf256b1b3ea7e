/// What a column tells of the rows that a difference in it concerns.
enum ColumnRole {
    /// Which rows exist.
    case presence
    /// The property of the column's own number.
    case property
    /// The property too, if the table is an entity's, and the members of the lists that it leads to.
    case owner(ListLayout)
    /// The order of a list's members.
    case neighbour(ListLayout)
    /// Nothing that the columns of a list's members do not tell.
    case implied
}

extension GraphLayout {
    /// The roles of a table's columns.
    func columnRoles(of table: TableNumber) -> [ColumnRole] {
        let layout = tables[table]
        var roles = layout.columns.slots.map { column in
            column < layout.relationships.slots.upperBound ? ColumnRole.property : .implied
        }
        var lists: [ListLayout] = []
        for case let relationship? in layout.relationships {
            switch relationship {
            case .toOne(let list): lists.append(list)
            case .toMany(let list): roles[list.head] = .implied
            case .manyToMany(let own, _): roles[own.head] = .implied
            case .oneToOne: break
            }
        }
        if let (first, second) = edgeLists(of: table) { lists += [first, second] }
        for list in lists {
            roles[list.owner] = .owner(list)
            roles[list.next] = .neighbour(list)
            roles[list.previous] = .neighbour(list)
        }
        roles[layout.presence] = .presence
        return roles
    }
}
