import Foundation

/// A function of one value that predicate formats know, by `NSExpression`'s name for it.
enum FormatFunction: String, CaseIterable, Sendable {
    case uppercase, lowercase, length, abs, floor, ceiling, trunc, sqrt

    /// What the function makes of a value of a type; `nil` where it makes nothing of it.
    func apply(to value: FormatOperand) -> FormatOperand? {
        switch self {
        case .length: value.type.hasLength || value.type == .null ? value.length : nil
        case .uppercase: of(value, .uppercased, .string, where: value.type == .string)
        case .lowercase: of(value, .lowercased, .string, where: value.type == .string)
        case .abs: of(value, .magnitude, value.type, where: value.type.isNumber)
        case .floor: of(value, .rounded(.down), value.type, where: value.type.isNumber)
        case .ceiling: of(value, .rounded(.up), value.type, where: value.type.isNumber)
        case .trunc: of(value, .rounded(.towardZero), value.type, where: value.type.isNumber)
        case .sqrt: of(value, .squareRoot, .real, where: value.type.isNumber)
        }
    }

    private func of(
        _ value: FormatOperand, _ function: ValueFunction, _ type: FormatType, where isKnown: Bool
    ) -> FormatOperand? {
        guard isKnown || value.type == .null else { return nil }
        if let constant = value.constant { return FormatOperand(constant: function(constant)) }
        return FormatOperand(.applied(function, value.operand), type)
    }

    /// The values that the function is of, in words.
    var argument: String {
        switch self {
        case .uppercase, .lowercase: "text"
        case .length: "text or data"
        case .abs, .floor, .ceiling, .trunc, .sqrt: "a number"
        }
    }
}

extension FormatCompiler {
    /// What a function makes of a value.
    mutating func operand(
        _ function: FormatFunction, of argument: FormatNode
    ) throws(PredicateFormatError) -> FormatOperand {
        let value = try operand(argument)
        guard let result = function.apply(to: value) else {
            throw problem(
                .unexpected(
                    found: value.type.name,
                    expected: "\(function.argument) for \(function.rawValue)()"),
                at: argument.column)
        }
        return result
    }

    /// One of two values, as a predicate decides.
    mutating func operand(
        _ test: FormatNode, _ first: FormatNode, otherwise second: FormatNode
    ) throws(PredicateFormatError) -> FormatOperand {
        let condition = try condition(test)
        let (left, right) = (try operand(first), try operand(second))
        guard let right = right.converted(to: left.type) else {
            throw problem(
                .unexpected(
                    found: right.type.name, expected: "\(left.type.name), as the other value"),
                at: second.column)
        }
        let isMixed = left.type.isNumber && left.type != right.type
        let type =
            left.type == .null ? right.type : isMixed && right.type != .null ? .real : left.type
        return FormatOperand(.choosing(condition, left.operand, right.operand), type)
    }
}
