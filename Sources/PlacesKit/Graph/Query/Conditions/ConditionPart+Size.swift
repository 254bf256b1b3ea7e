extension Operand {
    /// How many parts the operand has, each counted wherever it stands; no more than a limit are counted.
    func size(upTo limit: Int) -> Int { ConditionPart.operand(self).size(upTo: limit) }
}

extension Condition {
    /// How many parts the condition has, each counted wherever it stands; no more than a limit are counted.
    func size(upTo limit: Int) -> Int { ConditionPart.condition(self).size(upTo: limit) }
}

extension ConditionPart {
    /// How many parts there are, each counted wherever it stands; no more than a limit are counted.
    func size(upTo limit: Int) -> Int {
        var rest = limit
        count(&rest)
        return limit - max(0, rest)
    }

    fileprivate func count(_ rest: inout Int) {
        rest -= 1
        guard rest > 0 else { return }
        forEachPart { part, _ in if rest > 0 { part.count(&rest) } }
    }
}
