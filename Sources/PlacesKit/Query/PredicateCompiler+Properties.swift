import Foundation

extension PredicateExpressions.Variable: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        guard let meaning = compiler.variables[key] else {
            throw NotCompiled(reason: "a variable belongs to another predicate")
        }
        return meaning
    }
}

extension PredicateExpressions.Value: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        try Lowered(constant: value)
    }
}

extension PredicateExpressions.NilLiteral: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        .operand(.constant(.null))
    }
}

extension PredicateExpressions.KeyPath: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        switch try compiler.lower(root) {
        case .object(let path, let table):
            guard let resolved = compiler.resolver.resolve(keyPath) else {
                throw NotCompiled(reason: "\(keyPath) is computed, not a managed property")
            }
            return compiler.lowered(resolved, from: path, table: table)
        case .members(let path):
            let members = Root.Output.self as? any CountedMembers.Type
            switch keyPath as AnyKeyPath {
            case members?.countKeyPath: return .operand(.count(path))
            case members?.isEmptyKeyPath:
                return .condition(
                    .comparing(.count(path), .equal, .constant(.integer(0))))
            default: throw NotCompiled(reason: "\(keyPath) of a to-many relationship")
            }
        case .operand(let operand) where keyPath == \String.isEmpty as AnyKeyPath:
            return .condition(.comparing(operand, .equal, .constant(.string(""))))
        case .condition, .guarded, .operand, .identifier:
            throw NotCompiled(reason: "\(keyPath) is not a property of a managed object")
        }
    }
}

/// Objects that a relationship leads to, and the key paths that tell how many.
protocol CountedMembers {
    static var countKeyPath: AnyKeyPath { get }
    static var isEmptyKeyPath: AnyKeyPath { get }
}

extension PredicateCompiler {
    /// What a resolved key path becomes when it starts at the end of a chain.
    fileprivate func lowered(
        _ resolved: ResolvedKeyPath, from path: [Int], table: Int
    ) -> Lowered {
        switch resolved {
        case .count(let slots): return .operand(.count(path + slots))
        case .identity(let slots): return .operand(.identity(path + slots))
        case .property(let slots):
            var table = table
            for slot in slots.dropLast() { table = graph.destination(of: slot, in: table) }
            switch graph.layout.tables[table].relationships[slots[slots.count - 1]] {
            case nil: return .operand(.attribute(path + slots))
            case .toOne, .oneToOne:
                return .object(
                    path + slots,
                    table: graph.destination(of: slots[slots.count - 1], in: table))
            case .toMany, .manyToMany: return .members(path + slots)
            }
        }
    }
}
