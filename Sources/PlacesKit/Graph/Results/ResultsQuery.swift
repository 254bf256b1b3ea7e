/// What a results controller asks of the rows of a table, as a value: the conditions, the order, the
/// sections and the window.
struct ResultsQuery: Sendable {
    /// What makes sections.
    enum Sections: Sendable {
        /// Nothing: all rows are in one section.
        case none
        /// What a row gives, and the type of the values.
        case operand(Operand, of: any AttributeValue.Type)
        /// What a rule makes of what a row gives.
        case made([Operand], SectionMaking)
        /// What only the object knows.
        case opaque

        /// What is read of rows.
        var operands: [Operand] {
            switch self {
            case .none, .opaque: []
            case .operand(let operand, _): [operand]
            case .made(let operands, _): operands
            }
        }
    }

    let table: TableNumber
    var condition: Condition
    /// `nil` where the objects themselves must be compared.
    let keys: [SortKey]?
    let sections: Sections
    /// The sections that are there even if they hold nothing.
    var always: [SectionLabel] = []
    let window: Range<Int>
    /// Whether it reads properties of other tables' rows.
    var readsOthers = false

    /// Whether the rows are in sections that have something in common.
    var isSectioned: Bool { if case .none = sections { false } else { true } }

    /// Whether something was not compiled, so that what it depends on is not known.
    var isOpaque: Bool {
        if case .opaque = sections { return true }
        return condition.isOpaque || keys == nil
    }

    /// Whether a comparator of somebody's own orders the rows, which may contradict itself.
    var hasOwnOrder: Bool { keys?.contains { $0.comparator != nil } ?? false }

    /// Whether a rule of somebody's own makes sections of values, which may give another key for the same ones.
    var hasOwnSections: Bool { if case .made = sections { true } else { false } }

    /// The order of the rows; they have that of their positions where it was not compiled.
    var order: RowOrder { RowOrder(keys: keys ?? [], table: table) }

    /// What a row's section is told by.
    func section(of row: Row, in graph: Graph) -> SectionKey {
        if case .made(_, let making) = sections { return making.key(values(of: row, in: graph)) }
        guard case .operand(let operand, let type) = sections else { return .none }
        if case .identity(let path) = operand {
            return graph.follow(path[...], from: row, in: table).map { row, table in
                SectionKey(graph.objectID(row, in: table))
            } ?? .none
        }
        return SectionKey(graph.value(of: operand, row, in: table), of: type)
    }

    /// A row's section with what it is called and where it comes.
    func label(of row: Row, in graph: Graph) -> SectionLabel {
        guard case .made(_, let making) = sections else {
            return SectionLabel(section(of: row, in: graph))
        }
        return making.label(values(of: row, in: graph))
    }

    private func values(of row: Row, in graph: Graph) -> [Datum] {
        sections.operands.map { graph.value(of: $0, row, in: table) }
    }

    /// Whether a row owes its section to an object, which is the same in both graphs.
    ///
    /// What changed the section then is that object, and not the row.
    func keepsSectionOwner(_ row: Row, from before: Graph, to after: Graph) -> Bool {
        let operands = sections.operands
        return !operands.isEmpty
            && operands.allSatisfy { operand in
                guard case .attribute(let path) = operand, path.count > 1,
                    let old = before.follow(path.dropLast(), from: row, in: table),
                    let new = after.follow(path.dropLast(), from: row, in: table)
                else { return false }
                return old == new
            }
    }
}
