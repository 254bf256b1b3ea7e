import Foundation

/// What a section is told by, what it is called, and where it comes.
struct SectionLabel: Sendable {
    let key: SectionKey
    let name: String
    var rank = SectionRank()

    init(_ key: SectionKey, name: String? = nil) {
        self.key = key
        self.name = name ?? key.name
    }

    /// That of a section that is told by its name, where the empty one is that of no value.
    init(named name: String) { self.init(name.isEmpty ? .none : SectionKey(name), name: name) }

    /// That of what has no value, and of all results that have no sections.
    static let none = SectionLabel(.none)
}

/// Where a section comes among the others; those of the same rank come in the order of their first rows.
struct SectionRank: Sendable {
    /// What the rule orders sections by.
    var value = Datum.null
    /// The index among the sections that are always there.
    var index = Int.max

    private static let ascending = SortKey(operand: .constant(.null), isAscending: true)

    /// How this rank compares with another.
    func order(to other: SectionRank) -> ComparisonResult {
        let kind = value.kindInOrder
        var order = kind.order(to: other.value.kindInOrder)
        if order == .orderedSame, kind > 0 { order = Self.ascending.order(value, other.value) }
        return order == .orderedSame ? index.order(to: other.index) : order
    }
}

extension Datum {
    /// What comes apart from others, since a rule may give values of several types.
    fileprivate var kindInOrder: Int {
        switch self {
        case .null: 0
        case .string, .uuid: 1
        case .decimal: 2
        case .boolean, .integer, .unsigned, .double, .date, .data: 3
        }
    }
}
