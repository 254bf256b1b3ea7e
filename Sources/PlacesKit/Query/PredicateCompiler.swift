import Foundation

/// Learns what a key path means; the objects' floor knows.
protocol KeyPathResolver {
    /// What a key path from a managed object means, or `nil` when it is not a chain of properties.
    func resolve(_ keyPath: AnyKeyPath) -> ResolvedKeyPath?
}

/// What a key path from a managed object means: a chain of slots, to-one relationships but the last.
enum ResolvedKeyPath: Equatable {
    /// An attribute, or a relationship itself.
    case property([Int])
    /// The number of members of a to-many relationship.
    case count([Int])
    /// The identifier of the object at the end of the chain.
    case identity([Int])
}

/// Lowers Foundation's predicates to conditions.
///
/// Every kind of expression conforms to `LoweredExpression` and says what it becomes. One that does
/// not, or that meets something it cannot express, throws `NotCompiled` with the reason; the whole
/// predicate is then asked of each object.
struct PredicateCompiler {
    let resolver: any KeyPathResolver
    /// What the variables of the predicate and of its closures stand for.
    var variables: [PredicateExpressions.VariableID: Lowered] = [:]
    /// The relationships of the table that the outermost variable belongs to.
    let graph: Graph
    let table: Int

    /// The condition that a predicate stands for.
    static func compile<each Input>(
        _ predicate: Predicate<repeat each Input>, in table: Int, of graph: Graph,
        resolver: any KeyPathResolver
    ) -> Condition {
        var compiler = PredicateCompiler(resolver: resolver, graph: graph, table: table)
        for variable in repeat (each predicate.variable) {
            compiler.variables[variable.key] = .object([], table: table)
        }
        do {
            return try compiler.condition(predicate.expression)
        } catch {
            return .opaque(OpaqueCondition(reason: error.reason))
        }
    }

    /// What an expression becomes.
    mutating func lower(_ expression: any PredicateExpression) throws(NotCompiled) -> Lowered {
        guard let expression = expression as? any LoweredExpression else {
            throw NotCompiled(reason: "\(type(of: expression)) is not compiled")
        }
        return try expression.lower(with: &self)
    }

    /// An expression that must become a condition.
    mutating func condition(
        _ expression: any PredicateExpression
    ) throws(NotCompiled) -> Condition {
        switch try lower(expression) {
        case .condition(let condition): return condition
        case .operand(.constant(.boolean(let answer))): return .constant(answer)
        case .operand(let operand):
            return comparing(operand, .equal, .constant(.boolean(true)))
        case .guarded, .object, .members, .sequence, .identifier:
            throw NotCompiled(reason: "a condition was expected")
        }
    }

    /// An expression that must become a value.
    mutating func operand(_ expression: any PredicateExpression) throws(NotCompiled) -> Operand {
        switch try lower(expression) {
        case .operand(let operand): return operand
        case .object(let path, _): return .identity(path)
        case .condition, .guarded, .members, .sequence, .identifier:
            throw NotCompiled(reason: "a value was expected")
        }
    }

    /// The comparison of two operands, with chains turned into joins where one side is constant.
    func comparing(
        _ left: Operand, _ comparison: ComparisonOperator, _ right: Operand
    ) -> Condition {
        switch (left, right) {
        case (.constant(let a), .constant(let b)): return .constant(comparison.holds(a, b))
        case (.constant, _): return comparing(right, comparison.mirrored, left)
        case (.attribute(let path), .constant(let constant)) where path.count > 1:
            let otherwise = comparison.holds(Datum.null, constant)
            return joined(path) {
                .comparison(.attribute([$0]), comparison, right)
            } otherwise: { otherwise }
        default: return .comparison(left, comparison, right)
        }
    }

    /// A condition on the attribute at the end of a chain, evaluated there and joined back.
    func joined(
        _ path: [Int], _ condition: (Int) -> Condition, otherwise: () -> Bool
    ) -> Condition {
        path.dropLast().reversed().reduce(condition(path[path.count - 1])) {
            .related(slot: $1, $0, otherwise: otherwise())
        }
    }
}

/// What an expression of a predicate becomes.
enum Lowered {
    /// A truth value.
    case condition(Condition)
    /// A truth value that is `nil` where an operand is.
    case guarded(Operand, Condition)
    /// A value.
    case operand(Operand)
    /// The object at the end of a chain of to-one relationships, and its table.
    case object([Int], table: Int)
    /// The members of the to-many relationship at the end of a chain.
    case members([Int])
    /// Some values.
    case sequence(Set<Datum>)
    /// The identifier of an object.
    case identifier(ObjectID)
}

/// Why an expression cannot be compiled.
struct NotCompiled: Error {
    var reason: String
}

/// An expression of Foundation's predicates that can be compiled.
protocol LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered
}
