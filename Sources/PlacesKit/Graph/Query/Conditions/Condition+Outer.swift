extension Condition {
    /// Whether the condition reads a row from which relationships were followed to the one that it is
    /// asked of: such a condition must be asked of each row with what lies around it.
    func looksOut() -> Bool { reach > 0 }

    /// How many relationships back the furthest row lies that the condition reads.
    var reach: Int { ConditionPart.condition(self).reach }
}

extension ConditionPart {
    /// How many relationships back the furthest row lies that the part reads.
    var reach: Int {
        var reach = 0
        forEachPart { part, scope in
            let inner = part.reach
            switch scope {
            case .here: reach = max(reach, inner)
            case .related: reach = max(reach, inner - 1)
            case .members(let path): reach = max(reach, path.levels, inner - 1)
            case .outer(let levels): reach = max(reach, levels + inner)
            }
        }
        return reach
    }
}
