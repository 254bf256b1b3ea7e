import Foundation

extension PredicateExpressions.Variable {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        try compiler.meaning(of: key)
    }

    func text(_ writer: ExpressionWriter) -> String { writer.name(of: key) }
}

extension PredicateExpressions.Value {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        try Lowered(constant: value)
    }

    func text(_ writer: ExpressionWriter) -> String { writer.text(constant: value) }
}

extension PredicateExpressions.NilLiteral {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        .operand(.constant(.null))
    }

    func text(_ writer: ExpressionWriter) -> String { "nil" }
}

extension PredicateExpressions.KeyPath {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        switch try compiler.lower(root) {
        case .object(let path):
            guard let resolved = compiler.resolver.resolve(keyPath) else {
                throw NotCompiled(
                    reason: AttributeType.isJSON(Output.self)
                        ? "equal values of a Codable type may be written differently"
                        : "this is computed, not a managed property")
            }
            return compiler.lowered(resolved, from: path)
        case .members(let path, let condition, _):
            let members = Root.Output.self as? any CountedMembers.Type
            switch keyPath as AnyKeyPath {
            case members?.countKeyPath: return .operand(.count(of: path, where: condition))
            case members?.isEmptyKeyPath:
                return .condition(Condition.someMember(of: path, condition).negated)
            default:
                throw NotCompiled(
                    reason: "of a to-many relationship only count and isEmpty are known")
            }
        case .operand(let operand) where String.isEmptyKeyPaths.contains(keyPath):
            return .condition(.comparing(operand, .equal, .constant(.string(""))))
        case .operand(let operand):
            guard let folding = (Output.self as? any FoldedText.Type)?.folding else {
                throw NotCompiled(reason: "this is not a property of a managed object")
            }
            if case .constant(.string(let text)) = operand {
                return .operand(.constant(.string(folding.fold(text))))
            }
            return .operand(.applied(.folded(folding), operand))
        case .composite(let composite):
            guard let part = composite.parts.firstIndex(of: keyPath) else {
                throw NotCompiled(reason: "of a composite attribute only the parts are known")
            }
            return .operand(composite.operand(part))
        case .condition, .guarded, .cast, .identifier:
            throw NotCompiled(reason: "this is not a property of a managed object")
        }
    }

    func text(_ writer: ExpressionWriter) -> String {
        // The folded forms of text are reached through key paths of our own.
        Output.self is any FoldedText.Type
            ? writer.text(root) : "\(writer.operand(root)).\(writer.text(keyPath as AnyKeyPath))"
    }

    var careful: Careful<Output> {
        let root = root.carefully
        return Careful { [keyPath] in try root.evaluate($0)[keyPath: keyPath] }
    }
}

/// Objects that a relationship leads to, and the key paths that tell how many.
protocol CountedMembers {
    static var countKeyPath: AnyKeyPath { get }
    static var isEmptyKeyPath: AnyKeyPath { get }
}

/// What `filter` makes of them.
extension Array: CountedMembers {
    static var countKeyPath: AnyKeyPath { \Self.count }
    static var isEmptyKeyPath: AnyKeyPath { \Self.isEmpty }
}

extension Operand {
    /// How many members of a relationship satisfy a condition.
    static func count(of path: MembersPath, where condition: Condition) -> Operand {
        condition.isConstant(true)
            ? Operand.count(path.slots).back(path.levels) : .countWhere(path, condition)
    }
}

extension Condition {
    /// Whether at least one member of a relationship satisfies a condition.
    static func someMember(of path: MembersPath, _ condition: Condition) -> Condition {
        switch condition {
        case .constant(false): return .constant(false)
        case .constant(true):
            return .comparing(
                .count(of: path, where: condition), .greater, .constant(.integer(0)))
        default: break
        }
        guard path.levels == 0, path.slots.count == 1 || !condition.looksOut() else {
            return .comparison(.countWhere(path, condition), .greater, .constant(.integer(0)))
        }
        return .anyMember(slot: path.slots[path.slots.count - 1], condition)
            .related(over: path.slots.dropLast())
    }
}

extension PredicateCompiler {
    /// What a resolved key path becomes when it starts at an object.
    fileprivate func lowered(_ resolved: ResolvedKeyPath, from path: ObjectPath) -> Lowered {
        switch resolved {
        case .count(let slots):
            return .operand(Operand.count(path.slots + slots).back(path.levels))
        case .identity(let slots):
            return .operand(Operand.identity(path.slots + slots).back(path.levels))
        case .composite(let slots, let parts, let isOptional):
            return .composite(
                CompositePath(
                    levels: path.levels, slots: path.slots + slots.dropLast(),
                    first: slots[slots.count - 1], parts: parts, isOptional: isOptional))
        case .property(let slots):
            var table = path.table
            for slot in slots.dropLast() { table = graph.destination(of: slot, in: table) }
            let (last, slots) = (slots[slots.count - 1], path.slots + slots)
            switch graph.layout.tables[table].relationships[last] {
            case nil: return .operand(Operand.attribute(slots).back(path.levels))
            case .toOne, .oneToOne:
                return .object(
                    ObjectPath(
                        levels: path.levels, slots: slots,
                        table: graph.destination(of: last, in: table)))
            case .toMany, .manyToMany:
                return .members(
                    MembersPath(levels: path.levels, slots: slots), where: .constant(true),
                    table: graph.destination(of: last, in: table))
            }
        }
    }
}
