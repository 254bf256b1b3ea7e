extension Condition {
    /// Whether the condition reads a row from which more than `depth` relationships were followed:
    /// such a condition must be asked of each row with what lies around it.
    func looksOut(beyond depth: Int = 0) -> Bool {
        switch self {
        case .constant, .kind, .opaque: false
        case .not(let condition): condition.looksOut(beyond: depth)
        case .all(let conditions), .any(let conditions):
            conditions.contains { $0.looksOut(beyond: depth) }
        case .comparison(let left, _, let right), .texts(let left, _, _, let right):
            left.looksOut(beyond: depth) || right.looksOut(beyond: depth)
        case .text(let operand, _), .membership(let operand, _): operand.looksOut(beyond: depth)
        case .related(_, let condition, _), .anyMember(_, let condition):
            condition.looksOut(beyond: depth + 1)
        }
    }
}

extension Operand {
    /// Whether the operand reads a row from which more than `depth` relationships were followed.
    fileprivate func looksOut(beyond depth: Int) -> Bool {
        switch self {
        case .constant, .attribute, .count, .identity: false
        case .folded(let operand, _), .mapped(let operand, _): operand.looksOut(beyond: depth)
        case .coalesced(let first, let second), .arithmetic(let first, _, let second),
            .exact(let first, _, let second, _):
            first.looksOut(beyond: depth) || second.looksOut(beyond: depth)
        case .chosen(let condition, let first, let second):
            condition.looksOut(beyond: depth) || first.looksOut(beyond: depth)
                || second.looksOut(beyond: depth)
        case .aggregate(_, let path, let operand), .member(let path, _, let operand):
            path.levels > depth || operand.looksOut(beyond: depth + 1)
        case .countWhere(let path, let condition):
            path.levels > depth || condition.looksOut(beyond: depth + 1)
        case .first(let path, let condition, let operand):
            path.levels > depth || condition.looksOut(beyond: depth + 1)
                || operand.looksOut(beyond: depth + 1)
        case .outer(let levels, let operand):
            levels > depth || operand.looksOut(beyond: depth - levels)
        }
    }
}
