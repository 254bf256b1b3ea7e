import Foundation

extension PredicateExpressions.TypeCheck: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        guard case .object(let path, let table) = try compiler.lower(input),
            let number = compiler.resolver.number(of: Desired.self)
        else { throw NotCompiled(reason: "\(Desired.self) is not a class of the model") }
        let entity = compiler.graph.layout.entities[number]
        guard entity.table == table else { return .condition(.constant(false)) }
        // Nothing is not an object of any class.
        return .condition(
            path.reversed().reduce(.objects(of: entity)) {
                .related(slot: $1, $0, otherwise: false)
            })
    }
}
