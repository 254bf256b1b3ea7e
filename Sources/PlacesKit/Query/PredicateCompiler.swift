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
/// not, or that meets something it cannot express, throws `NotCompiled` with the reason; the
/// predicate is then asked of each object that its other conditions leave.
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
        return compiler.compile(predicate.expression)
    }

    /// The condition of a predicate, with what cannot be compiled left to the objects.
    private mutating func compile(_ expression: any PredicateExpression) -> Condition {
        do {
            return try condition(expression)
        } catch {
            // Asking an object the whole predicate is no mistake where the rest of it holds.
            if let conjunction = expression as? any ConjoinedExpression {
                return .every(conjunction.conjoined.map { compile($0) })
            }
            return .opaque(OpaqueCondition(reason: error.reason))
        }
    }

    /// What an expression becomes.
    mutating func lower(_ expression: any PredicateExpression) throws(NotCompiled) -> Lowered {
        do throws(NotCompiled) {
            guard let expression = expression as? any LoweredExpression else {
                throw NotCompiled(reason: "\(type(of: expression)) is not compiled")
            }
            return try expression.lower(with: &self)
        } catch {
            // What can be evaluated without an object is the same for every object.
            guard let value = expression.constant else { throw error }
            return try Lowered(constant: value)
        }
    }

    /// An expression that must become a condition.
    mutating func condition(
        _ expression: any PredicateExpression
    ) throws(NotCompiled) -> Condition {
        switch try lower(expression) {
        case .condition(let condition): return condition
        case .operand(let operand):
            return .comparing(operand, .equal, .constant(.boolean(true)))
        case .guarded, .object, .members, .identifier:
            throw NotCompiled(reason: "a condition was expected")
        }
    }

    /// An expression that must become a value.
    mutating func operand(_ expression: any PredicateExpression) throws(NotCompiled) -> Operand {
        try operand(lower(expression))
    }

    /// What must be a value.
    func operand(_ lowered: Lowered) throws(NotCompiled) -> Operand {
        switch lowered {
        case .operand(let operand): return operand
        case .object(let path, _): return .identity(path)
        case .condition, .guarded, .members, .identifier:
            throw NotCompiled(reason: "a value was expected")
        }
    }
}

/// What an expression of a predicate becomes.
enum Lowered {
    /// A truth value.
    case condition(Condition)
    /// A truth value that is `nil` where a condition holds.
    case guarded(isNil: Condition, Condition)
    /// A value.
    case operand(Operand)
    /// The object at the end of a chain of to-one relationships, and its table.
    case object([Int], table: Int)
    /// The members of the to-many relationship at the end of a chain.
    case members([Int])
    /// The identifier of an object.
    case identifier(ObjectID)

    /// A value that is the same for every object.
    init(constant value: Any) throws(NotCompiled) {
        if let id = value as? ObjectID {
            self = .identifier(id)
        } else {
            self = .operand(.constant(try Datum(constant: value)))
        }
    }
}

extension Datum {
    /// The datum of a value of an attribute's type.
    init(constant value: Any) throws(NotCompiled) {
        // A URL with a base equals no other, but its absolute string does.
        if let value = value as? any AttributeValue, (value as? URL)?.baseURL == nil {
            self = value.datum
            // Equal values may be written as different JSON.
            if self != .null, type(of: value).attributeType == .json {
                throw NotCompiled(reason: "\(type(of: value)) is compared by the values themselves")
            }
        } else if value is ObjectID? {
            self = .null
        } else {
            throw NotCompiled(reason: "\(type(of: value)) is not an attribute's type")
        }
    }
}

extension PredicateExpression {
    /// What the expression evaluates to when it asks nothing of an object.
    var constant: Output? { try? evaluate(PredicateBindings()) }
}

/// Why an expression cannot be compiled.
struct NotCompiled: Error {
    var reason: String
}

/// An expression of Foundation's predicates that can be compiled.
protocol LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered
}

/// An expression that holds where all of others do.
protocol ConjoinedExpression {
    var conjoined: [any PredicateExpression] { get }
}
