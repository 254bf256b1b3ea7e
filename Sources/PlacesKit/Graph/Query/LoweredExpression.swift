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
    /// What the expression becomes, if it can be compiled.
    func lowered(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered? {
        try Lowering.type(of: self)?.lower(self, with: &compiler)
    }

    /// The expression as it would be written in Swift, if it can be compiled.
    func text(_ writer: ExpressionWriter) -> String? {
        Lowering.type(of: self)?.text(self, writer)
    }
}

// What is passed on as a value of a type stays where it lies; as one of a protocol it would go into a box.

extension LoweredExpression {
    fileprivate static func lower(
        _ expression: some PredicateExpression, with compiler: inout PredicateCompiler
    ) throws(NotCompiled) -> Lowered {
        try same(as: expression).lower(with: &compiler)
    }

    fileprivate static func text(
        _ expression: some PredicateExpression, _ writer: ExpressionWriter
    ) -> String {
        same(as: expression).text(writer)
    }

    /// The expression, which is of this very type.
    ///
    /// A cast would find that out once more, in twice the time of all else.
    @inline(__always)
    private static func same<Expression>(as expression: Expression) -> Self {
        precondition(Expression.self == Self.self)
        return unsafeBitCast(expression, to: Self.self)
    }
}

/// Which types of expressions can be compiled.
///
/// NB: To ask the runtime for a conformance took a seventh of a short query; what it said once it says
/// again. Each type has one place to be remembered in, which it may share: then the last one has it.
private enum Lowering {
    private typealias Known = (expression: ObjectIdentifier, type: (any LoweredExpression.Type)?)

    private static let places = 512
    private static let known = Mutex([Known?](repeating: nil, count: places))

    static func type<Expression: PredicateExpression>(
        of expression: Expression
    ) -> (any LoweredExpression.Type)? {
        let key = ObjectIdentifier(Expression.self)
        // What describes a type lies at a multiple of 16 bytes.
        let place = Int(bitPattern: key) >> 4 & (places - 1)
        return known.withLock { known in
            if let entry = known[place], entry.expression == key { return entry.type }
            let type = Expression.self as? any LoweredExpression.Type
            known[place] = (key, type)
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
