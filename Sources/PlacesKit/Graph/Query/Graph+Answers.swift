extension Graph {
    /// Tells of rows whether they satisfy a condition.
    ///
    /// What is asked of the members of an owner to which many rows lead is asked once, not for each of
    /// them: the answers are kept as long as the closure is.
    func answers(
        to condition: Condition, in table: TableNumber, opaque: @escaping (Row) -> Bool
    ) -> (Row) -> Bool {
        guard condition.sharesMembers else {
            return { matches(condition, $0, in: table, opaque: opaque) }
        }
        switch condition {
        case .not(let condition):
            let holds = answers(to: condition, in: table, opaque: opaque)
            return { !holds($0) }
        case .all(let conditions):
            let parts = conditions.map { answers(to: $0, in: table, opaque: opaque) }
            return { row in parts.allSatisfy { $0(row) } }
        case .any(let conditions):
            let parts = conditions.map { answers(to: $0, in: table, opaque: opaque) }
            return { row in parts.contains { $0(row) } }
        case .related(let slot, let condition, let otherwise):
            let holds = answers(to: condition, in: destination(of: slot, in: table)) { _ in false }
            var known: [Row: Bool] = [:]
            return { row in
                let target = reference(row, slot, in: table)
                guard !target.isNone else { return otherwise }
                if let answer = known[target] { return answer }
                let answer = holds(target)
                known[target] = answer
                return answer
            }
        default: return { matches(condition, $0, in: table, opaque: opaque) }
        }
    }
}

extension Condition {
    /// Whether it asks the members of what a to-one relationship leads to, and nothing there of the rows that lead
    /// to it.
    fileprivate var sharesMembers: Bool {
        switch self {
        case .not(let condition): condition.sharesMembers
        case .all(let conditions), .any(let conditions):
            conditions.contains(where: \.sharesMembers)
        case .related(_, let condition, _):
            !condition.looksOut() && ConditionPart.condition(condition).walksMembers
        default: false
        }
    }
}

extension ConditionPart {
    /// Whether members are looked at one after the other for it.
    fileprivate var walksMembers: Bool {
        if case .condition(.anyMember) = self { return true }
        var walks = false
        forEachPart { part, scope in
            if case .members = scope { walks = true }
            walks = walks || part.walksMembers
        }
        return walks
    }
}
