import Foundation
public import PlacesBase

/// Why a format string is not a valid predicate: what is wrong, and in which column.
public struct PredicateFormatError: DescribedError, Hashable {
    /// What is wrong.
    package enum Problem: Hashable, Sendable {
        /// Something else belongs there.
        case unexpected(found: String, expected: String)
        /// A quoted text has no closing quote.
        case unterminatedString
        /// Parentheses or negations lie too deep in each other.
        case tooDeep(limit: Int)
        /// The predicate has too many parts, as what is repeated for each element of a list.
        case tooLarge(limit: Int)
        /// There are fewer arguments than placeholders for them.
        case missingArgument(String)
        /// There are more arguments than placeholders for them.
        case unusedArguments(given: Int, used: Int)
        /// An argument is of a type that does not fit its placeholder.
        case argumentType(place: String, type: String)
        /// A variable was given no value.
        case unboundVariable(String)
        /// The entity has no such property; where the name stands alone it may have been meant as text.
        case unknownKey(String, entity: String, nearest: String?, isAlone: Bool)
        /// A composite attribute stands where one of its parts is needed.
        case compositeAttribute(String, entity: String, part: String)
        /// A key path goes on behind a property that leads nowhere.
        case notARelationship(String, entity: String)
        /// A key stands behind a value, and not behind a key path.
        case propertyOfValue(String, value: String)
        /// A value that can never compare so with the other.
        case incomparable(String, with: String, operation: String)
        /// A key path leads to many values where one is needed.
        case manyValues(String)
        /// A quantifier or a function of many values stands before one value.
        case oneValue(String, operation: String)
        /// A pattern that is not a regular expression.
        case invalidPattern(String)
        /// A regular expression that takes too many steps to tell what matches it.
        case patternTooCostly(String)
        /// NSPredicate knows it, PlacesKit does not.
        case unsupported(String)
        /// The schema has no such entity.
        case unknownEntity(String, nearest: String?)
    }

    /// The format string.
    public var format: String
    /// The column where the problem begins, in characters from 1; 0 if the predicate has no string.
    public var column: Int
    /// What is wrong.
    package var problem: Problem
    /// What the string is.
    var source = "the predicate format"

    /// What is wrong, the format string, and a mark under the column.
    public var description: String {
        // What was put together has no string.
        if column == 0 { return "\(problem.text), in \(source)" }
        return """
            \(problem.text), in column \(column) of \(source)
              \(format.map { $0.isNewline ? " " : String($0) }.joined())
              \(String(repeating: " ", count: max(0, column - 1)))^
            """
    }
}

extension PredicateFormatError {
    /// A range stands where it would be read as a list of its bounds.
    static func range(at column: Int, of format: String) -> PredicateFormatError {
        PredicateFormatError(
            format: format, column: column,
            problem: .unexpected(
                found: "a range", expected: "a list of values, or BETWEEN before the range"))
    }
}

extension PredicateFormatError.Problem {
    /// What to write before one value, and not a quantifier.
    private static let insteadForOneValue = [
        "ANY": "leave ANY out", "SOME": "leave SOME out", "ALL": "leave ALL out",
        "NONE": "write NOT for it",
    ]

    /// What to compare a value with that no predicate spells.
    private static let insteadOfConstant = [
        "a date": ": give a Date for %@",
        "a UUID": ": give a UUID for %@",
        "data": ": give Data for %@",
        "an object": ": compare a property of it, or give an object for %@",
    ]

    fileprivate var text: String {
        switch self {
        case .unexpected(let found, let expected): "expected \(expected), found \(found)"
        case .unterminatedString: "a quoted text has no closing quote"
        case .tooDeep(let limit): "more than \(limit) levels of nesting: split the predicate"
        case .tooLarge(let limit):
            "more than \(limit) parts, since this is repeated for every element: split the predicate"
        case .missingArgument(let placeholder): "no argument is given for \(placeholder)"
        case .unusedArguments(let given, let used):
            "arguments are given: \(given), with a placeholder: \(used); "
                + "write %@ for each, or give no more"
        case .argumentType(let argument, let type): "\(argument) cannot be a value of type \(type)"
        case .unboundVariable(let name):
            "$\(name) has no value: substitute it with withSubstitutionVariables(_:)"
        case .unknownKey(let key, let entity, let nearest, let isAlone):
            "\(entity) has no property \(key)"
                + (key == "objectID"
                    ? "; an object is compared itself, as in SELF == %@"
                    : nearest.map { "; did you mean \($0)?" }
                        ?? (isAlone ? "; text stands in quotation marks" : ""))
        case .compositeAttribute(let key, let entity, let part):
            "\(entity).\(key) is a composite attribute: name one of its parts, as in \(part)"
        case .notARelationship(let key, let entity):
            "\(entity).\(key) is not a relationship, so nothing can follow it"
        case .propertyOfValue(let key, let value):
            "\(value) is no key path, so its \(key) cannot be read: give the \(key) itself"
        case .incomparable(let left, let right, let operation):
            "\(left) can never be \(operation) \(right)"
                + (left == right
                    ? "" : Self.insteadOfConstant[left] ?? Self.insteadOfConstant[right] ?? "")
        case .manyValues(let path):
            "\(path) leads to many values: write ANY, ALL or NONE before it, or use @count or SUBQUERY"
        case .oneValue(let path, let operation):
            "\(path) is one value, and \(operation) needs many"
                + (Self.insteadForOneValue[operation].map { ": \($0)" } ?? "")
        case .invalidPattern(let pattern): "\"\(pattern)\" is not a regular expression"
        case .patternTooCostly(let pattern): "\"\(pattern)\" takes too many steps to match"
        case .unsupported(let what): "\(what) is not supported"
        case .unknownEntity(let name, let nearest):
            "there is no entity \(name)" + (nearest.map { "; did you mean \($0)?" } ?? "")
        }
    }
}
