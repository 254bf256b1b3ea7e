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

    init(_ layout: TableLayout) {
        presence = layout.presence
        kinds = layout.kinds ?? Slot(-1)
        hasUniqueDefaults = layout.properties.contains {
            $0.attribute.map { $0.isUnique && $0.defaultValue ?? .null != .null } ?? false
        }
        isJoined =
            !layout.orderedIndexes.isEmpty || !layout.wordIndexes.isEmpty
            || !layout.combinations.isEmpty || !layout.derivations.isEmpty
        blobColumns = layout.columns.slots.filter { layout.columns[$0].kind == .blob }
    }
}
