/// A part of a condition or of an operand.
enum ConditionPart {
    case condition(Condition)
    case operand(Operand)
}

/// Where the rows lie that a part is asked of, seen from those of the whole.
enum PartScope {
    /// They are the same.
    case here
    /// At the other end of a relationship.
    case related(slot: Slot)
    /// Among members.
    case members(MembersPath)
    /// So many relationships back.
    case outer(Int)
}

extension Condition {
    /// Hands each part of which the condition is made, and where its rows lie, to `body`.
    func forEachPart(_ body: (ConditionPart, PartScope) -> Void) {
        switch self {
        case .constant, .kind, .rows, .opaque: break
        case .not(let condition): body(.condition(condition), .here)
        case .all(let conditions), .any(let conditions):
            for condition in conditions { body(.condition(condition), .here) }
        case .comparison(let left, _, let right), .texts(let left, _, _, let right):
            body(.operand(left), .here)
            body(.operand(right), .here)
        case .text(let operand, _), .membership(let operand, _): body(.operand(operand), .here)
        case .related(let slot, let condition, _), .anyMember(let slot, let condition):
            body(.condition(condition), .related(slot: slot))
        }
    }
}

extension Operand {
    /// Hands each part of which the operand is made, and where its rows lie, to `body`.
    func forEachPart(_ body: (ConditionPart, PartScope) -> Void) {
        switch self {
        case .constant, .attribute, .count, .identity: break
        case .applied(_, let operand): body(.operand(operand), .here)
        case .relevance(let rank):
            for attribute in rank.attributes { body(.operand(.attribute(attribute.path)), .here) }
        case .coalesced(let first, let second), .arithmetic(let first, _, let second),
            .distance(let first, let second, _), .exact(let first, _, let second, _):
            body(.operand(first), .here)
            body(.operand(second), .here)
        case .chosen(let condition, let first, let second):
            body(.condition(condition), .here)
            body(.operand(first), .here)
            body(.operand(second), .here)
        case .aggregate(_, let path, let operand), .member(let path, _, let operand):
            body(.operand(operand), .members(path))
        case .countWhere(let path, let condition): body(.condition(condition), .members(path))
        case .first(let path, let condition, let operand):
            body(.condition(condition), .members(path))
            body(.operand(operand), .members(path))
        case .outer(let levels, let operand): body(.operand(operand), .outer(levels))
        }
    }
}

extension ConditionPart {
    /// Hands each part of which this one is made, and where its rows lie, to `body`.
    func forEachPart(_ body: (ConditionPart, PartScope) -> Void) {
        switch self {
        case .condition(let condition): condition.forEachPart(body)
        case .operand(let operand): operand.forEachPart(body)
        }
    }
}
