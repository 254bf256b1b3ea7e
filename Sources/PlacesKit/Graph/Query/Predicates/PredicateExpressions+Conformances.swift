import Foundation

/// An expression of Foundation's predicates that can be compiled.
protocol LoweredExpression: SendableMetatype {
    /// What the expression becomes.
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered
    /// The expression as it would be written in Swift.
    func text(_ writer: ExpressionWriter) -> String
}

/// An expression that holds where all of others do, of which none is such an expression.
protocol ConjoinedExpression {
    var conjoined: [any PredicateExpression] { get }
}

/// An expression of Foundation's predicates that is evaluated as the engine would, where Foundation
/// stops the program or has another order.
///
/// Most expressions only pass the care on to those within them, and leave the evaluation to Foundation.
protocol CarefulExpression<Output>: PredicateExpression {
    var careful: Careful<Output> { get }
}

/// An expression that is compiled, and evaluated with care where it cannot be.
protocol KnownExpression: LoweredExpression, CarefulExpression {}

// A conformance that is found by a cast is declared beside its protocol: a program that is linked from a
// static archive gets only the object files that something in it names, and the cast names this one.

extension PredicateExpressions.Arithmetic: KnownExpression {}
extension PredicateExpressions.ClosedRange: KnownExpression {}
extension PredicateExpressions.CollectionContainsCollection: KnownExpression {}
extension PredicateExpressions.CollectionIndexSubscript: KnownExpression {}
extension PredicateExpressions.CollectionRangeSubscript: KnownExpression {}
extension PredicateExpressions.Comparison: KnownExpression {}
extension PredicateExpressions.Conditional: KnownExpression {}
extension PredicateExpressions.ConditionalCast: KnownExpression {}
extension PredicateExpressions.Conjunction: KnownExpression, ConjoinedExpression {}
extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: KnownExpression {}
extension PredicateExpressions.DictionaryKeySubscript: KnownExpression {}
extension PredicateExpressions.Disjunction: KnownExpression {}
extension PredicateExpressions.Equal: KnownExpression {}
extension PredicateExpressions.ExpressionEvaluate: KnownExpression {}
extension PredicateExpressions.Filter: KnownExpression {}
extension PredicateExpressions.FloatDivision: KnownExpression {}
extension PredicateExpressions.ForceCast: KnownExpression {}
extension PredicateExpressions.ForcedUnwrap: KnownExpression {}
extension PredicateExpressions.IntDivision: KnownExpression {}
extension PredicateExpressions.IntRemainder: KnownExpression {}
extension PredicateExpressions.KeyPath: KnownExpression {}
extension PredicateExpressions.Negation: KnownExpression {}
extension PredicateExpressions.NilCoalesce: KnownExpression {}
extension PredicateExpressions.NilLiteral: LoweredExpression {}
extension PredicateExpressions.NotEqual: KnownExpression {}
extension PredicateExpressions.OptionalFlatMap: KnownExpression {}
extension PredicateExpressions.Range: KnownExpression {}
extension PredicateExpressions.RangeExpressionContains: KnownExpression {}
extension PredicateExpressions.SequenceAllSatisfy: KnownExpression {}
extension PredicateExpressions.SequenceContains: KnownExpression {}
extension PredicateExpressions.SequenceContainsWhere: KnownExpression {}
extension PredicateExpressions.SequenceMaximum: KnownExpression {}
extension PredicateExpressions.SequenceMinimum: KnownExpression {}
extension PredicateExpressions.SequenceStartsWith: KnownExpression {}
extension PredicateExpressions.TypeCheck: KnownExpression {}
extension PredicateExpressions.UnaryMinus: KnownExpression {}
extension PredicateExpressions.Value: LoweredExpression {}
extension PredicateExpressions.Variable: LoweredExpression {}
