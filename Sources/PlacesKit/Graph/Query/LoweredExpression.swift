import Foundation
import Synchronization

/// An expression of Foundation's predicates that can be compiled.
protocol LoweredExpression: SendableMetatype {
    /// What the expression becomes.
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered
    /// The expression as it would be written in Swift.
    func text(_ writer: ExpressionWriter) -> String
}

/// An expression that holds where all of others do.
protocol ConjoinedExpression {
    var conjoined: [any PredicateExpression] { get }
}

extension PredicateExpression {
    /// The expression as one that can be compiled, if it is one.
    var lowered: (any LoweredExpression)? { Lowering.type(of: self)?.same(as: self) }
}

extension LoweredExpression {
    /// The expression, which is of this very type.
    ///
    /// A cast would find that out once more, in twice the time of all else.
    fileprivate static func same<Expression>(as expression: Expression) -> any LoweredExpression {
        precondition(Expression.self == Self.self)
        return unsafeBitCast(expression, to: Self.self)
    }
}

/// Which types of expressions can be compiled.
///
/// NB: To ask the runtime for a conformance took a seventh of a short query; what it said once it says
/// again. There are as many types as there are shapes of predicates in a program.
private enum Lowering {
    private static let types = Mutex<[ObjectIdentifier: (any LoweredExpression.Type)?]>([:])

    static func type<Expression: PredicateExpression>(
        of expression: Expression
    ) -> (any LoweredExpression.Type)? {
        types.withLock { types in
            let key = ObjectIdentifier(Expression.self)
            if let known = types[key] { return known }
            let type = Expression.self as? any LoweredExpression.Type
            types.updateValue(type, forKey: key)
            return type
        }
    }
}

// A conformance that is found by a cast is declared beside its protocol: a program that is linked from a
// static archive gets only the object files that something in it names, and the cast names this one.

extension PredicateExpressions.Arithmetic: LoweredExpression {}
extension PredicateExpressions.ClosedRange: LoweredExpression {}
extension PredicateExpressions.CollectionContainsCollection: LoweredExpression {}
extension PredicateExpressions.CollectionIndexSubscript: LoweredExpression {}
extension PredicateExpressions.CollectionRangeSubscript: LoweredExpression {}
extension PredicateExpressions.Comparison: LoweredExpression {}
extension PredicateExpressions.Conditional: LoweredExpression {}
extension PredicateExpressions.ConditionalCast: LoweredExpression {}
extension PredicateExpressions.Conjunction: LoweredExpression, ConjoinedExpression {}
extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: LoweredExpression {}
extension PredicateExpressions.DictionaryKeySubscript: LoweredExpression {}
extension PredicateExpressions.Disjunction: LoweredExpression {}
extension PredicateExpressions.Equal: LoweredExpression {}
extension PredicateExpressions.ExpressionEvaluate: LoweredExpression {}
extension PredicateExpressions.Filter: LoweredExpression {}
extension PredicateExpressions.FloatDivision: LoweredExpression {}
extension PredicateExpressions.ForceCast: LoweredExpression {}
extension PredicateExpressions.ForcedUnwrap: LoweredExpression {}
extension PredicateExpressions.IntDivision: LoweredExpression {}
extension PredicateExpressions.IntRemainder: LoweredExpression {}
extension PredicateExpressions.KeyPath: LoweredExpression {}
extension PredicateExpressions.Negation: LoweredExpression {}
extension PredicateExpressions.NilCoalesce: LoweredExpression {}
extension PredicateExpressions.NilLiteral: LoweredExpression {}
extension PredicateExpressions.NotEqual: LoweredExpression {}
extension PredicateExpressions.OptionalFlatMap: LoweredExpression {}
extension PredicateExpressions.Range: LoweredExpression {}
extension PredicateExpressions.RangeExpressionContains: LoweredExpression {}
extension PredicateExpressions.SequenceAllSatisfy: LoweredExpression {}
extension PredicateExpressions.SequenceContains: LoweredExpression {}
extension PredicateExpressions.SequenceContainsWhere: LoweredExpression {}
extension PredicateExpressions.SequenceMaximum: LoweredExpression {}
extension PredicateExpressions.SequenceMinimum: LoweredExpression {}
extension PredicateExpressions.SequenceStartsWith: LoweredExpression {}
extension PredicateExpressions.TypeCheck: LoweredExpression {}
extension PredicateExpressions.UnaryMinus: LoweredExpression {}
extension PredicateExpressions.Value: LoweredExpression {}
extension PredicateExpressions.Variable: LoweredExpression {}
