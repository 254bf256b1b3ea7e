import Foundation

/// A function of one value that predicate formats know, by `NSExpression`'s name for it.
enum FormatFunction: String, Sendable {
    case uppercase, lowercase, length, abs, floor, ceiling, trunc, sqrt

    /// What the function makes of a value of a type; `nil` where it makes nothing of it.
    func apply(to value: FormatOperand) -> FormatOperand? {
        guard takes(value.type) || value.type == .null else { return nil }
        return switch self {
        case .length: value.length
        case .uppercase: value.applying(.uppercased, as: .string)
        case .lowercase: value.applying(.lowercased, as: .string)
        case .abs: value.applying(.magnitude, as: value.type)
        case .floor: value.applying(.rounded(.down), as: value.type)
        case .ceiling: value.applying(.rounded(.up), as: value.type)
        case .trunc: value.applying(.rounded(.towardZero), as: value.type)
        case .sqrt: value.applying(.squareRoot, as: .real)
        }
    }

    private func takes(_ type: FormatType) -> Bool {
        switch self {
        case .uppercase, .lowercase: type == .string
        case .length: type.hasLength
        case .abs, .floor, .ceiling, .trunc, .sqrt: type.isNumber
        }
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
