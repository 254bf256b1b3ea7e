/// Where a derived attribute lies, what it is made of, and where what it is made by lies.
struct DerivationLayout: BitwiseCopyable {
    let function: DerivationDescription.Function
    /// The table and the slot of the derived attribute.
    let owners: TableNumber
    let slot: Slot
    /// The slot of the relationship in the owners' table, the first of a path, and the table of the
    /// members, or of what the path leads to.
    let relationship: Slot
    let members: TableNumber
    /// The column that the function reads in the members.
    let value: IndexedColumn?
    /// Whether that column's integers stand for those without a sign.
    let isUnsigned: Bool
    /// The column of the truth value that says which members count.
    let condition: Slot?
    /// The first of the owners' columns of what is kept to make the value: a number of members; the
    /// low and the high half of a sum; the digits of an exact sum of fractions.
    let accumulator: Slot
    /// The number, in the owners' table, of the index of the members' values by owner.
    let index: Int?
    /// The number of the entity that declares the attribute.
    let entity: Int
    /// Whether all rows of the owners' table have the attribute.
    let isOfWholeTable: Bool
}

extension DerivationDescription.Function {
    /// Whether the function needs the members' values in order.
    var isOrdered: Bool {
        switch self {
        case .minimum, .maximum, .countDistinct: true
        case .count, .any, .sum, .value, .computed: false
        }
    }

    /// The columns that hold what the function keeps, for values of a kind.
    func accumulators(for kind: ColumnKind?) -> [ColumnKind] {
        switch self {
        case .count, .any, .countDistinct: [.integer]
        case .sum: kind == .double ? [.data] : [.integer, .integer]
        case .minimum, .maximum, .value, .computed: []
        }
    }
}
