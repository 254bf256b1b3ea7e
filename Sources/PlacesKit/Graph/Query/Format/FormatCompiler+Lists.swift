extension FormatCompiler {
    /// The elements of a list, each compiled once; `nil` for what is no list.
    mutating func elements(
        of node: FormatNode
    ) throws(PredicateFormatError) -> [FormatOperand]? {
        switch node.kind {
        case .list(let nodes):
            var operands: [FormatOperand] = []
            for node in nodes { operands.append(try operand(node)) }
            return operands
        case .value(.list(let values)): return try elements(values, at: node.column)
        case .path(let path) where path.steps.isEmpty:
            guard let variable = path.variable, root(of: path) == nil,
                case .list(let values) = try value(ofVariable: variable, at: node.column)
            else { return nil }
            return try elements(values, at: node.column)
        default: return nil
        }
    }

    private func elements(
        _ values: [FormatValue], at column: Int
    ) throws(PredicateFormatError) -> [FormatOperand] {
        var operands: [FormatOperand] = []
        for value in values { operands.append(try operand(value, at: column)) }
        return operands
    }

    /// A list on the left of `CONTAINS`, or of another list that equals it element by element.
    mutating func listCondition(
        _ comparison: FormatComparison
    ) throws(PredicateFormatError) -> Condition? {
        guard let left = try elements(of: comparison.left) else { return nil }
        switch comparison.operation {
        case .text(.contains): return try isIn(operand(comparison.right), left, comparison)
        case .order(let order) where order.isEquality:
            guard let right = try elements(of: comparison.right) else {
                throw unexpected(
                    "a list", expected: "one value, or ANY, ALL or NONE before the list",
                    at: comparison.left.column)
            }
            guard left.count == right.count else { return .constant(order == .notEqual) }
            var conditions: [Condition] = []
            for (left, right) in zip(left, right) {
                conditions.append(try compare(left, .equal, right, comparison))
            }
            let areEqual = Condition.every(conditions)
            return order == .equal ? areEqual : areEqual.negated
        default:
            throw unexpected("a list", expected: "one value", at: comparison.left.column)
        }
    }

    /// What any, all or none of the elements of a list do.
    mutating func quantified(
        _ quantifier: FormatComparison.Quantifier, _ elements: [FormatOperand],
        _ comparison: FormatComparison
    ) throws(PredicateFormatError) -> Condition {
        let right = try rightSide(of: comparison)
        // What equals any element is in the list, which is one look into a set.
        if case .one(let value) = right,
            comparison.operation == .order(quantifier == .all ? .notEqual : .equal)
        {
            let isElement = try isIn(value, elements, comparison)
            return quantifier.isAny ? isElement : isElement.negated
        }
        for other in right.operands {
            try noteRepeated(other, elements.count, at: comparison.right.column)
        }
        var conditions: [Condition] = []
        for element in elements { conditions.append(try compare(element, right, comparison)) }
        if quantifier == .all { return .every(conditions) }
        let some = Condition.some(conditions)
        return quantifier.isAny ? some : some.negated
    }

    /// What any, all or none of the elements of an array do that is an attribute; `nil` for what is none.
    mutating func elementCondition(
        _ quantifier: FormatComparison.Quantifier, _ comparison: FormatComparison
    ) throws(PredicateFormatError) -> Condition? {
        guard case .path(let path) = comparison.left.kind, let root = root(of: path),
            try firstToMany(path.steps[...], rows[root].entity, path) == nil
        else { return nil }
        let array = try operand(comparison.left)
        guard case .coded(let elementType) = array.type else { return nil }
        let right = try rightSide(of: comparison)
        if comparison.operation == .isIn, case .one = right {
            throw noList(at: comparison.right.column)
        }
        var values = right.operands
        guard values.allSatisfy({ $0.constant != nil }) else {
            throw problem(
                .unsupported("comparing elements with what is stored"), at: comparison.right.column)
        }
        if let elementType {
            let element = FormatOperand(array.operand, FormatType(elementType))
            for index in values.indices {
                values[index] = try value(values[index], comparedWith: element, comparison)
            }
        }
        let constants = values.compactMap(\.constant)
        guard
            let test = ElementTest(
                comparison.operation, comparison.folding, constants, of: elementType,
                isForAll: quantifier == .all)
        else {
            throw unexpected(
                constants.first?.description ?? "nothing", expected: "a pattern",
                at: comparison.right.column)
        }
        let holds = Condition.comparing(
            array.applying(.elements(test), as: .boolean).operand, .equal, .constant(.boolean(true))
        )
        return quantifier == .none ? holds.negated : holds
    }

    /// A value as one of the type of an element that it is compared with.
    private func value(
        _ value: FormatOperand, comparedWith element: FormatOperand, _ comparison: FormatComparison
    ) throws(PredicateFormatError) -> FormatOperand {
        switch comparison.operation {
        case .order(let order): return try sides(element, order, value, comparison).1
        case .between: return try sides(element, .lessOrEqual, value, comparison).1
        case .isIn: return try sides(element, .equal, value, comparison).1
        case .text:
            try requireText(element, value, comparison)
            return value
        }
    }

    /// Whether a value equals one of some others.
    mutating func isIn(
        _ left: FormatOperand, _ elements: [FormatOperand], _ comparison: FormatComparison
    ) throws(PredicateFormatError) -> Condition {
        var conditions: [Condition] = []
        var values: Set<Datum> = []
        var member: Operand?
        for element in elements {
            let (one, other) = try sides(left, .equal, element, comparison)
            if one.isWhole, case .double(let number)? = other.constant {
                // No whole number equals one with a fraction, or one that its kind does not hold.
                guard let whole = one.whole(number) else { continue }
                member = one.operand
                values.insert(whole)
            } else if one.isStored, let value = other.constant,
                other.type == one.type || other.type == .null
            {
                member = one.operand
                values.insert(value)
            } else {
                conditions.append(try compare(left, .equal, element, comparison))
            }
        }
        if left.constant == nil {
            try noteRepeated(left, conditions.count, at: comparison.operationColumn)
        }
        if let member, let value = values.first {
            // One value may be looked up in an index, and many are one look into a set.
            conditions.append(
                values.count == 1
                    ? .comparing(member, .equal, .constant(value))
                    : .membership(of: member, in: values))
        }
        return .some(conditions)
    }

    /// How many parts may be written again: what repeats others that repeat others grows by powers.
    private static let mostRepeated = 100_000

    /// Counts the parts of a value that a condition asks for so many times.
    mutating func noteRepeated(
        _ operand: FormatOperand, _ times: Int, at column: Int
    ) throws(PredicateFormatError) {
        guard times > 1 else { return }
        repeated += operand.operand.size(upTo: Self.mostRepeated + 1) * (times - 1)
        guard repeated <= Self.mostRepeated else {
            throw problem(.tooLarge(limit: Self.mostRepeated), at: column)
        }
    }
}
