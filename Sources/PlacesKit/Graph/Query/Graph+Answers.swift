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
        case .comparison(let left, let comparison, let right):
            let (left, right) = (values(of: left, in: table), values(of: right, in: table))
            return { comparison.holds(left($0), right($0)) }
        case .membership(let operand, let set):
            let value = values(of: operand, in: table)
            return { set.contains(value($0)) }
        default: return { matches(condition, $0, in: table, opaque: opaque) }
        }
    }

    /// Tells of rows what an operand is there.
    ///
    /// What the members of an owner come to, to which many rows lead, is found once, as `answers` does.
    func values(of operand: Operand, in table: TableNumber) -> (Row) -> Datum {
        guard operand.sharesMembers else { return { value(of: operand, $0, in: table) } }
        if let (links, end) = operand.behindLinks {
            var known: [Row: Datum] = [:]
            return { row in
                guard let (owner, table) = follow(links, from: row, in: table) else {
                    return .null
                }
                if let value = known[owner] { return value }
                let value = value(of: end, owner, in: table)
                known[owner] = value
                return value
            }
        }
        switch operand {
        case .coalesced(let first, let second):
            let (first, second) = (values(of: first, in: table), values(of: second, in: table))
            return { row in
                let value = first(row)
                return value == .null ? second(row) : value
            }
        case .chosen(let condition, let first, let second):
            let isFirst = answers(to: condition, in: table) { _ in false }
            let (first, second) = (values(of: first, in: table), values(of: second, in: table))
            return { isFirst($0) ? first($0) : second($0) }
        case .arithmetic(let left, let operation, let right):
            let (left, right) = (values(of: left, in: table), values(of: right, in: table))
            return { operation.apply(left($0), right($0)) }
        case .exact(let left, let operation, let right, let type):
            let (left, right) = (values(of: left, in: table), values(of: right, in: table))
            return { operation.exact(left($0), right($0), as: type) }
        case .applied(let function, let operand):
            let value = values(of: operand, in: table)
            return { function(value($0)) }
        default: return { value(of: operand, $0, in: table) }
        }
    }
}

extension Condition {
    /// Whether it asks the members of what a to-one relationship leads to, and nothing there of the rows that lead
    /// to it.
    fileprivate var sharesMembers: Bool {
        switch self {
        case .comparison(let left, _, let right): left.sharesMembers || right.sharesMembers
        case .membership(let operand, _): operand.sharesMembers
        case .not(let condition): condition.sharesMembers
        case .all(let conditions), .any(let conditions):
            conditions.contains(where: \.sharesMembers)
        case .related(_, let condition, _):
            !condition.looksOut() && ConditionPart.condition(condition).walksMembers
        default: false
        }
    }
}

extension Operand {
    /// The same for a value.
    fileprivate var sharesMembers: Bool {
        if behindLinks != nil { return ConditionPart.operand(self).walksMembers }
        var shares = false
        forEachPart { part, scope in
            guard case .here = scope else { return }
            switch part {
            case .condition(let condition): shares = shares || condition.sharesMembers
            case .operand(let operand): shares = shares || operand.sharesMembers
            }
        }
        return shares
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
