/// What a transaction asks of a table's layout with each row that comes or goes: looking it up there would cost
/// retains and releases.
struct TableTraits {
    /// The column that says which rows exist.
    let presence: Slot
    /// The column that says of which kind rows are; negative without one.
    let kinds: Slot
    /// Whether new rows hold a value in a unique attribute already.
    let hasUniqueDefaults: Bool
    /// Whether the table has indexes, or derived attributes, that new rows have to join.
    let isJoined: Bool
    let blobColumns: [Slot]
    /// What the delete of a row does along its relationships, in their order, but for derived ones: they follow.
    let deletions: [Deletion]
    /// Whether some of that is to delete others.
    let cascades: Bool
    /// The lists of relationships without an inverse that others have, which lead to rows of the table; but for
    /// derived ones.
    let hiddenLists: [ListLayout]

    /// What the delete of a row does along one relationship.
    struct Deletion {
        let slot: Slot
        let rule: DeleteRule
        let relationship: RelationshipLayout
        /// The table of the rows at the other end.
        let destination: TableNumber
    }

    init(_ layout: TableLayout, in graph: GraphLayout) {
        presence = layout.presence
        kinds = layout.kinds ?? Slot(-1)
        hasUniqueDefaults = layout.properties.contains {
            $0.attribute.map { $0.isUnique && $0.defaultValue ?? .null != .null } ?? false
        }
        isJoined =
            !layout.orderedIndexes.isEmpty || !layout.wordIndexes.isEmpty
            || !layout.combinations.isEmpty || !layout.derivations.isEmpty
        deletions = layout.properties.slots.compactMap { slot in
            guard !layout.isDerived(slot), let relationship = layout.relationships[slot],
                let rule = layout.properties[slot].relationship?.deleteRule
            else { return nil }
            return Deletion(
                slot: slot, rule: rule, relationship: relationship,
                destination: relationship.destination)
        }
        cascades = deletions.contains { $0.rule == .cascade }
        hiddenLists = layout.hiddenLists.filter { !graph.tables[$0.members].isDerived($0.owner) }
        blobColumns = layout.columns.slots.filter { layout.columns[$0].kind == .blob }
    }
}
