import Foundation

extension PredicateExpressions.Arithmetic {
    /// The operator, if it is known.
    private var operation: ArithmeticOperator? {
        switch op {
        case .add: .plus
        case .subtract: .minus
        case .multiply: .times
        @unknown default: nil
        }
    }

    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        guard let operation else { throw NotCompiled(reason: "an unknown operator") }
        return try compiler.arithmetic(lhs, operation, rhs)
    }

    func text(_ writer: ExpressionWriter) -> String {
        writer.text(lhs, operation?.symbol ?? "?", rhs)
    }

    var careful: Careful<Output> {
        let (left, right) = (lhs.carefully, rhs.carefully)
        guard let operation, let type = Output.self as? any FixedWidthInteger.Type else {
            return Careful(PredicateExpressions.Arithmetic(lhs: left, rhs: right, op: op))
        }
        return .whole(type, left, operation, right)
    }
}

extension PredicateExpressions.IntDivision {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        try compiler.arithmetic(lhs, .divided, rhs)
    }

    func text(_ writer: ExpressionWriter) -> String { writer.text(lhs, "/", rhs) }

    var careful: Careful<Output> {
        .whole(Output.self, lhs.carefully, .divided, rhs.carefully)
    }
}

extension PredicateExpressions.IntRemainder {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        try compiler.arithmetic(lhs, .remainder, rhs)
    }

    func text(_ writer: ExpressionWriter) -> String { writer.text(lhs, "%", rhs) }

    var careful: Careful<Output> {
        .whole(Output.self, lhs.carefully, .remainder, rhs.carefully)
    }
}

extension PredicateExpressions.FloatDivision {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        try compiler.arithmetic(lhs, .divided, rhs)
    }

    func text(_ writer: ExpressionWriter) -> String { writer.text(lhs, "/", rhs) }

    var careful: Careful<Output> {
        Careful(PredicateExpressions.FloatDivision(lhs: lhs.carefully, rhs: rhs.carefully))
    }
}

extension PredicateExpressions.UnaryMinus {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        // Zero has a sign, which a difference from zero would lose.
        let type = try compiler.numberType(Wrapped.Output.self)
        let minusOne: Datum =
            switch type {
            case .float, .double: .double(-1)
            case .decimal: .decimal(-1)
            default: .integer(-1)
            }
        let operand = try compiler.operand(wrapped)
        return compiler.exact(operand, .times, .constant(minusOne), type)
    }

    func text(_ writer: ExpressionWriter) -> String { "-" + writer.operand(wrapped) }

    var careful: Careful<Output> {
        let wrapped = wrapped.carefully
        guard let type = Output.self as? any FixedWidthInteger.Type else {
            return Careful(PredicateExpressions.UnaryMinus(wrapped))
        }
        return .whole(type, Careful { _ in .zero }, .minus, wrapped)
    }
}

extension PredicateCompiler {
    fileprivate mutating func arithmetic<Left: PredicateExpression>(
        _ left: Left, _ operation: ArithmeticOperator, _ right: some PredicateExpression
    ) throws(NotCompiled) -> Lowered {
        let type = try numberType(Left.Output.self)
        let (left, right) = (try operand(left), try operand(right))
        return exact(left, operation, right, type)
    }

    /// The type of numbers whose arithmetic is known.
    fileprivate func numberType(_ type: Any.Type) throws(NotCompiled) -> AttributeType {
        guard isOrderedAsStored(type), let type = type as? any AttributeValue.Type,
            !type.isOptional
        else { throw NotCompiled(reason: "\(type) has an arithmetic of its own") }
        return type.attributeType
    }

    /// What two numbers come to; where the type has no room for it the evaluation fails.
    fileprivate mutating func exact(
        _ left: Operand, _ operation: ArithmeticOperator, _ right: Operand, _ type: AttributeType
    ) -> Lowered {
        if case .constant(let a) = left, case .constant(let b) = right {
            let result = operation.exact(a, b, as: type)
            fail(where: .constant(result == .null))
            return .operand(.constant(result))
        }
        let result = Operand.exact(left, operation, right, type)
        if operation.canFail(right, as: type) { fail(where: .isNil(result)) }
        return .operand(result)
    }
}

extension ArithmeticOperator {
    /// Whether the result may not fit into its type.
    fileprivate func canFail(_ right: Operand, as type: AttributeType) -> Bool {
        switch (self, type, right) {
        case (_, .float, _), (_, .double, _), (_, .decimal, _): false
        case (.divided, _, .constant(.integer(let divisor))),
            (.remainder, _, .constant(.integer(let divisor))):
            divisor == 0 || divisor == -1
        case (.divided, _, .constant(.unsigned(let divisor))),
            (.remainder, _, .constant(.unsigned(let divisor))):
            divisor == 0
        default: true
        }
    }

    /// The result as Swift's operator has it for values of a type, or `.null` where that would stop
    /// the program.
    func exact(_ left: Datum, _ right: Datum, as type: AttributeType) -> Datum {
        switch type {
        case .int8: return whole(Int8.self, left, right)
        case .int16: return whole(Int16.self, left, right)
        case .int32: return whole(Int32.self, left, right)
        case .int64: return whole(Int64.self, left, right)
        case .uint8: return whole(UInt8.self, left, right)
        case .uint16: return whole(UInt16.self, left, right)
        case .uint32: return whole(UInt32.self, left, right)
        case .uint64: return whole(UInt64.self, left, right)
        case .float:
            guard let left = left.number, let right = right.number else { return .null }
            return real(Float(left), Float(right)).map { .double(Double($0)) } ?? .null
        case .double:
            guard let left = left.number, let right = right.number else { return .null }
            return real(left, right).map(Datum.double) ?? .null
        case .decimal:
            guard let left = left.wide, let right = right.wide else { return .null }
            switch self {
            case .plus: return .decimal(left + right)
            case .minus: return .decimal(left - right)
            case .times: return .decimal(left * right)
            case .divided, .remainder, .power, .bits: return .null
            }
        case .boolean, .string, .date, .uuid, .url, .data, .json: return .null
        }
    }

    private func whole<Number: FixedWidthInteger & AttributeValue>(
        _ type: Number.Type, _ left: Datum, _ right: Datum
    ) -> Datum {
        guard let left = left.whole(type) else { return .null }
        // The opposite of a number is its product with -1, also where the type has no -1.
        guard let right = right.whole(type) else {
            return self == .times && left == 0 ? left.datum : .null
        }
        return exactly(left, right)?.datum ?? .null
    }

    /// The result as Swift's operator has it, or `nil` where that would stop the program.
    func exactly<Number: FixedWidthInteger>(_ left: Number, _ right: Number) -> Number? {
        let (result, isTooLarge): (Number, Bool)
        switch self {
        case .plus: (result, isTooLarge) = left.addingReportingOverflow(right)
        case .minus: (result, isTooLarge) = left.subtractingReportingOverflow(right)
        case .times: (result, isTooLarge) = left.multipliedReportingOverflow(by: right)
        case .divided: (result, isTooLarge) = left.dividedReportingOverflow(by: right)
        case .remainder: (result, isTooLarge) = left.remainderReportingOverflow(dividingBy: right)
        case .power, .bits: return nil
        }
        return isTooLarge ? nil : result
    }

    private func real<Number: BinaryFloatingPoint>(
        _ left: Number, _ right: Number
    ) -> Number? {
        switch self {
        case .plus: left + right
        case .minus: left - right
        case .times: left * right
        case .divided: left / right
        case .remainder, .power, .bits: nil
        }
    }
}

extension Datum {
    /// The value as an integer of a type.
    fileprivate func whole<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        switch self {
        case .integer(let value): Number(exactly: value)
        case .unsigned(let value): Number(exactly: value)
        default: nil
        }
    }
}

extension Careful {
    /// What two integers come to; nothing where their type has no room for it.
    fileprivate static func whole(
        _ type: Any.Type, _ left: Careful, _ operation: ArithmeticOperator, _ right: Careful
    ) -> Careful {
        guard let type = type as? any FixedWidthInteger.Type else {
            return Careful { _ in throw NoValue() }
        }
        return exactly(type, left, operation, right)
    }

    private static func exactly<Number: FixedWidthInteger>(
        _ type: Number.Type, _ left: Careful, _ operation: ArithmeticOperator, _ right: Careful
    ) -> Careful {
        Careful { bindings in
            guard let left = try left.evaluate(bindings) as? Number,
                let right = try right.evaluate(bindings) as? Number,
                let result = operation.exactly(left, right) as? Output
            else { throw NoValue() }
            return result
        }
    }
}
