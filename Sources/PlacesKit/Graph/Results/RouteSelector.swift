/// A value that all matches of a condition have, so that by it one finds the conditions which a row may
/// match.
struct RouteSelector: Hashable, Sendable {
    /// A chain of to-one relationships, and an attribute at its end unless it is the identity that counts.
    var path: [Slot]
    var isIdentity: Bool

    var operand: Operand { isIdentity ? .identity(path) : .attribute(path) }

    /// A selector and some values: every match of a condition has one of them.
    typealias Choice = (selector: RouteSelector, values: Set<Datum>)

    /// The selectors of a condition; none where it does not ask for equality.
    static func choices(
        in condition: Condition, of table: TableNumber, _ layout: GraphLayout
    ) -> [Choice] {
        switch condition {
        case .all(let conditions):
            var found: [Choice] = []
            for condition in conditions {
                let others = choices(in: condition, of: table, layout)
                found += others.filter { new in
                    !found.contains { $0.selector == new.selector }
                }
            }
            return found
        case .any(let conditions):
            guard let first = conditions.first else { return [] }
            var found = choices(in: first, of: table, layout)
            for condition in conditions.dropFirst() where !found.isEmpty {
                let others = choices(in: condition, of: table, layout)
                for index in found.indices.reversed() {
                    let selector = found[index].selector
                    if let other = others.first(where: { $0.selector == selector }) {
                        found[index].values.formUnion(other.values)
                    } else {
                        found.remove(at: index)
                    }
                }
            }
            return found
        case .comparison(let operand, .equal, .constant(let value)),
            .comparison(.constant(let value), .equal, let operand):
            return find(operand, [value], table, layout).map { [$0] } ?? []
        case .membership(let operand, let values):
            return find(operand, values, table, layout).map { [$0] } ?? []
        case .related(let slot, let condition, otherwise: false):
            let end = layout.destination(of: slot, in: table)
            var found = choices(in: condition, of: end, layout)
            for index in found.indices { found[index].selector.path.insert(slot, at: 0) }
            return found
        default: return []
        }
    }

    /// A guess at how many rows of a table have the same value, for comparison: one, some, those that a relationship leads
    /// from, or half of all.
    func commonness(in table: TableNumber, _ layout: GraphLayout) -> Int {
        guard let last = path.last else { return 0 }
        var end = table
        for slot in path.dropLast() { end = layout.destination(of: slot, in: end) }
        if !isIdentity, layout.tables[end].properties[last].attribute?.type == .boolean { return 3 }
        guard path.count == 1, !isIdentity else { return 2 }
        return layout.tables[table].uniqueSlots.contains(last) ? 0 : 1
    }

    private static func find(
        _ operand: Operand, _ values: Set<Datum>, _ table: TableNumber, _ layout: GraphLayout
    ) -> Choice? {
        switch operand {
        case .attribute(let path):
            var end = table
            for slot in path.dropLast() { end = layout.destination(of: slot, in: end) }
            guard let type = layout.tables[end].properties[path[path.count - 1]].attribute?.type,
                values.allSatisfy({ $0.isSameOnlyIfEqual(in: type) })
            else { return nil }
            return (RouteSelector(path: path, isIdentity: false), values)
        case .identity(let path):
            guard values.allSatisfy({ if case .integer = $0 { true } else { false } }) else {
                return nil
            }
            return (RouteSelector(path: path, isIdentity: true), values)
        default: return nil
        }
    }
}

extension Datum {
    /// Whether the value equals another of an attribute's type only where both are the same datum.
    ///
    /// Numbers of different kinds may be equal, and are not looked up.
    fileprivate func isSameOnlyIfEqual(in type: AttributeType) -> Bool {
        switch (self, type) {
        case (.string, .string), (.boolean, .boolean), (.uuid, .uuid): true
        // What is no number is not found again.
        case (.date, .date): !isNotANumber
        case (.integer, .int64), (.integer, .int32), (.integer, .int16): true
        default: false
        }
    }
}
