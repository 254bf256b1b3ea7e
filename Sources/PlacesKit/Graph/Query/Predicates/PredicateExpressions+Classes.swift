import Foundation

extension PredicateExpressions.TypeCheck {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        .condition(try compiler.cast(input, to: Desired.self).isObject)
    }

    func text(_ writer: ExpressionWriter) -> String {
        "\(writer.operand(input)) is \(Desired.self)"
    }

    var careful: Careful<Bool> {
        Careful(PredicateExpressions.TypeCheck<Careful<Input.Output>, Desired>(input.carefully))
    }
}

extension PredicateExpressions.ConditionalCast {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        let (path, isObject) = try compiler.cast(input, to: Desired.self)
        return .cast(isNil: isObject.negated, path)
    }

    func text(_ writer: ExpressionWriter) -> String {
        "(\(writer.operand(input)) as? \(Desired.self))"
    }

    var careful: Careful<Output> {
        Careful(
            PredicateExpressions.ConditionalCast<Careful<Input.Output>, Desired>(input.carefully))
    }
}

extension PredicateExpressions.ForceCast {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        let (path, isObject) = try compiler.cast(input, to: Desired.self)
        compiler.fail(where: isObject.negated)
        return .object(path)
    }

    func text(_ writer: ExpressionWriter) -> String {
        "(\(writer.operand(input)) as! \(Desired.self))"
    }

    var careful: Careful<Output> {
        Careful(PredicateExpressions.ForceCast<Careful<Input.Output>, Desired>(input.carefully))
    }
}

extension PredicateCompiler {
    /// The object that an expression leads to, and whether it is one of a class.
    fileprivate mutating func cast(
        _ input: some PredicateExpression, to type: Any.Type
    ) throws(NotCompiled) -> (path: ObjectPath, isObject: Condition) {
        let lowered = try lower(input)
        guard let number = resolver.number(of: type) else {
            throw NotCompiled(
                reason: resolver.isPartial
                    ? "the class of an object" : "\(type) is not a class of the model")
        }
        guard case .object(let path) = lowered.unwrapped else {
            throw NotCompiled(reason: "the class of a choice of objects")
        }
        let entity = graph.layout.entities[number]
        guard entity.table == path.table else { return (path, .constant(false)) }
        // Nothing is not an object of any class.
        let isKind = Condition.objects(of: entity).related(over: path.slots).back(path.levels)
        guard case .cast(let isNil, _) = lowered else { return (path, isKind) }
        return (path, .every([isNil.negated, isKind]))
    }
}
