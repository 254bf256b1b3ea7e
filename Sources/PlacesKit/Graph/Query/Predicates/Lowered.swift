import Foundation

/// What an expression of a predicate becomes.
enum Lowered {
    /// A truth value.
    case condition(Condition)
    /// A truth value that is `nil` where a condition holds.
    case guarded(isNil: Condition, Condition)
    /// A value.
    case operand(Operand)
    /// The object at the end of a chain of to-one relationships.
    case object(ObjectPath)
    /// The same, or `nil` where a condition holds.
    case cast(isNil: Condition, ObjectPath)
    /// A composite attribute of the object at the end of such a chain.
    case composite(CompositePath)
    /// The members of a to-many relationship that satisfy a condition, and their table.
    case members(MembersPath, where: Condition, table: TableNumber)
    /// The identifier of an object.
    case identifier(ObjectID)

    /// A value that is the same for every object.
    init(constant value: Any) throws(NotCompiled) {
        if let datum = Datum(usual: value) {
            self = .operand(.constant(datum))
        } else if let id = value as? ObjectID {
            self = .identifier(id)
        } else if let order = value as? ComparisonResult {
            self = .operand(.constant(.integer(Int64(order.rawValue))))
        } else {
            self = .operand(.constant(try Datum(constant: value)))
        }
    }
}

/// The way to an object.
struct ObjectPath {
    /// How many relationships to go back before the way begins.
    var levels = 0
    /// A chain of to-one relationships.
    var slots: [Slot] = []
    /// The table of the object at the end.
    var table: TableNumber

    /// The number of the object's row; `.null` where the chain breaks.
    var identity: Operand { Operand.identity(slots).back(levels) }
}

/// The way to a composite attribute.
struct CompositePath {
    /// How many relationships to go back before the way begins.
    var levels: Int
    /// A chain of to-one relationships.
    var slots: [Slot]
    /// The slot of the first part in the table at the end.
    var first: Slot
    /// The key paths of the parts.
    var parts: [AnyKeyPath]
    /// Whether an object may have no value.
    var isOptional: Bool

    /// The value of a part.
    func operand(_ part: Int) -> Operand {
        Operand.attribute(slots + [Slot(first.index + part)]).back(levels)
    }

    /// Where there is no value: one that is not optional is only missing with its object, also if none of its parts
    /// has a value.
    var isNil: Condition {
        if isOptional { return .every(parts.indices.map { .isNil(operand($0)) }) }
        return slots.isEmpty ? .constant(false) : .isNil(Operand.identity(slots).back(levels))
    }

    /// Whether a chain leads to a part.
    func hasPart(at path: [Slot]) -> Bool {
        levels == 0 && path.dropLast() == slots[...]
            && first.parts(parts.count).contains(path[path.count - 1])
    }
}

extension Operand {
    /// A value of the row from which so many relationships were followed to this one.
    func back(_ levels: Int) -> Operand { levels == 0 ? self : .outer(levels, self) }

    /// A truth value that is `nil` where a condition holds.
    static func truth(isNil: Condition, _ holds: Condition) -> Operand {
        let truth = Operand.choosing(holds, .constant(.boolean(true)), .constant(.boolean(false)))
        return choosing(isNil, .constant(.null), truth)
    }

    /// The first value where a condition holds, else the second.
    static func choosing(
        _ condition: Condition, _ first: Operand, _ second: Operand
    ) -> Operand {
        switch condition {
        case .constant(let answer): answer ? first : second
        default: .chosen(condition, first, second)
        }
    }

    /// The first of two values that is not `nil`.
    static func coalescing(_ first: Operand, _ second: Operand) -> Operand {
        guard case .constant(let value) = first else { return .coalesced(first, second) }
        return value == .null ? second : first
    }

    /// What a value is the key of.
    static func entry(of entries: [Datum: Datum], at key: Operand) -> Operand {
        guard case .constant(let key) = key else { return .applied(.entry(entries), key) }
        return .constant(entries[key] ?? .null)
    }
}

extension Condition {
    /// A condition on the row from which so many relationships were followed to this one.
    func back(_ levels: Int) -> Condition {
        guard levels > 0 else { return self }
        if case .constant = self { return self }
        return .comparison(
            Operand.truth(isNil: .constant(false), self).back(levels), .equal,
            .constant(.boolean(true)))
    }

    /// Whether the answer is the same for every row, and this one.
    func isConstant(_ answer: Bool) -> Bool {
        if case .constant(answer) = self { true } else { false }
    }

    /// Whether an operand has no value.
    static func isNil(_ operand: Operand) -> Condition {
        .comparing(operand, .equal, .constant(.null))
    }
}

extension Lowered {
    /// Where there is no value.
    var isNil: Condition {
        switch self {
        case .condition, .members, .identifier: .constant(false)
        case .guarded(let isNil, _), .cast(let isNil, _): isNil
        case .operand(let operand): .isNil(operand)
        case .object(let path): .isNil(path.identity)
        case .composite(let path): path.isNil
        }
    }

    /// What is left where there is a value.
    var unwrapped: Lowered {
        switch self {
        case .guarded(_, let condition): .condition(condition)
        case .cast(_, let path): .object(path)
        case .condition, .operand, .object, .composite, .members, .identifier: self
        }
    }

    /// The conditions and operands of which this is made.
    var parts: [ConditionPart] {
        switch self {
        case .condition(let condition), .cast(let condition, _), .members(_, let condition, _):
            [.condition(condition)]
        case .guarded(let isNil, let condition): [.condition(isNil), .condition(condition)]
        case .operand(let operand): [.operand(operand)]
        case .object, .composite, .identifier: []
        }
    }

    /// Whether this is a truth value that no operand holds yet.
    var isTruth: Bool {
        switch self {
        case .condition, .guarded: true
        case .operand, .object, .cast, .composite, .members, .identifier: false
        }
    }

    /// What must be a value.
    func operand() throws(NotCompiled) -> Operand {
        switch self {
        case .operand(let operand): return operand
        case .object(let path): return path.identity
        case .cast(let isNil, let path):
            return .choosing(isNil, .constant(.null), path.identity)
        case .condition(let condition): return .truth(isNil: .constant(false), condition)
        case .guarded(let isNil, let condition): return .truth(isNil: isNil, condition)
        case .composite:
            throw NotCompiled(reason: "a composite attribute is compared by the values themselves")
        case .members, .identifier: throw NotCompiled(reason: "a value was expected")
        }
    }

    /// Where a truth value that may be `nil` is so, and where it is true.
    func truth() throws(NotCompiled) -> (isNil: Condition, holds: Condition) {
        switch self {
        case .condition(let condition): return (.constant(false), condition)
        case .guarded(let isNil, let condition): return (isNil, condition)
        case .operand(let operand):
            return (isNil, .comparing(operand, .equal, .constant(.boolean(true))))
        case .object, .cast, .composite, .members, .identifier:
            throw NotCompiled(reason: "a truth value was expected")
        }
    }

    /// A truth value, which may be `nil` only where some condition holds.
    static func truth(isNil: Condition, _ holds: Condition) -> Lowered {
        isNil.isConstant(false) ? .condition(holds) : .guarded(isNil: isNil, holds)
    }

    /// The same, seen from a row that so many relationships lead to.
    func back(_ levels: Int) throws(NotCompiled) -> Lowered {
        guard levels > 0 else { return self }
        switch self {
        case .identifier, .operand(.constant): return self
        case .condition, .guarded, .operand: return .operand(try operand().back(levels))
        case .object(var path):
            path.levels += levels
            return .object(path)
        case .composite(var path):
            path.levels += levels
            return .composite(path)
        case .members(var path, let condition, let table) where !condition.looksOut():
            path.levels += levels
            return .members(path, where: condition, table: table)
        case .cast, .members:
            throw NotCompiled(reason: "a closure looks at a choice of objects around it")
        }
    }
}

extension Datum {
    /// The datum of a value of one of the types that constants mostly have.
    ///
    /// They are told by their metadata: to ask the runtime for a conformance takes ten times as long.
    fileprivate init?(usual value: Any) {
        let type = type(of: value)
        if type == Date.self, let value = value as? Date {
            self = value.datum
        } else if type == String.self, let value = value as? String {
            self = value.datum
        } else if type == Int.self, let value = value as? Int {
            self = value.datum
        } else if type == Double.self, let value = value as? Double {
            self = value.datum
        } else if type == Bool.self, let value = value as? Bool {
            self = value.datum
        } else {
            return nil
        }
    }

    /// The datum of a value of an attribute's type.
    init(constant value: Any) throws(NotCompiled) {
        // A URL with a base equals no other, but its absolute string does.
        if let value = value as? any AttributeValue, (value as? URL)?.baseURL == nil {
            self = value.datum
            // Equal values may be written as different JSON.
            if self != .null, type(of: value).attributeType == .json {
                throw NotCompiled(reason: "\(type(of: value)) is compared by the values themselves")
            }
        } else if value is ObjectID?, !(value is ObjectID) {
            self = .null
        } else {
            throw NotCompiled(reason: "\(type(of: value)) is not an attribute's type")
        }
    }
}
