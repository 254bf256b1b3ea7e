import Foundation

extension FormatCompiler {
    /// The right side of a comparison.
    enum RightSide {
        case one(FormatOperand)
        case list([FormatOperand])

        var operands: [FormatOperand] {
            switch self {
            case .one(let operand): [operand]
            case .list(let operands): operands
            }
        }
    }

    /// The right side of a comparison, which is compiled once, however much it is compared with.
    mutating func rightSide(
        of comparison: FormatComparison
    ) throws(PredicateFormatError) -> RightSide {
        let node = comparison.right
        switch comparison.operation {
        case .between, .isIn:
            if let elements = try elements(of: node) {
                guard comparison.operation == .isIn || elements.count == 2 else {
                    throw unexpected(
                        "\(elements.count)", expected: "two bounds", at: node.column)
                }
                return .list(elements)
            }
            let text = try operand(node)
            guard comparison.operation == .isIn, text.type == .string else {
                throw noList(at: node.column)
            }
            return .one(text)
        case .order(.equal) where try elements(of: node) != nil:
            throw unexpected(
                "a list", expected: "one value, or IN before the list", at: node.column)
        case .order, .text:
            return .one(try operand(node))
        }
    }

    func noList(at column: Int) -> PredicateFormatError {
        unexpected("one value", expected: "a list", at: column)
    }

    /// How a value of the present row compares with the right side of a comparison.
    mutating func compare(
        _ left: FormatOperand, _ right: RightSide, _ comparison: FormatComparison
    ) throws(PredicateFormatError) -> Condition {
        switch right {
        case .list(let bounds) where comparison.operation == .between:
            try noteRepeated(left, 2, at: comparison.operationColumn)
            return .every([
                try compare(left, .greaterOrEqual, bounds[0], comparison),
                try compare(left, .lessOrEqual, bounds[1], comparison),
            ])
        case .list(let elements): return try isIn(left, elements, comparison)
        case .one(let right):
            if case .order(let order) = comparison.operation {
                return try compare(left, order, right, comparison)
            }
            if case .text(let operation) = comparison.operation {
                return try test(left, operation, right, comparison)
            }
            guard left.type == .string else { throw noList(at: comparison.right.column) }
            return try test(right, .contains, left, comparison)
        }
    }

    func compare(
        _ left: FormatOperand, _ order: ComparisonOperator, _ right: FormatOperand,
        _ comparison: FormatComparison
    ) throws(PredicateFormatError) -> Condition {
        let (left, right) = try sides(left, order, right, comparison)
        if left.isWhole, case .double(let number)? = right.constant {
            return .comparing(whole: left, order, number)
        }
        if right.isWhole, case .double(let number)? = left.constant {
            return .comparing(whole: right, order.mirrored, number)
        }
        return .comparing(left.operand, order, right.operand)
    }

    /// Both sides of a comparison as they are compared: of one type, and folded.
    func sides(
        _ left: FormatOperand, _ order: ComparisonOperator, _ right: FormatOperand,
        _ comparison: FormatComparison
    ) throws(PredicateFormatError) -> (FormatOperand, FormatOperand) {
        guard let (left, right) = unified(left, right), order.isEquality || left.type.isOrdered
        else {
            throw problem(
                .incomparable(
                    left.type.name, with: right.type.name, operation: comparison.operation.name),
                at: comparison.operationColumn)
        }
        if left.type == .string || right.type == .string, !comparison.folding.isEmpty {
            return (left.folded(comparison.folding), right.folded(comparison.folding))
        }
        // A constant of the column's own kind is compared with the whole column at once.
        return (left.number(like: right), right.number(like: left))
    }

    /// Both sides as values that can compare, if they ever can.
    func unified(
        _ left: FormatOperand, _ right: FormatOperand
    ) -> (FormatOperand, FormatOperand)? {
        if let right = right.converted(to: left.type) { return (left, right) }
        return left.converted(to: right.type).map { ($0, right) }
    }

    // MARK: - Text

    func requireText(
        _ left: FormatOperand, _ right: FormatOperand, _ comparison: FormatComparison
    ) throws(PredicateFormatError) {
        let isText = [left, right].map { $0.type == .string || $0.type == .null }
        guard isText != [true, true] else { return }
        throw problem(
            .incomparable(
                left.type.name, with: isText[0] ? right.type.name : "text",
                operation: comparison.operation.name),
            at: comparison.operationColumn)
    }

    private func test(
        _ left: FormatOperand, _ operation: TextOperator, _ right: FormatOperand,
        _ comparison: FormatComparison
    ) throws(PredicateFormatError) -> Condition {
        try requireText(left, right, comparison)
        guard let constant = right.constant else {
            let isEmpty = Condition.comparing(right.operand, .equal, .constant(.string("")))
            let texts = Condition.texts(
                left.operand, operation, comparison.folding, right.operand)
            return operation.hasPattern ? texts : .every([isEmpty.negated, texts])
        }
        if operation.isAboutWords, case .string(let text) = constant {
            return .searching([left.operand], for: text, matching: .prefixes)
        }
        if constant == .null, operation.hasPattern {
            throw unexpected(
                "nil", expected: "a pattern, or == nil for what has no value",
                at: comparison.right.column)
        }
        // Text without a value passes no test, and the empty text is found in none.
        guard case .string(let pattern) = constant, !pattern.isEmpty || operation.hasPattern else {
            return .constant(false)
        }
        let test = TextTest(operation, pattern, folding: comparison.folding)
        guard test.isValid else {
            throw problem(.invalidPattern(pattern), at: comparison.right.column)
        }
        // Text that is the same for every object is asked here.
        let (condition, exhausting) = PatternBudget.spending {
            Condition.testing(left.operand, test)
        }
        if exhausting != nil {
            throw problem(.patternTooCostly(pattern), at: comparison.right.column)
        }
        return condition
    }
}

extension ComparisonOperator {
    var isEquality: Bool { self == .equal || self == .notEqual }
}

extension FormatType {
    /// Whether one value can be less than another.
    var isOrdered: Bool {
        switch self {
        case .data, .coded, .object: false
        case .null, .boolean, .integer, .unsigned, .real, .decimal, .string, .date, .uuid: true
        }
    }
}

extension FormatOperand {
    /// A constant number as one of another value's kind, where such numbers compare with it alike.
    fileprivate func number(like other: FormatOperand) -> FormatOperand {
        guard let constant, constant.number != nil, other.type.isNumber, other.type != type,
            other.isStored, let number = constant.number(as: other.type)
        else { return self }
        return Self(constant: number)
    }

    /// Whether this is a whole number wherever it is asked; what is calculated may leave 64 bits, and go
    /// on as a `Double`.
    var isWhole: Bool { (type == .integer || type == .unsigned) && isStored }

    /// A number as one of this whole number's kind; `nil` where that holds no such number.
    func whole(_ number: Double) -> Datum? {
        type == .unsigned
            ? UInt64(exactly: number).map(Datum.unsigned)
            : Int64(exactly: number).map(Datum.integer)
    }

    /// Whether this is the value of a column, folded or not, or a count.
    var isStored: Bool {
        if case .applied(.folded, let inner) = operand { inner.isStored } else { operand.isStored }
    }

    fileprivate func folded(_ folding: TextFolding) -> FormatOperand {
        if case .string(let text)? = constant {
            return FormatOperand(constant: .string(folding.fold(text)))
        }
        return type == .string ? FormatOperand(.applied(.folded(folding), operand), type) : self
    }
}

extension Datum {
    /// The number as one of a kind that compares with all numbers of that kind alike; `nil` where there is none.
    fileprivate func number(as type: FormatType) -> Datum? {
        switch (type, self) {
        case (.integer, .unsigned(let value)): Int64(exactly: value).map(Datum.integer)
        case (.integer, .decimal(let value)): Int64(value.description).map(Datum.integer)
        case (.unsigned, .integer(let value)): UInt64(exactly: value).map(Datum.unsigned)
        case (.unsigned, .decimal(let value)): UInt64(value.description).map(Datum.unsigned)
        case (.decimal, _): wide.map(Datum.decimal)
        case (.real, .integer(let value)): Double(exactly: value).map(Datum.double)
        case (.real, .unsigned(let value)): Double(exactly: value).map(Datum.double)
        // A decimal is rounded wherever it is compared with a `Double`.
        case (.real, .decimal(let value)): .double(value.nearestDouble)
        default: nil
        }
    }
}

extension Operand {
    /// Whether this is the value of a column, or a count.
    fileprivate var isStored: Bool {
        switch self {
        case .attribute, .count, .identity, .countWhere: true
        case .outer(_, let operand), .member(_, _, let operand), .first(_, _, let operand),
            .applied(.length, let operand):
            operand.isStored
        case .constant, .coalesced, .chosen, .arithmetic, .exact, .distance, .relevance, .applied,
            .aggregate:
            false
        }
    }
}

extension Condition {
    /// How an integer compares with a number that need not be whole, as a comparison of integers.
    fileprivate static func comparing(
        whole side: FormatOperand, _ order: ComparisonOperator, _ number: Double
    ) -> Condition {
        let operand = side.operand
        let isNil = Condition.comparing(operand, .equal, .constant(.null))
        switch order {
        case .equal, .notEqual:
            guard let whole = side.whole(number) else {
                return .constant(order == .notEqual)
            }
            return .comparing(operand, order, .constant(whole))
        case .less, .greaterOrEqual:
            if number.isNaN { return .constant(false) }
            guard let whole = side.whole(number.rounded(.up)) else {
                return (number > 0) == (order == .less) ? isNil.negated : .constant(false)
            }
            return .comparing(operand, order, .constant(whole))
        case .lessOrEqual, .greater:
            if number.isNaN { return .constant(false) }
            guard let whole = side.whole(number.rounded(.down)) else {
                return (number > 0) == (order == .lessOrEqual) ? isNil.negated : .constant(false)
            }
            return .comparing(operand, order, .constant(whole))
        }
    }
}
