extension Condition {
    /// Whether the condition reads a row from which relationships were followed to the one that it is
    /// asked of: such a condition must be asked of each row with what lies around it.
    func looksOut() -> Bool { reach > 0 }

    /// How many relationships back the furthest row lies that the condition reads.
    var reach: Int {
        switch self {
        case .constant, .kind, .opaque: 0
        case .not(let condition): condition.reach
        case .all(let conditions), .any(let conditions): conditions.map(\.reach).max() ?? 0
        case .comparison(let left, _, let right), .texts(let left, _, _, let right):
            max(left.reach, right.reach)
        case .text(let operand, _), .membership(let operand, _): operand.reach
        case .related(_, let condition, _), .anyMember(_, let condition):
            max(0, condition.reach - 1)
        }
    }
}

extension Operand {
    /// How many relationships back the furthest row lies that the operand reads.
    fileprivate var reach: Int {
        switch self {
        case .constant, .attribute, .count, .identity: 0
        case .folded(let operand, _), .mapped(let operand, _), .length(let operand): operand.reach
        case .coalesced(let first, let second), .arithmetic(let first, _, let second),
            .exact(let first, _, let second, _):
            max(first.reach, second.reach)
        case .chosen(let condition, let first, let second):
            max(condition.reach, first.reach, second.reach)
        case .aggregate(_, let path, let operand), .member(let path, _, let operand):
            max(path.levels, operand.reach - 1)
        case .countWhere(let path, let condition): max(path.levels, condition.reach - 1)
        case .first(let path, let condition, let operand):
            max(path.levels, condition.reach - 1, operand.reach - 1)
        case .outer(let levels, let operand): levels + operand.reach
        }
    }
}
