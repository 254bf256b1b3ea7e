import Foundation

extension PredicateExpressions.TypeCheck {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        .condition(try compiler.cast(input, to: Desired.self).isObject)
    }
}

extension PredicateExpressions.ConditionalCast {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        let (path, isObject) = try compiler.cast(input, to: Desired.self)
        return .cast(isNil: isObject.negated, path)
    }
}

extension PredicateExpressions.ForceCast {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        let (path, isObject) = try compiler.cast(input, to: Desired.self)
        compiler.fail(where: isObject.negated)
        return .object(path)
    }
}

extension PredicateCompiler {
    /// The object that an expression leads to, and whether it is one of a class.
    fileprivate mutating func cast(
        _ input: some PredicateExpression, to type: Any.Type
    ) throws(NotCompiled) -> (path: ObjectPath, isObject: Condition) {
        let lowered = try lower(input)
        guard case .object(let path) = lowered.unwrapped, let number = resolver.number(of: type)
        else { throw NotCompiled(reason: "\(type) is not a class of the model") }
        let entity = graph.layout.entities[number]
        guard entity.table == path.table else { return (path, .constant(false)) }
        // Nothing is not an object of any class.
        let isObject = path.slots.reversed().reduce(Condition.objects(of: entity)) {
            .related(slot: $1, $0, otherwise: false)
        }
        let isKind = isObject.back(path.levels)
        guard case .cast(let isNil, _) = lowered else { return (path, isKind) }
        return (path, .every([isNil.negated, isKind]))
    }
}
