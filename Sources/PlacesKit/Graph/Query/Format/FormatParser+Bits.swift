extension FormatParser {
    /// What operators on bits join.
    ///
    /// Apple does not tell how tightly they bind beside others, so parentheses must.
    mutating func bits() throws(PredicateFormatError) -> FormatNode {
        var left = try expression(.sum)
        while case .mark(let mark) = token.kind, let operation = BitOperator(mark) {
            guard !left.isPredicate else { return left }
            let column = token.column
            advance()
            let right = try value(.sum)
            for operand in [left, right] where !operand.isWhole(beside: operation) {
                throw unexpected(
                    mark.rawValue, expected: "parentheses that say what \(mark.rawValue) joins",
                    at: column)
            }
            left = try node(
                .arithmetic(left, .bits(operation), right), at: left.column, over: [left, right])
        }
        return left
    }

    /// All bits of a number turned over, behind `~`.
    mutating func complement(at column: Int) throws(PredicateFormatError) -> FormatNode {
        let operand = try nestedValue(.power)
        let ones = FormatNode(column: column, kind: .value(.datum(.integer(-1))))
        var complement = try node(
            .arithmetic(operand, .bits(.exclusiveOr), ones), at: column, over: [operand])
        complement.isGrouped = true
        return complement
    }
}

extension BitOperator {
    /// The operator that a mark stands for, if it is one of bits.
    fileprivate init?(_ mark: FormatMark) {
        switch mark {
        case .bitAnd: self = .and
        case .bitOr: self = .or
        case .bitExclusiveOr: self = .exclusiveOr
        case .shiftedLeft: self = .shiftedLeft
        case .shiftedRight: self = .shiftedRight
        default: return nil
        }
    }
}

extension FormatNode {
    /// Whether nothing joins the part that an operator on bits could tear apart.
    fileprivate func isWhole(beside operation: BitOperator) -> Bool {
        guard case .arithmetic(_, let own, _) = kind, !isGrouped else { return true }
        switch own {
        case .bits(let own): return own == operation
        case .power: return true
        case .plus, .minus, .times, .divided, .remainder: return false
        }
    }
}
