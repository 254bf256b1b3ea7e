import Foundation

extension PredicateExpressions.SequenceContains {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        // A range may be endless to walk; it has an expression of its own.
        guard !(LHS.Output.self is any RangeExpression.Type), let sequence = sequence.constant
        else { return try compiler.membership(of: element, in: self.sequence) }
        let operand = try compiler.operand(element)
        let table = compiler.destination(of: operand)
        var values: Set<Datum> = []
        for element in sequence {
            if let datum = try compiler.datum(of: element, in: table) { values.insert(datum) }
        }
        return .condition(.membership(of: operand, in: values))
    }

    func text(_ writer: ExpressionWriter) -> String {
        "\(writer.operand(sequence)).contains(\(writer.text(element)))"
    }

    var careful: Careful<Bool> {
        Careful(
            PredicateExpressions.SequenceContains(
                sequence: sequence.carefully, element: element.carefully))
    }
}

extension PredicateExpressions.SequenceContainsWhere {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        try compiler.search(sequence, variable.key, test, for: true)
    }

    func text(_ writer: ExpressionWriter) -> String { writer.call(sequence, "contains", test) }

    var careful: Careful<Bool> {
        .closure(test, variable, over: sequence) { try $0.contains(where: $1) }
    }
}

extension PredicateExpressions.SequenceAllSatisfy {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        try compiler.search(sequence, variable.key, test, for: false)
    }

    func text(_ writer: ExpressionWriter) -> String { writer.call(sequence, "allSatisfy", test) }

    var careful: Careful<Bool> {
        .closure(test, variable, over: sequence) { try $0.allSatisfy($1) }
    }
}

extension PredicateExpressions.Filter {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        guard case .members(let path, let condition, let table) = try compiler.lower(sequence)
        else { throw NotCompiled(reason: "filter of what is not a to-many relationship") }
        let test = try compiler.closure(filter, variable.key, over: table)
        compiler.fail(where: .someMember(of: path, .every([condition, test.fails])))
        return .members(path, where: .every([condition, test.holds]), table: table)
    }

    func text(_ writer: ExpressionWriter) -> String { writer.call(sequence, "filter", filter) }

    var careful: Careful<Output> {
        .closure(filter, variable, over: sequence) { try $0.filter($1) }
    }
}

extension PredicateCompiler {
    /// Whether a member of a to-many relationship is an object.
    fileprivate mutating func membership(
        of element: some PredicateExpression, in sequence: some PredicateExpression
    ) throws(NotCompiled) -> Lowered {
        guard case .members(let path, let condition, _) = try lower(sequence) else {
            throw NotCompiled(reason: "contains(_:) of what is no constant and no relationship")
        }
        let object = try operand(element)
        let isSame = Condition.comparison(.identity([]), .equal, object.back(1))
        return .condition(.someMember(of: path, .every([condition, isSame])))
    }

    /// Whether a test comes to `answer` for an element of a sequence, as `contains(where:)` asks, or
    /// for none, as `allSatisfy` does.
    fileprivate mutating func search<Sequence: PredicateExpression>(
        _ sequence: Sequence, _ variable: PredicateExpressions.VariableID,
        _ test: some PredicateExpression, for answer: Bool
    ) throws(NotCompiled) -> Lowered where Sequence.Output: Swift.Sequence {
        if !(Sequence.Output.self is any RangeExpression.Type), let elements = sequence.constant {
            return try search(elements, variable, test, for: answer)
        }
        guard case .members(let path, let condition, let table) = try lower(sequence) else {
            throw NotCompiled(reason: "a closure over what is not a to-many relationship")
        }
        let (holds, fails) = try closure(test, variable, over: table)
        let sought = answer ? holds : holds.negated
        if fails.isConstant(false) {
            let some = Condition.someMember(of: path, .every([condition, sought]))
            return .condition(answer ? some : some.negated)
        }
        // The members are asked in their order, and the first that decides ends it.
        let first = Operand.first(
            path, where: .every([condition, .some([fails, sought])]),
            .truth(isNil: .constant(false), fails))
        fail(where: .comparison(first, .equal, .constant(.boolean(true))))
        let some = Condition.comparison(first, .equal, .constant(.boolean(false)))
        return .condition(answer ? some : some.negated)
    }

    /// The same for a few elements that are the same for every object.
    private mutating func search(
        _ elements: some Sequence, _ variable: PredicateExpressions.VariableID,
        _ test: some PredicateExpression, for answer: Bool
    ) throws(NotCompiled) -> Lowered {
        let few = Array(elements.prefix(33))
        guard few.count < 33 else {
            throw NotCompiled(reason: "a closure over more than 32 constants")
        }
        var found = Condition.constant(false)
        for element in few {
            bind(variable, to: try Lowered(constant: element))
            let holds = try under(found.negated) { compiler throws(NotCompiled) in
                try compiler.condition(test)
            }
            found = .some([found, answer ? holds : holds.negated])
        }
        return .condition(answer ? found : found.negated)
    }
}

extension PredicateExpressions.SequenceMinimum {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        throw NotCompiled(reason: "the least of several values")
    }

    func text(_ writer: ExpressionWriter) -> String { "\(writer.operand(elements)).min()" }

    var careful: Careful<Output> {
        let elements = elements.carefully
        return Careful { try elements.evaluate($0).min(by: Elements.Output.Element.precedes) }
    }
}

extension PredicateExpressions.SequenceMaximum {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        throw NotCompiled(reason: "the greatest of several values")
    }

    func text(_ writer: ExpressionWriter) -> String { "\(writer.operand(elements)).max()" }

    var careful: Careful<Output> {
        let elements = elements.carefully
        return Careful { try elements.evaluate($0).max(by: Elements.Output.Element.precedes) }
    }
}

// MARK: - Expressions within others

extension PredicateExpressions.ExpressionEvaluate {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        guard let expression = expression.constant else {
            throw NotCompiled(reason: "an expression that is not constant")
        }
        // An input may evaluate the same expression, with the same variables.
        var meanings: [(PredicateExpressions.VariableID, Lowered)] = []
        for (variable, input) in repeat (each expression.variable, each input) {
            meanings.append((variable.key, try compiler.lower(input)))
        }
        for (variable, meaning) in meanings { compiler.bind(variable, to: meaning) }
        // By itself it lacks the values of its variables, which may be constant.
        return try compiler.under(.constant(true)) { compiler throws(NotCompiled) in
            try compiler.lower(expression.expression)
        }
    }

    func text(_ writer: ExpressionWriter) -> String {
        var inputs: [String] = []
        for input in repeat each input { inputs.append(writer.text(input)) }
        return "expression.evaluate(\(inputs.joined(separator: ", ")))"
    }

    var careful: Careful<Output> {
        guard let inner = expression.constant else { return Careful(self) }
        let expression = inner.expression.carefully
        let inputs = (repeat (each input).carefully)
        return Careful { bindings in
            var own = PredicateBindings()
            for (variable, input) in repeat (each inner.variable, each inputs) {
                own[variable] = try input.evaluate(bindings)
            }
            return try expression.evaluate(own)
        }
    }
}

// MARK: - Text

extension PredicateExpressions.CollectionContainsCollection {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        try compiler.text(base, .contains, other)
    }

    func text(_ writer: ExpressionWriter) -> String {
        "\(writer.operand(base)).contains(\(writer.text(other)))"
    }

    var careful: Careful<Bool> {
        Careful(
            PredicateExpressions.CollectionContainsCollection(
                base: base.carefully, other: other.carefully))
    }
}

extension PredicateExpressions.SequenceStartsWith {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        try compiler.text(base, .beginsWith, prefix)
    }

    func text(_ writer: ExpressionWriter) -> String {
        "\(writer.operand(base)).starts(with: \(writer.text(prefix)))"
    }

    var careful: Careful<Bool> {
        Careful(
            PredicateExpressions.SequenceStartsWith(
                base: base.carefully, prefix: prefix.carefully))
    }
}

extension PredicateCompiler {
    /// How the text of one expression relates to that of another.
    fileprivate mutating func text<Base: PredicateExpression, Other: PredicateExpression>(
        _ base: Base, _ operation: TextOperator, _ other: Other
    ) throws(NotCompiled) -> Lowered {
        guard Base.Output.self is any StoredAsText.Type, Other.Output.self is any StoredAsText.Type
        else { throw NotCompiled(reason: "\(Base.Output.self) is not text") }
        var (text, pattern) = (try operand(base), try operand(other))
        var folding: TextFolding = []
        if case .applied(.folded(let own), let inner) = text { (text, folding) = (inner, own) }
        if case .applied(.folded(let own), let inner) = pattern, own == folding { pattern = inner }
        if case .constant(.string(let pattern)) = pattern {
            return .condition(.testing(text, TextTest(operation, pattern, folding: folding)))
        }
        return .condition(.texts(text, operation, folding, pattern))
    }
}

/// A type whose values a text column or text in a predicate holds.
protocol StoredAsText {}
extension String: StoredAsText {}
extension Substring: StoredAsText {}

extension Careful {
    /// What a sequence comes to, whose elements a closure tests.
    fileprivate static func closure<Elements: Sequence>(
        _ test: some PredicateExpression<Bool>,
        _ variable: PredicateExpressions.Variable<Elements.Element>,
        over sequence: some PredicateExpression<Elements>,
        _ body: @escaping (Elements, (Elements.Element) throws -> Bool) throws -> Output
    ) -> Careful {
        let (sequence, test) = (sequence.carefully, test.carefully)
        return Careful { bindings in
            var inner = bindings
            return try body(sequence.evaluate(bindings)) {
                inner[variable] = $0
                return try test.evaluate(inner)
            }
        }
    }
}

extension Comparable {
    /// Whether a value comes before another, text in the order that indexes have.
    fileprivate static func precedes(_ left: Self, _ right: Self) -> Bool {
        guard let left = left as? String, let right = right as? String else { return left < right }
        return left.canonicalOrder(to: right) < 0
    }
}
