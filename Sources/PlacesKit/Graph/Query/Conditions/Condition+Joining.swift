/// Builds conditions so that what lies behind a relationship is evaluated there once, and joined.
extension Condition {
    /// The comparison of two operands, with chains turned into joins where one side is constant.
    static func comparing(
        _ left: Operand, _ comparison: ComparisonOperator, _ right: Operand
    ) -> Condition {
        switch (left, right) {
        case (.constant(let a), .constant(let b)): .constant(comparison.holds(a, b))
        case (.constant, _): comparing(right, comparison.mirrored, left)
        case (.coalesced(let first, let second), .constant) where first.mayBeRepeated:
            choosing(first, second) { comparing($0, comparison, right) }
        case (.chosen(let condition, .constant(let first), let second), .constant(let constant)):
            comparison.holds(first, constant)
                ? .some([condition, comparing(second, comparison, right)])
                : .every([condition.negated, comparing(second, comparison, right)])
        case (_, .constant(let constant)):
            joined(left, otherwise: comparison.holds(.null, constant)) {
                .comparison($0, comparison, right)
            }
        default: .comparison(left, comparison, right)
        }
    }

    /// Whether an operand is one of some values.
    static func membership(of operand: Operand, in values: Set<Datum>) -> Condition {
        switch operand {
        case .constant(let constant): .constant(values.contains(constant))
        case .coalesced(let first, let second) where first.mayBeRepeated:
            choosing(first, second) { membership(of: $0, in: values) }
        default: joined(operand, otherwise: values.contains(.null)) { .membership($0, values) }
        }
    }

    /// Whether the text of an operand passes a test.
    static func testing(_ operand: Operand, _ test: TextTest) -> Condition {
        switch operand {
        case .constant(.string(let text)): .constant(test.passes(text))
        case .coalesced(let first, let second) where first.mayBeRepeated:
            choosing(first, second) { testing($0, test) }
        default: joined(operand, otherwise: false) { .text($0, test) }
        }
    }

    /// A condition on the first of two values that is not `nil`, of which the first is written three times.
    private static func choosing(
        _ first: Operand, _ second: Operand, _ condition: (Operand) -> Condition
    ) -> Condition {
        let isNil = comparing(first, .equal, .constant(.null))
        return .some([
            .every([isNil.negated, condition(first)]), .every([isNil, condition(second)]),
        ])
    }

    /// A condition on the value at the end of a chain, evaluated there and joined back.
    private static func joined(
        _ operand: Operand, otherwise: Bool, _ condition: (Operand) -> Condition
    ) -> Condition {
        if let (links, end) = operand.behindLinks {
            return condition(end).related(over: links, otherwise)
        }
        if case .applied(let function, let inner) = operand, function(.null) == .null {
            return joined(inner, otherwise: otherwise) { condition(.applied(function, $0)) }
        }
        return condition(operand)
    }

    /// The condition for what to-one relationships lead to, and the answer where they lead nowhere.
    func related(
        over path: some BidirectionalCollection<Slot>, _ otherwise: Bool = false
    ) -> Condition {
        path.reversed().reduce(self) { .related(slot: $1, $0, otherwise: otherwise) }
    }
}

extension Operand {
    /// Whether the operand is short enough to stand in a condition several times: one that is long is asked row by row, or
    /// conditions on choices by such conditions would grow by powers.
    fileprivate var mayBeRepeated: Bool {
        size(upTo: Condition.writtenTwice) < Condition.writtenTwice
    }

    /// The to-one relationships that the operand begins with, and what it is where they lead: one value for all rows from
    /// which they lead to one; `nil` if there are none, or what is behind reads the row before them.
    fileprivate var behindLinks: (links: ArraySlice<Slot>, end: Operand)? {
        switch self {
        case .attribute(let path) where path.count > 1:
            return (path.dropLast(), .attribute(Array(path.suffix(1))))
        case .count(let path) where path.count > 1:
            return (path.dropLast(), .count(Array(path.suffix(1))))
        case .identity(let path) where path.count > 1:
            return (path.dropLast(), .identity(Array(path.suffix(1))))
        default:
            guard let (way, end) = ofOwner, way.levels == 0, way.slots.count > 1 else { return nil }
            return (way.slots.dropLast(), end)
        }
    }
}
