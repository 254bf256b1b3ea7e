import Foundation

extension PredicateExpressions.DictionaryKeySubscript {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        guard let dictionary = wrapped.constant else {
            throw NotCompiled(reason: "a dictionary that is not constant")
        }
        return .operand(try compiler.entry(of: dictionary, at: key))
    }

    func text(_ writer: ExpressionWriter) -> String {
        "\(writer.operand(wrapped))[\(writer.text(key))]"
    }

    var careful: Careful<Output> {
        let (wrapped, key) = (wrapped.carefully, key.carefully)
        return Careful { try wrapped.evaluate($0)[key.evaluate($0)] }
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        guard let dictionary = wrapped.constant, !(Output.self is any ExpressibleByNilLiteral.Type)
        else { throw NotCompiled(reason: "a dictionary that is not constant") }
        let value = try compiler.entry(of: dictionary, at: key)
        return .operand(.coalescing(value, try compiler.operand(self.default)))
    }

    func text(_ writer: ExpressionWriter) -> String {
        "\(writer.operand(wrapped))[\(writer.text(key)), default: \(writer.text(self.default))]"
    }

    var careful: Careful<Output> {
        let (wrapped, key, value) = (wrapped.carefully, key.carefully, self.default.carefully)
        return Careful {
            let other = try value.evaluate($0)
            return try wrapped.evaluate($0)[key.evaluate($0), default: other]
        }
    }
}

extension PredicateExpressions.CollectionIndexSubscript {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        // A range may be endless to walk.
        guard let values = wrapped.constant, !(values is any RangeExpression),
            values.startIndex is Int
        else { throw NotCompiled(reason: "a collection that is not constant") }
        let index = try compiler.operand(self.index)
        var datums: [Datum: Datum] = [:]
        for index in values.indices {
            datums[try Datum(constant: index)] = try Datum(constant: values[index])
        }
        compiler.fail(where: Condition.membership(of: index, in: Set(datums.keys)).negated)
        return .operand(.entry(of: datums, at: index))
    }

    func text(_ writer: ExpressionWriter) -> String {
        "\(writer.operand(wrapped))[\(writer.text(index))]"
    }

    var careful: Careful<Output> {
        Careful(
            PredicateExpressions.CollectionIndexSubscript(
                wrapped: wrapped.carefully, index: index.carefully))
    }
}

extension PredicateExpressions.CollectionRangeSubscript {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        throw NotCompiled(reason: "a part of a collection")
    }

    func text(_ writer: ExpressionWriter) -> String {
        "\(writer.operand(wrapped))[\(writer.text(range))]"
    }

    var careful: Careful<Output> {
        Careful(
            PredicateExpressions.CollectionRangeSubscript(
                wrapped: wrapped.carefully, range: range.carefully))
    }
}

extension PredicateCompiler {
    /// What a dictionary that is the same for every object has for a key.
    fileprivate mutating func entry<Key, Value>(
        of dictionary: [Key: Value], at key: some PredicateExpression
    ) throws(NotCompiled) -> Operand {
        let key = try operand(key)
        let table = destination(of: key)
        var datums: [Datum: Datum] = [:]
        for (constant, value) in dictionary {
            guard let datum = try datum(of: constant, in: table) else { continue }
            datums[datum] = try Datum(constant: value)
        }
        return .entry(of: datums, at: key)
    }
}
