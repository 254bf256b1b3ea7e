import Foundation

/// Learns what key paths and classes mean; the objects' floor knows.
protocol KeyPathResolver {
    /// Whether there may be subclasses that it does not know.
    var isPartial: Bool { get }
    /// The number of a class's entity, or `nil` for a class that is not in the model.
    func number(of type: Any.Type) -> Int?
    /// What a key path from a managed object means, or `nil` when it is not a chain of properties.
    func resolve(_ keyPath: AnyKeyPath) -> ResolvedKeyPath?
}

/// What a key path from a managed object means: a chain of slots, to-one relationships but the last.
enum ResolvedKeyPath: Equatable {
    /// An attribute, or a relationship itself.
    case property([Slot])
    /// The number of members of a to-many relationship.
    case count([Slot])
    /// The identifier of the object at the end of the chain.
    case identity([Slot])
    /// A composite attribute, of which the first part is at the end of the chain, the key paths of the parts, and
    /// whether an object may have none.
    case composite([Slot], parts: [AnyKeyPath], isOptional: Bool)

    /// The values that the key path reads.
    var operands: [Operand] {
        switch self {
        case .property(let path): [.attribute(path)]
        case .count(let path): [.count(path)]
        case .identity(let path): [.identity(path)]
        case .composite(let path, let parts, _):
            path[path.count - 1].parts(parts.count).map { .attribute(path.dropLast() + [$0]) }
        }
    }
}

/// Lowers Foundation's predicates to conditions.
///
/// Every kind of expression conforms to `LoweredExpression` and says what it becomes. One that does
/// not, or that meets something it cannot express, throws `NotCompiled` with the reason; the
/// predicate is then asked of each object that its other conditions leave.
///
/// What would stop or throw, as an overflow or `!` of `nil`, is a condition too, noted by
/// `fail(where:)`: an object that meets it does not match, whatever lies around the expression.
struct PredicateCompiler {
    let resolver: any KeyPathResolver
    let graph: Graph
    /// The tables of the row that the predicate is asked about and of the members in the closures around
    /// the present row, the one of that row last.
    private(set) var tables: [TableNumber]
    /// What the variables of the predicate and of its closures stand for, and at which level.
    private var variables: [Variable] = []
    /// What holds wherever the present expression is evaluated at all.
    private var reached: [Condition] = []
    /// Where the evaluation of the present row fails.
    private var failures: [Condition] = []
    /// How many expressions were lowered so far, those of closures included.
    private(set) var loweredCount = 0

    /// How many closures lie around the present row.
    var level: Int { tables.count - 1 }

    /// The condition that a predicate stands for.
    static func compile<each Input>(
        _ predicate: Predicate<repeat each Input>, in table: TableNumber, of graph: Graph,
        resolver: any KeyPathResolver
    ) -> Condition {
        var compiler = PredicateCompiler(resolver: resolver, graph: graph, table: table)
        for variable in repeat (each predicate.variable) {
            compiler.bind(variable.key, to: .object(ObjectPath(table: table)))
        }
        return compiler.compile(predicate.expression)
    }

    init(resolver: any KeyPathResolver, graph: Graph, table: TableNumber) {
        self.resolver = resolver
        self.graph = graph
        tables = [table]
    }

    /// The condition of a predicate, with what cannot be compiled left to the objects.
    private mutating func compile(_ expression: some PredicateExpression) -> Condition {
        failures = []
        do {
            let condition = try condition(expression)
            if failures.isEmpty { return condition }
            return .every([condition, Condition.some(failures).negated])
        } catch {
            // Asking an object the whole predicate is no mistake where the rest of it holds.
            if let conjunction = expression as? any ConjoinedExpression {
                return .every(conjunction.conjoined.map { compile($0) })
            }
            return .opaque(OpaqueCondition(reason: error.description))
        }
    }

    /// What an expression becomes.
    mutating func lower(_ expression: some PredicateExpression) throws(NotCompiled) -> Lowered {
        let count = failures.count
        loweredCount += 1
        do throws(NotCompiled) {
            if let lowered = try expression.lowered(with: &self) { return lowered }
            let name = "\(type(of: expression))".prefix { $0 != "<" }
            throw NotCompiled(reason: "\(name) is an expression that PlacesKit does not know")
        } catch {
            failures.removeLast(failures.count - count)
            if error.asksObject { throw error }
            return try constant(expression, insteadOf: error)
        }
    }

    /// An expression that asks nothing of an object: it is the same for every object.
    ///
    /// NB: Apart, for to ask the runtime for the type of a value that may be missing took an eighth of the time in
    /// which an expression is lowered.
    @inline(never)
    private func constant(
        _ expression: some PredicateExpression, insteadOf error: NotCompiled
    ) throws(NotCompiled) -> Lowered {
        guard let value = expression.constant else {
            var error = error.of(expression, writer)
            error.asksObject = true
            throw error
        }
        do {
            return try Lowered(constant: value)
        } catch {
            throw error.of(expression, writer)
        }
    }

    private var writer: ExpressionWriter {
        ExpressionWriter(resolver: resolver, layout: graph.layout)
    }

    /// An expression that must become a condition.
    mutating func condition(
        _ expression: some PredicateExpression
    ) throws(NotCompiled) -> Condition {
        switch try lower(expression) {
        case .condition(let condition): return condition
        case .operand(let operand):
            return .comparing(operand, .equal, .constant(.boolean(true)))
        case .guarded, .object, .cast, .composite, .members, .identifier:
            throw NotCompiled(reason: "a condition was expected")
        }
    }

    /// An expression that must become a value.
    mutating func operand(_ expression: some PredicateExpression) throws(NotCompiled) -> Operand {
        try lower(expression).operand()
    }

    // MARK: - Variables

    /// What a variable stands for, and how many closures lie around the row that it was found at.
    private struct Variable {
        let id: PredicateExpressions.VariableID
        let meaning: Lowered
        let level: Int
    }

    /// Lets a variable stand for something at the present row.
    mutating func bind(_ id: PredicateExpressions.VariableID, to meaning: Lowered) {
        variables.removeAll { $0.id == id }
        variables.append(Variable(id: id, meaning: meaning, level: level))
    }

    /// What a variable stands for, seen from the present row.
    func meaning(of id: PredicateExpressions.VariableID) throws(NotCompiled) -> Lowered {
        guard let variable = variables.last(where: { $0.id == id }) else {
            throw NotCompiled(reason: "a variable belongs to another predicate")
        }
        return try variable.meaning.back(level - variable.level)
    }

    // MARK: - What is evaluated, and what fails

    /// Lowers what is evaluated only where a condition holds.
    mutating func under<Result>(
        _ condition: Condition, _ body: (inout PredicateCompiler) throws(NotCompiled) -> Result
    ) throws(NotCompiled) -> Result {
        reached.append(condition)
        defer { reached.removeLast() }
        do throws(NotCompiled) {
            return try body(&self)
        } catch {
            var error = error
            // It may never be evaluated where no object decides about that.
            if case .constant = condition { error.asksObject = false }
            throw error
        }
    }

    /// Notes that the present expression fails where a condition holds.
    mutating func fail(where condition: Condition) {
        let failure = Condition.every(reached + [condition])
        if case .constant(false) = failure { return }
        failures.append(failure)
    }

    /// Where a test of a closure holds for a member, and where it fails.
    mutating func closure(
        _ test: some PredicateExpression, _ variable: PredicateExpressions.VariableID,
        over table: TableNumber
    ) throws(NotCompiled) -> (holds: Condition, fails: Condition) {
        var inner = self
        inner.tables.append(table)
        inner.reached = []
        inner.failures = []
        inner.bind(variable, to: .object(ObjectPath(table: table)))
        let holds = try inner.condition(test)
        loweredCount = inner.loweredCount
        return (holds, .some(inner.failures))
    }
}

extension PredicateExpression {
    /// What the expression evaluates to when it asks nothing of an object.
    ///
    /// - Complexity: O(n) for n expressions within. So it is asked for no expression which has one that is known to ask.
    var constant: Output? { try? carefully.evaluate(PredicateBindings()) }
}

/// Why an expression cannot be compiled.
struct NotCompiled: Error, CustomStringConvertible {
    var reason: String
    /// The innermost expression that was not compiled, as it would be written in Swift.
    private(set) var expression: String?
    /// Whether it has no value without an object, and so neither has what always evaluates it.
    fileprivate(set) var asksObject = false

    init(reason: String) { self.reason = reason }

    /// The same reason, with the expression where none is named yet.
    func of(_ expression: any PredicateExpression, _ writer: ExpressionWriter) -> NotCompiled {
        var result = self
        if result.expression == nil { result.expression = writer.text(expression) }
        return result
    }

    var description: String { expression.map { "\(reason): \($0)" } ?? reason }
}
