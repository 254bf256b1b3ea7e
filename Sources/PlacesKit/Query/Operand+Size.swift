extension Operand {
    /// How many parts the operand has, each counted wherever it stands; no more than a limit are counted.
    func size(upTo limit: Int) -> Int {
        var rest = limit
        count(&rest)
        return limit - max(0, rest)
    }

    fileprivate func count(_ rest: inout Int) {
        rest -= 1
        guard rest > 0 else { return }
        switch self {
        case .constant, .attribute, .count, .identity: break
        case .folded(let operand, _), .mapped(let operand, _), .length(let operand),
            .outer(_, let operand), .aggregate(_, _, let operand), .member(_, _, let operand):
            operand.count(&rest)
        case .coalesced(let first, let second), .arithmetic(let first, _, let second),
            .exact(let first, _, let second, _):
            first.count(&rest)
            second.count(&rest)
        case .chosen(let condition, let first, let second):
            condition.count(&rest)
            first.count(&rest)
            second.count(&rest)
        case .countWhere(_, let condition): condition.count(&rest)
        case .first(_, let condition, let operand):
            condition.count(&rest)
            operand.count(&rest)
        }
    }
}

extension Condition {
    fileprivate func count(_ rest: inout Int) {
        rest -= 1
        guard rest > 0 else { return }
        switch self {
        case .constant, .kind, .opaque: break
        case .not(let condition), .related(_, let condition, _), .anyMember(_, let condition):
            condition.count(&rest)
        case .all(let conditions), .any(let conditions):
            for condition in conditions where rest > 0 { condition.count(&rest) }
        case .comparison(let left, _, let right), .texts(let left, _, _, let right):
            left.count(&rest)
            right.count(&rest)
        case .text(let operand, _), .membership(let operand, _): operand.count(&rest)
        }
    }
}
