import Foundation
import PlacesBase

/// A function that predicate formats know, mostly by `NSExpression`'s name for it.
enum FormatFunction: String, Sendable {
    // Of one value
    case uppercase, lowercase, length, abs, floor, ceiling, trunc, sqrt
    // Of a date, and the names of a time zone and a calendar
    case year, month, day, weekday, hour, minute, second
    // Of a value, and the name of a type
    case cast
    // Of a coordinate, or a latitude and a longitude, and those of a point
    case distance

    /// How many arguments the function takes.
    var arity: ClosedRange<Int> {
        switch self {
        case .uppercase, .lowercase, .length, .abs, .floor, .ceiling, .trunc, .sqrt: 1...1
        case .year, .month, .day, .weekday, .hour, .minute, .second: 1...3
        case .cast: 2...2
        case .distance: 3...4
        }
    }

    /// What the function makes of a value of a type; `nil` where it makes nothing of it.
    fileprivate func apply(to value: FormatOperand) -> FormatOperand? {
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
        case .year, .month, .day, .weekday, .hour, .minute, .second, .cast, .distance: nil
        }
    }

    private func takes(_ type: FormatType) -> Bool {
        switch self {
        case .uppercase, .lowercase: type == .string
        case .length: type.hasLength
        case .abs, .floor, .ceiling, .trunc, .sqrt: type.isNumber
        case .year, .month, .day, .weekday, .hour, .minute, .second, .cast, .distance: false
        }
    }

    /// The values that the function is of, in words.
    fileprivate var argument: String {
        switch self {
        case .uppercase, .lowercase: "text"
        case .length: "text or data"
        case .abs, .floor, .ceiling, .trunc, .sqrt: "a number"
        case .year, .month, .day, .weekday, .hour, .minute, .second: "a date"
        case .cast: "text, a number or a date"
        case .distance: "a coordinate, or a latitude and a longitude,"
        }
    }

    /// The part of a date that the function gives.
    fileprivate var component: Calendar.Component? {
        switch self {
        case .year: .year
        case .month: .month
        case .day: .day
        case .weekday: .weekday
        case .hour: .hour
        case .minute: .minute
        case .second: .second
        case .uppercase, .lowercase, .length, .abs, .floor, .ceiling, .trunc, .sqrt, .cast,
            .distance:
            nil
        }
    }
}

extension FormatCompiler {
    /// What a function makes of its arguments, which are as many as it takes.
    mutating func operand(
        _ function: FormatFunction, of arguments: [FormatNode]
    ) throws(PredicateFormatError) -> FormatOperand {
        let first = arguments[0]
        if function == .distance { return try distance(arguments) }
        let value = try operand(first)
        let result: FormatOperand?
        if let component = function.component {
            let zone = arguments.count > 1 ? try timeZone(arguments[1]) : .gmt
            let calendar = arguments.count > 2 ? try calendar(arguments[2]) : .gregorian
            result =
                value.type == .date || value.type == .null
                ? value.applying(
                    .datePart(DatePart(component, in: zone, by: calendar)), as: .integer)
                : nil
        } else if function == .cast {
            let type = try castType(arguments[1])
            result = type.takes(value.type) ? value.applying(.cast(type), as: type.formatType) : nil
        } else {
            result = function.apply(to: value)
        }
        guard let result else {
            throw unexpected(
                value.type.name, expected: "\(function.argument) for \(function.rawValue)()",
                at: first.column)
        }
        return result
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
