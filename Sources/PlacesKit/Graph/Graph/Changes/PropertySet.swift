/// A set of properties of one entity that tells all of them apart, also those that share a member of masks.
struct PropertySet: Equatable {
    /// Those that share no member, and the member of the others if any of them is here.
    private(set) var mask: PropertyMask = []
    /// Which of the others are here; none where all are.
    private(set) var shared: Set<Slot> = []

    /// No property.
    init() {}

    /// One property.
    init(_ slot: Slot) { insert(slot) }

    private init(mask: PropertyMask) { self.mask = mask }

    /// Every property.
    static let all = PropertySet(mask: .all)

    /// Adds a property.
    mutating func insert(_ slot: Slot) {
        guard self != .all else { return }
        mask.insert(PropertyMask(slot: slot))
        if slot.isShared { shared.insert(slot) }
    }

    /// Adds the properties of another set.
    mutating func formUnion(_ other: PropertySet) {
        if self == .all || other == .all {
            self = .all
        } else {
            mask.formUnion(other.mask)
            shared.formUnion(other.shared)
        }
    }
}

extension Graph {
    /// Whether a row has other values of some properties, but not of all that there are, than in another graph.
    func differs(
        from other: Graph, _ row: Row, inAnyOf properties: PropertySet, in table: TableNumber
    ) -> Bool {
        let single = properties.mask.subtracting(.shared)
        return !changes(from: other, row, among: single, in: table).isEmpty
            || properties.shared.contains { differs(from: other, row, $0, in: table) }
    }
}
