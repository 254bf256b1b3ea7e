import Foundation
import PlacesBase

/// A function that predicate formats know, mostly by `NSExpression`'s name for it.
enum FormatFunction: Hashable, Sendable {
    /// Of one value.
    case value(ValueFunction)
    /// Of a date, and the names of a time zone and a calendar.
    case datePart(Calendar.Component)
    /// Of a value, and the name of a type.
    case cast
    /// Of a coordinate, or a latitude and a longitude, and those of a point.
    case distance

    /// The functions by their names.
    static let named: [String: FormatFunction] = [
        "uppercase": .value(.uppercased), "lowercase": .value(.lowercased),
        "length": .value(.length), "abs": .value(.magnitude), "floor": .value(.rounded(.down)),
        "ceiling": .value(.rounded(.up)), "trunc": .value(.rounded(.towardZero)),
        "sqrt": .value(.squareRoot),
        "year": .datePart(.year), "month": .datePart(.month), "day": .datePart(.day),
        "weekday": .datePart(.weekday), "hour": .datePart(.hour), "minute": .datePart(.minute),
        "second": .datePart(.second), "cast": .cast, "distance": .distance,
    ]

    /// The name in formats; `nil` for a function of one value that they do not know.
    var name: String? { Self.named.first { $0.value == self }?.key }

    /// How many arguments the function takes.
    var arity: ClosedRange<Int> {
        switch self {
        case .value: 1...1
        case .datePart: 1...3
        case .cast: 2...2
        case .distance: 3...4
        }
    }
}

extension ValueFunction {
    /// Whether the function takes values of a type, the type of its results, and what it takes, in words.
    fileprivate func signature(
        of type: FormatType
    ) -> (isTaken: Bool, result: FormatType, taken: String) {
        switch self {
        case .uppercased, .lowercased: (type == .string, .string, "text")
        case .length: (type.hasLength, .integer, "text or data")
        case .squareRoot: (type.isNumber, .real, "a number")
        default: (type.isNumber, type, "a number")
        }
    }
}

extension FormatCompiler {
    /// What a function makes of its arguments, which are as many as it takes.
    mutating func operand(
        _ function: FormatFunction, of arguments: [FormatNode]
    ) throws(PredicateFormatError) -> FormatOperand {
        let (value, applied): (FormatOperand, ValueFunction)
        let (isTaken, type, taken): (Bool, FormatType, String)
        switch function {
        case .distance: return try distance(arguments)
        case .value(let function):
            (value, applied) = (try operand(arguments[0]), function)
            (isTaken, type, taken) = function.signature(of: value.type)
        case .datePart(let component):
            value = try operand(arguments[0])
            let zone = arguments.count > 1 ? try timeZone(arguments[1]) : .gmt
            let calendar = arguments.count > 2 ? try calendar(arguments[2]) : .gregorian
            applied = .datePart(DatePart(component, in: zone, by: calendar))
            (isTaken, type, taken) = (value.type == .date, .integer, "a date")
        case .cast:
            value = try operand(arguments[0])
            let cast = try castType(arguments[1])
            applied = .cast(cast)
            (isTaken, type, taken) = (
                cast.takes(value.type), cast.formatType, "text, a number or a date"
            )
        }
        guard isTaken || value.type == .null else {
            throw unexpected(
                value.type.name, expected: "\(taken) for \(function.name ?? "")()",
                at: arguments[0].column)
        }
        return value.applying(applied, as: type)
    }

    private func text(_ node: FormatNode, _ expected: String) throws(PredicateFormatError) -> String
    {
        guard case .value(.datum(.string(let text))) = node.kind else {
            throw unexpected("another value", expected: expected, at: node.column)
        }
        return text
    }

    private func timeZone(_ node: FormatNode) throws(PredicateFormatError) -> TimeZone {
        let name = try text(node, "the name of a time zone in quotes, as 'Europe/Paris'")
        guard let zone = TimeZone(identifier: name) else {
            let names = TimeZone.knownTimeZoneIdentifiers
            throw unexpected(
                "\"\(name)\"",
                expected: "a time zone, as '\(name.nearest(among: names) ?? "Europe/Paris")'",
                at: node.column)
        }
        return zone
    }

    private func calendar(_ node: FormatNode) throws(PredicateFormatError) -> Calendar.Identifier {
        let name = try text(node, "the name of a calendar in quotes, as 'japanese'")
        guard let calendar = DatePart.calendars[name] else {
            let nearest = name.nearest(among: DatePart.calendars.keys.sorted()) ?? "japanese"
            throw unexpected(
                "\"\(name)\"", expected: "a calendar, as '\(nearest)'", at: node.column)
        }
        return calendar
    }

    private func castType(_ node: FormatNode) throws(PredicateFormatError) -> CastType {
        let expected =
            "one of the types "
            + CastType.allCases.map { "'\($0.rawValue)'" }
            .joined(separator: ", ")
        let name = try text(node, expected)
        guard let type = CastType(rawValue: name) else {
            throw unexpected("\"\(name)\"", expected: expected, at: node.column)
        }
        return type
    }

    /// How many kilometres a coordinate, or a latitude and a longitude, lies from a point.
    private mutating func distance(
        _ arguments: [FormatNode]
    ) throws(PredicateFormatError) -> FormatOperand {
        var operands: [FormatOperand] = []
        for argument in arguments {
            if operands.isEmpty, arguments.count == 3, case .path(let path) = argument.kind {
                for part in ["latitude", "longitude"] {
                    var path = path
                    path.steps.append(FormatStep(kind: .key(part), column: argument.column))
                    operands.append(try operand(path, at: argument.column))
                }
            } else {
                operands.append(try operand(argument))
            }
        }
        for (position, operand) in operands.enumerated() where operands.count == 4 {
            let isFit = position < 2 ? operand.type == .real : operand.constant?.number != nil
            if isFit { continue }
            throw unexpected(
                operand.type.name,
                expected: position < 2 ? "degrees for distance()" : "a number of degrees",
                at: arguments[max(0, arguments.count - 4 + position)].column)
        }
        guard operands.count == 4, let latitude = operands[2].constant?.number,
            let longitude = operands[3].constant?.number
        else {
            throw unexpected(
                "a value", expected: "a coordinate for distance()", at: arguments[0].column)
        }
        let center = Coordinate(latitude: latitude, longitude: longitude)
        return FormatOperand(
            .distance(operands[0].operand, operands[1].operand, from: center), .real)
    }

    /// One of two values, as a predicate decides.
    mutating func operand(
        _ test: FormatNode, _ first: FormatNode, otherwise second: FormatNode
    ) throws(PredicateFormatError) -> FormatOperand {
        let condition = try condition(test)
        let (one, other) = (try operand(first), try operand(second))
        guard let (left, right) = unified(one, other) else {
            throw unexpected(
                other.type.name, expected: "\(one.type.name), as the other value",
                at: second.column)
        }
        let isMixed = left.type.isNumber && left.type != right.type
        let type =
            left.type == .null ? right.type : isMixed && right.type != .null ? .real : left.type
        return FormatOperand(.choosing(condition, left.operand, right.operand), type)
    }
}

extension CastType {
    /// The type of the values that come out.
    fileprivate var formatType: FormatType {
        switch self {
        case .text: .string
        case .number: .real
        case .decimal: .decimal
        case .date: .date
        case .data: .data
        }
    }

    /// Whether values of a type can be converted.
    fileprivate func takes(_ type: FormatType) -> Bool {
        switch type {
        case _ where self == .data: type == .string || type == .null
        case .null, .boolean, .integer, .unsigned, .real, .decimal, .string, .date: true
        case .uuid: self == .text
        case .data, .coded, .object: false
        }
    }
}
