extension FormatCompiler {
    /// Finds fault with what has no bits.
    func requireWhole(_ operand: FormatOperand, at column: Int) throws(PredicateFormatError) {
        switch operand.type {
        case .integer, .unsigned, .null: return
        case .real, .decimal:
            throw unexpected(
                "a number that may have a fraction", expected: "a whole number", at: column)
        case .boolean, .string, .date, .uuid, .data, .coded, .object:
            throw unexpected(operand.type.name, expected: "a whole number", at: column)
        }
    }
}

extension FormatOperand {
    /// What the bits of two whole numbers are made into.
    func combined(_ operation: BitOperator, _ other: FormatOperand) -> FormatOperand {
        if let left = constant, let right = other.constant {
            return FormatOperand(constant: operation.apply(left, right))
        }
        let isUnsigned = type == .unsigned || !operation.isShift && other.type == .unsigned
        return FormatOperand(
            .arithmetic(operand, .bits(operation), other.operand),
            isUnsigned ? .unsigned : .integer)
    }
}
