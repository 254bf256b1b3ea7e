import Foundation

extension PredicateExpressions.Equal {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        .condition(try compiler.equality(lhs, .equal, rhs))
    }

    func text(_ writer: ExpressionWriter) -> String { writer.text(lhs, "==", rhs) }

    var careful: Careful<Bool> {
        Careful(PredicateExpressions.Equal(lhs: lhs.carefully, rhs: rhs.carefully))
    }
}

extension PredicateExpressions.NotEqual {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        .condition(try compiler.equality(lhs, .notEqual, rhs))
    }

    func text(_ writer: ExpressionWriter) -> String { writer.text(lhs, "!=", rhs) }

    var careful: Careful<Bool> {
        Careful(PredicateExpressions.NotEqual(lhs: lhs.carefully, rhs: rhs.carefully))
    }
}

extension PredicateCompiler {
    fileprivate mutating func equality(
        _ left: some PredicateExpression, _ comparison: ComparisonOperator,
        _ right: some PredicateExpression
    ) throws(NotCompiled) -> Condition {
        let (left, right) = (try lower(left), try lower(right))
        switch (left, right) {
        case (.identifier(let id), let other), (let other, .identifier(let id)):
            guard case .operand(let operand) = other, let table = destination(of: operand) else {
                throw NotCompiled(reason: "an identifier compared with what is not one")
            }
            guard let datum = datum(of: id, in: table) else {
                return .constant(comparison == .notEqual)
            }
            return .comparing(operand, comparison, .constant(datum))
        case (.composite(let path), .operand(.constant(.null))),
            (.operand(.constant(.null)), .composite(let path)):
            return comparison == .equal ? path.isNil : path.isNil.negated
        case (let left, let right) where left.isTruth || right.isTruth:
            let same = try sameTruth(left, right)
            return comparison == .equal ? same : same.negated
        default:
            let (left, right) = (try left.operand(), try right.operand())
            let (own, other) = (classes(of: left), classes(of: right))
            guard !own.isEmpty, !other.isEmpty, own.union(other).count > 1 else {
                return .comparing(left, comparison, right)
            }
            // Each table counts its own objects, so numbers of several say nothing of each other.
            guard own.count == 1, other.count == 1 else {
                throw NotCompiled(reason: "an identifier of one of several classes")
            }
            let areNil = Condition.every([.isNil(left), .isNil(right)])
            return comparison == .equal ? areNil : areNil.negated
        }
    }

    /// The tables of the objects whose numbers an operand may be, so many closures further out.
    private func classes(of operand: Operand, back levels: Int = 0) -> Set<TableNumber> {
        switch operand {
        case .identity(let path):
            [path.reduce(tables[level - levels]) { graph.destination(of: $1, in: $0) }]
        case .outer(let further, let inner): classes(of: inner, back: levels + further)
        case .coalesced(let first, let second), .chosen(_, let first, let second):
            classes(of: first, back: levels).union(classes(of: second, back: levels))
        default: []
        }
    }

    /// The table of the object to which an operand is the way.
    func destination(of operand: Operand) -> TableNumber? {
        switch operand {
        case .identity, .outer(_, .identity): classes(of: operand).first
        default: nil
        }
    }

    /// The datum of a constant, of an identifier among those of a table; `nil` for one that is not there.
    func datum(of constant: Any, in table: TableNumber?) throws(NotCompiled) -> Datum? {
        guard let table, let id = constant as? ObjectID else {
            return try Datum(constant: constant)
        }
        return datum(of: id, in: table)
    }

    /// The number of an object among those of a table, or its identifier in words where only a fetch knows all classes
    /// that are there; `nil` for one that is of another table.
    private func datum(of id: ObjectID, in table: TableNumber) -> Datum? {
        guard resolver.isPartial else {
            return graph.number(in: id, of: table).map { .integer($0) }
        }
        let own = graph.layout.entity(of: id)?.table
        return own == nil || own == table ? .string(id.description) : nil
    }

    private func sameTruth(_ left: Lowered, _ right: Lowered) throws(NotCompiled) -> Condition {
        let (left, right) = (try left.truth(), try right.truth())
        return .some([
            .every([left.isNil, right.isNil]),
            .every([
                left.isNil.negated, right.isNil.negated, .same(left.holds, right.holds),
            ]),
        ])
    }
}

extension PredicateExpressions.Comparison {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        guard let comparison = ComparisonOperator(op) else {
            throw NotCompiled(reason: "an unknown comparison")
        }
        if isOrderedAsStored(LHS.Output.self) {
            return .condition(
                .comparing(
                    try compiler.operand(lhs), comparison, try compiler.operand(rhs)))
        }
        return .condition(try cases(comparison, with: &compiler))
    }

    /// Which cases of an enum compare so with a constant.
    @inline(never)
    private func cases(
        _ comparison: ComparisonOperator, with compiler: inout PredicateCompiler
    ) throws(NotCompiled) -> Condition {
        if let constant = rhs.constant {
            return try compiler.cases(lhs) { comparison.holds($0, constant) }
        }
        if let constant = lhs.constant {
            return try compiler.cases(rhs) { comparison.holds(constant, $0) }
        }
        throw NotCompiled(reason: "\(LHS.Output.self) has an order of its own")
    }

    func text(_ writer: ExpressionWriter) -> String {
        writer.text(lhs, ComparisonOperator(op)?.symbol ?? "?", rhs)
    }

    var careful: Careful<Bool> {
        let (left, right) = (lhs.carefully, rhs.carefully)
        guard LHS.Output.hasOwnOrder, let comparison = ComparisonOperator(op) else {
            return Careful(PredicateExpressions.Comparison(lhs: left, rhs: right, op: op))
        }
        return Careful { try comparison.holdsAsStored(left.evaluate($0), right.evaluate($0)) }
    }
}

extension ComparisonOperator {
    /// The operator of a predicate, if it is known.
    init?(_ comparison: PredicateExpressions.ComparisonOperator) {
        switch comparison {
        case .lessThan: self = .less
        case .lessThanOrEqual: self = .lessOrEqual
        case .greaterThan: self = .greater
        case .greaterThanOrEqual: self = .greaterOrEqual
        @unknown default: return nil
        }
    }
}

extension PredicateExpressions.RangeExpressionContains {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        // The element is compared with both ends.
        let start = compiler.loweredCount
        let condition = try condition(with: &compiler)
        return try compiler.limited(.condition(condition), since: start)
    }

    private func condition(
        with compiler: inout PredicateCompiler
    ) throws(NotCompiled) -> Condition {
        if let bounds = range as? any BoundsExpression, range.constant == nil {
            return try compiler.contains(element, between: bounds)
        }
        guard let range = range.constant else {
            throw NotCompiled(reason: "a range that is not constant")
        }
        guard isOrderedAsStored(Element.Output.self) else {
            return try compiler.cases(element) { range.contains($0) }
        }
        guard let ends = range.ends else {
            throw NotCompiled(reason: "a range of a type that is not known")
        }
        let operand = try compiler.operand(element)
        func compared(_ order: ComparisonOperator, _ end: Any) throws(NotCompiled) -> Condition {
            .comparing(operand, order, .constant(try Datum(constant: end)))
        }
        var conditions: [Condition] = []
        if let lower = ends.lower { conditions.append(try compared(.greaterOrEqual, lower)) }
        if let upper = ends.upper {
            conditions.append(try compared(ends.excludesUpper ? .less : .lessOrEqual, upper))
        }
        return .every(conditions)
    }

    func text(_ writer: ExpressionWriter) -> String {
        "\(writer.operand(range)).contains(\(writer.text(element)))"
    }

    var careful: Careful<Bool> {
        let (range, element) = (range.carefully, element.carefully)
        return Careful { bindings in
            let range = try range.evaluate(bindings)
            let element = try element.evaluate(bindings)
            return range.containsAsStored(element)
        }
    }
}

/// A range whose bounds are expressions.
protocol BoundsExpression {
    associatedtype LHS: PredicateExpression
    associatedtype RHS: PredicateExpression
    var lower: LHS { get }
    var upper: RHS { get }
    static var isClosed: Bool { get }
}

extension PredicateExpressions.Range: BoundsExpression {
    static var isClosed: Bool { false }

    var careful: Careful<Output> {
        let (lower, upper) = (lower.carefully, upper.carefully)
        return Careful { bindings in
            let (lower, upper) = (try lower.evaluate(bindings), try upper.evaluate(bindings))
            // Swift makes a range up to a date that is not a number.
            guard lower <= upper, ComparisonOperator.lessOrEqual.holdsAsStored(lower, upper) else {
                throw NoValue()
            }
            return lower..<upper
        }
    }
}

extension PredicateExpressions.ClosedRange: BoundsExpression {
    static var isClosed: Bool { true }

    var careful: Careful<Output> {
        let (lower, upper) = (lower.carefully, upper.carefully)
        return Careful { bindings in
            let (lower, upper) = (try lower.evaluate(bindings), try upper.evaluate(bindings))
            guard lower <= upper, ComparisonOperator.lessOrEqual.holdsAsStored(lower, upper) else {
                throw NoValue()
            }
            return lower...upper
        }
    }
}

extension BoundsExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        throw NotCompiled(reason: "a range of properties only knows contains(_:)")
    }

    func text(_ writer: ExpressionWriter) -> String {
        let operation = Self.isClosed ? "..." : "..<"
        return "(\(writer.operand(lower))\(operation)\(writer.operand(upper)))"
    }
}

extension PredicateCompiler {
    /// Whether a value lies between bounds that each object has of its own.
    fileprivate mutating func contains<Bounds: BoundsExpression>(
        _ element: some PredicateExpression, between bounds: Bounds
    ) throws(NotCompiled) -> Condition {
        guard isOrderedAsStored(Bounds.LHS.Output.self) else {
            throw NotCompiled(reason: "a range of values that have an order of their own")
        }
        let (lower, upper) = (try operand(bounds.lower), try operand(bounds.upper))
        // Swift makes no range whose bounds are the wrong way round.
        fail(where: Condition.comparing(lower, .lessOrEqual, upper).negated)
        let value = try operand(element)
        return .every([
            .comparing(value, .greaterOrEqual, lower),
            .comparing(value, Bounds.isClosed ? .lessOrEqual : .less, upper),
        ])
    }

    /// Whether the value of an enum is one of the cases that satisfy a test.
    fileprivate mutating func cases<Expression: PredicateExpression>(
        _ expression: Expression, where isIncluded: (Expression.Output) -> Bool
    ) throws(NotCompiled) -> Condition {
        guard let type = Expression.Output.self as? any CaseIterable.Type,
            let cases = list(type) as? [Expression.Output]
        else { throw NotCompiled(reason: "\(Expression.Output.self) has an order of its own") }
        var values: Set<Datum> = []
        for value in cases where isIncluded(value) { values.insert(try Datum(constant: value)) }
        return .membership(of: try operand(expression), in: values)
    }
}

/// All cases of an enum.
private func list<Cases: CaseIterable>(_ type: Cases.Type) -> [Any] { Array(type.allCases) }

extension Comparable {
    /// Whether columns have another order for the values than Swift has: text, and dates, of which Swift says that all
    /// that are not numbers are at most and at least any.
    fileprivate static var hasOwnOrder: Bool { Self.self == String.self || Self.self == Date.self }
}

extension ComparisonOperator {
    /// Whether two values compare so in the order that columns have.
    fileprivate func holdsAsStored<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
        if let left = left as? String, let right = right as? String {
            return holds(.string(left), .string(right))
        }
        if let left = left as? Date, let right = right as? Date {
            return holds(.date(left), .date(right))
        }
        return holds(left, right)
    }
}

extension RangeExpression {
    /// Whether a value lies in a range, in the order that columns have.
    fileprivate func containsAsStored(_ value: Bound) -> Bool {
        guard Bound.hasOwnOrder, let ends else { return contains(value) }
        let isBelow = ends.excludesUpper ? ComparisonOperator.less : .lessOrEqual
        return ends.lower.map { ComparisonOperator.greaterOrEqual.holdsAsStored(value, $0) } ?? true
            && ends.upper.map { isBelow.holdsAsStored(value, $0) } ?? true
    }
}
