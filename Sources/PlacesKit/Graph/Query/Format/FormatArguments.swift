import Foundation

/// The arguments of a predicate format string, handed out in order.
struct FormatArguments {
    private let arguments: [Any?]
    private var used = 0
    /// What was handed out.
    private(set) var values: [FormatValue] = []
    /// Whether the last that was handed out is a range.
    var isRange: Bool { used > 0 && FormatValue.isRange(arguments[used - 1]) }

    init(_ arguments: [Any?]) { self.arguments = arguments }

    /// What is wrong with an argument.
    struct Mistake: Error { var problem: PredicateFormatError.Problem }

    /// The next argument, for the placeholder of `%` with a letter.
    mutating func next(for letter: Character) throws(Mistake) -> FormatValue {
        let placeholder = "%\(letter)"
        guard used < arguments.count else { throw Mistake(problem: .missingArgument(placeholder)) }
        let argument = arguments[used]
        used += 1
        guard let value = FormatValue(argument) else {
            throw Mistake(
                problem: .argumentType(place: "argument \(used)", type: typeName(of: argument)))
        }
        switch (letter, value) {
        case ("@", _), ("K", .datum(.string)), ("f", .datum(.double)), ("f", .datum(.integer)),
            ("d", .datum(.integer)), ("i", .datum(.integer)), ("u", .datum(.integer)),
            ("d", .datum(.unsigned)), ("i", .datum(.unsigned)), ("u", .datum(.unsigned)),
            ("f", .datum(.unsigned)), ("d", .datum(.boolean)):
            values.append(value)
            return value
        default:
            throw Mistake(problem: .argumentType(place: placeholder, type: typeName(of: argument)))
        }
    }

    /// Finds fault with arguments that no placeholder asked for.
    func checkAllUsed(_ format: String, at column: Int) throws(PredicateFormatError) {
        guard used == arguments.count else {
            throw PredicateFormatError(
                format: format, column: column,
                problem: .unusedArguments(given: arguments.count, used: used))
        }
    }

    private func typeName(of argument: Any?) -> String {
        argument.map { String(describing: type(of: $0)) } ?? "nil"
    }
}
