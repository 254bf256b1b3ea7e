extension Operand {
    /// How many parts the operand has, each counted wherever it stands; no more than a limit are counted.
    func size(upTo limit: Int) -> Int {
        var rest = limit
        ConditionPart.operand(self).count(&rest)
        return limit - max(0, rest)
    }
}

extension ConditionPart {
    fileprivate func count(_ rest: inout Int) {
        rest -= 1
        guard rest > 0 else { return }
        forEachPart { part, _ in if rest > 0 { part.count(&rest) } }
    }
}
