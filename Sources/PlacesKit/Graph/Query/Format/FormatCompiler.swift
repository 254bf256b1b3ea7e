import Foundation

/// Gives the words of a predicate format their meaning in a schema.
///
/// What the schema can refute is refused here, so that nothing is left to go wrong when the
/// condition runs.
struct FormatCompiler {
    private let format: String
    private let graph: Graph
    /// The values of variables.
    private let variables: [String: FormatValue]
    private let now: Date
    /// Whether the graph may lack entities, whose objects are then like none.
    private let isPartial: Bool
    /// The rows that relationships were followed from, and of the present row.
    var rows: [Start]
    /// How many parts were written again, for another element of a list.
    var repeated = 0

    /// A row that a path can start from.
    struct Start {
        /// The number of the entity whose object it is.
        var entity: Int
        /// The variable of a `SUBQUERY` that stands for it.
        var variable: String?
    }

    var layout: GraphLayout { graph.layout }

    /// The condition that a predicate format stands for, asked of objects of an entity.
    static func compile(
        _ predicate: PredicateFormat, of entity: Int, in graph: Graph, now: Date,
        isPartial: Bool = false
    ) throws(PredicateFormatError) -> Condition {
        var compiler = FormatCompiler(
            format: predicate.format, graph: graph, variables: predicate.variables, now: now,
            isPartial: isPartial, rows: [Start(entity: entity)])
        return try compiler.condition(predicate.root)
    }

    /// What a key path means, asked of objects of an entity.
    static func operand(
        _ path: FormatNode, written text: String, of entity: Int, in graph: Graph
    ) throws(PredicateFormatError) -> FormatOperand {
        var compiler = FormatCompiler(
            format: text, graph: graph, variables: [:], now: .distantPast,
            isPartial: false, rows: [Start(entity: entity)])
        do throws(PredicateFormatError) {
            return try compiler.operand(path)
        } catch {
            guard case .manyValues(let path) = error.problem else { throw error }
            // Nothing that takes many values can stand before it.
            throw compiler.unexpected(
                "the many that \(path) leads to", expected: "one value, as with @count or @max",
                at: error.column)
        }
    }

    func problem(_ problem: PredicateFormatError.Problem, at column: Int) -> PredicateFormatError {
        PredicateFormatError(format: format, column: column, problem: problem)
    }

    func unexpected(_ found: String, expected: String, at column: Int) -> PredicateFormatError {
        problem(.unexpected(found: found, expected: expected), at: column)
    }

    /// The number of the present row; 0 is the one that the predicate is asked about.
    var level: Int { rows.count - 1 }

    // MARK: - Predicates

    /// What a predicate says of the present row.
    mutating func condition(_ node: FormatNode) throws(PredicateFormatError) -> Condition {
        switch node.kind {
        case .truth(let answer): return .constant(answer)
        case .not(let operand): return try condition(operand).negated
        case .all(let parts):
            return .every(
                try parts.map { (part) throws(PredicateFormatError) in try condition(part) })
        case .any(let parts):
            return .some(
                try parts.map { (part) throws(PredicateFormatError) in try condition(part) })
        case .comparison(let comparison): return try condition(comparison)
        case .value, .list, .path, .steps, .arithmetic, .negative, .subquery, .now, .function,
            .ternary:
            throw unexpected("a value", expected: "a predicate", at: node.column)
        }
    }

    private mutating func condition(
        _ comparison: FormatComparison
    ) throws(PredicateFormatError) -> Condition {
        guard let quantifier = comparison.quantifier else {
            if let list = try listCondition(comparison) { return list }
            if let members = try membersCondition(comparison) { return members }
            let left = try operand(comparison.left)
            return try compare(left, rightSide(of: comparison), comparison)
        }
        if let elements = try elements(of: comparison.left) {
            return try quantified(quantifier, elements, comparison)
        }
        if let elements = try elementCondition(quantifier, comparison) { return elements }
        guard case .path(let path) = comparison.left.kind else {
            throw problem(
                .oneValue("this", operation: quantifier.rawValue), at: comparison.left.column)
        }
        let body: (inout FormatCompiler, FormatOperand) throws(PredicateFormatError) -> Condition =
            { (compiler, left) throws(PredicateFormatError) in
                let right = try compiler.rightSide(of: comparison)
                let condition = try compiler.compare(left, right, comparison)
                return quantifier == .all ? condition.negated : condition
            }
        guard let some = try anyValue(of: path, body) else {
            throw problem(
                .oneValue(path.text, operation: quantifier.rawValue), at: comparison.left.column)
        }
        return quantifier.isAny ? some : some.negated
    }

    /// `CONTAINS` of a relationship or an array on the left, and `IN` of one on the right.
    private mutating func membersCondition(
        _ comparison: FormatComparison
    ) throws(PredicateFormatError) -> Condition? {
        var (many, one) = (comparison.left, comparison.right)
        if comparison.operation == .isIn { swap(&many, &one) }
        guard comparison.operation == .isIn || comparison.operation == .text(.contains) else {
            return nil
        }
        guard case .path(let path) = many.kind else { return nil }
        var equality = comparison
        (equality.operation, equality.left, equality.right) = (.order(.equal), many, one)
        if let element = try elementCondition(.any, equality) { return element }
        return try anyValue(of: path) { (compiler, left) throws(PredicateFormatError) in
            try compiler.compare(left, compiler.rightSide(of: equality), equality)
        }
    }

    // MARK: - Values

    /// What an expression is at the present row.
    mutating func operand(_ node: FormatNode) throws(PredicateFormatError) -> FormatOperand {
        switch node.kind {
        case .value(let value): return try operand(value, at: node.column)
        case .now: return FormatOperand(constant: .date(now))
        case .path(let path): return try operand(path, at: node.column)
        case .steps(let base, let steps): return try operand(steps[...], behind: base)
        case .negative(let inner):
            let zero = FormatNode(column: node.column, kind: .value(.datum(.integer(0))))
            return try arithmetic(zero, .minus, inner)
        case .arithmetic(let left, let operation, let right):
            return try arithmetic(left, operation, right)
        case .subquery(let path, let variable, let test):
            return try subquery(path, variable, test, at: node.column)
        case .function(let function, let arguments): return try operand(function, of: arguments)
        case .ternary(let test, let first, let second):
            return try operand(test, first, otherwise: second)
        case .list:
            throw unexpected("a list", expected: "one value", at: node.column)
        case .truth, .not, .all, .any, .comparison:
            throw unexpected("a predicate", expected: "a value", at: node.column)
        }
    }

    func operand(
        _ value: FormatValue, at column: Int
    ) throws(PredicateFormatError) -> FormatOperand {
        switch value {
        case .datum(let datum): return FormatOperand(constant: datum)
        case .object(let id): return try operand(id, at: column)
        case .list:
            throw unexpected("a list", expected: "one value", at: column)
        }
    }

    /// An object; one that can't be there is like no other.
    func operand(
        _ id: ObjectID, at column: Int
    ) throws(PredicateFormatError) -> FormatOperand {
        guard let entity = layout.entity(of: id) else {
            // It may be a subclass of any class here.
            if isPartial { return FormatOperand(constant: .null) }
            throw problem(
                .incomparable("\(id)", with: "this model", operation: "part of"), at: column)
        }
        let number = graph.number(in: id, of: entity.table) ?? Delta.noObject
        return FormatOperand(.constant(.integer(number)), .object(table: entity.table))
    }

    /// The value that a variable was given.
    func value(
        ofVariable name: String, at column: Int
    ) throws(PredicateFormatError) -> FormatValue {
        guard let value = variables[name] else { throw problem(.unboundVariable(name), at: column) }
        return value
    }

    private mutating func arithmetic(
        _ left: FormatNode, _ operation: ArithmeticOperator, _ right: FormatNode
    ) throws(PredicateFormatError) -> FormatOperand {
        let operands = (try operand(left), try operand(right))
        if case .bits(let operation) = operation {
            for (node, operand) in [(left, operands.0), (right, operands.1)] {
                try requireWhole(operand, at: node.column)
            }
            return operands.0.combined(operation, operands.1)
        }
        // An instant and a number of seconds make another instant.
        if operands.0.type == .date, operands.1.type.isNumber,
            operation == .plus || operation == .minus
        {
            return try shifted(operands.0, operation, operands.1, at: right.column)
        }
        for (node, operand) in [(left, operands.0), (right, operands.1)]
        where !operand.type.isNumber && operand.type != .null {
            throw unexpected(operand.type.name, expected: "a number", at: node.column)
        }
        if let a = operands.0.constant, let b = operands.1.constant {
            return FormatOperand(constant: operation.apply(a, b))
        }
        let types = [operands.0.type, operands.1.type]
        let isWhole = types.allSatisfy { $0 == .integer || $0 == .unsigned }
        let type: FormatType =
            !isWhole ? .real : types.contains(.unsigned) ? .unsigned : .integer
        return FormatOperand(
            .arithmetic(operands.0.operand, operation, operands.1.operand), type)
    }

    private func shifted(
        _ date: FormatOperand, _ operation: ArithmeticOperator, _ seconds: FormatOperand,
        at column: Int
    ) throws(PredicateFormatError) -> FormatOperand {
        guard case .date(let date)? = date.constant, let seconds = seconds.constant?.number else {
            throw problem(.unsupported("arithmetic with a date that is stored"), at: column)
        }
        return FormatOperand(
            constant: .date(date + (operation == .plus ? seconds : -seconds)))
    }
}
