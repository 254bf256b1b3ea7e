import Foundation
import Synchronization

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
