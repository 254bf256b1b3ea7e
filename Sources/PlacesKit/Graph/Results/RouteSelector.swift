/// A value that all matches of a condition have, so that by it one finds the conditions which a row may
/// match.
struct RouteSelector: Hashable, Sendable {
    /// A chain of to-one relationships, and an attribute at its end unless it is the identity that counts.
    var path: [Slot]
    var isIdentity: Bool

    var operand: Operand { isIdentity ? .identity(path) : .attribute(path) }

    /// The selector of a condition, and the values of which every match has one; `nil` where the condition
    /// does not ask for equality.
    static func find(
        in condition: Condition, of table: TableNumber, _ layout: GraphLayout
    ) -> (selector: RouteSelector, values: Set<Datum>)? {
        switch condition {
        case .all(let conditions):
            return conditions.lazy.compactMap { find(in: $0, of: table, layout) }.first
        case .comparison(let operand, .equal, .constant(let value)),
            .comparison(.constant(let value), .equal, let operand):
            return find(operand, [value], table, layout)
        case .membership(let operand, let values): return find(operand, values, table, layout)
        case .related(let slot, let condition, otherwise: false):
            let end = layout.destination(of: slot, in: table)
            guard var found = find(in: condition, of: end, layout) else { return nil }
            found.selector.path.insert(slot, at: 0)
            return found
        default: return nil
        }
    }

    private static func find(
        _ operand: Operand, _ values: Set<Datum>, _ table: TableNumber, _ layout: GraphLayout
    ) -> (selector: RouteSelector, values: Set<Datum>)? {
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
        case (.string, .string), (.boolean, .boolean), (.uuid, .uuid), (.date, .date): true
        case (.integer, .int64), (.integer, .int32), (.integer, .int16): true
        default: false
        }
    }
}
