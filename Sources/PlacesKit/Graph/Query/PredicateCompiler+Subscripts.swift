import Foundation

extension PredicateExpressions.DictionaryKeySubscript {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        guard let dictionary = wrapped.constant else {
            throw NotCompiled(reason: "a dictionary that is not constant")
        }
        return .operand(.applied(.entry(try dictionary.datums()), try compiler.operand(key)))
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        guard let dictionary = wrapped.constant, !(Output.self is any ExpressibleByNilLiteral.Type)
        else { throw NotCompiled(reason: "a dictionary that is not constant") }
        let value = Operand.applied(.entry(try dictionary.datums()), try compiler.operand(key))
        return .operand(.coalesced(value, try compiler.operand(self.default)))
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
        return .operand(.applied(.entry(datums), index))
    }
}

extension PredicateExpressions.CollectionRangeSubscript {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        throw NotCompiled(reason: "a part of a collection")
    }
}

extension Dictionary {
    /// The dictionary with datums for its keys and values.
    fileprivate func datums() throws(NotCompiled) -> [Datum: Datum] {
        var datums: [Datum: Datum] = [:]
        for (key, value) in self {
            datums[try Datum(constant: key)] = try Datum(constant: value)
        }
        return datums
    }
}
