import Foundation

/// A predicate written as a format string, in the language of NSPredicate.
///
/// ```swift
/// let predicate = try PredicateFormat("takenAt.name == %@ AND isFavorite == YES", "Paris")
/// ```
///
/// - The string is parsed once, here; keys and types are checked against the class that a request is
///   made for.
/// - `%@` takes a value of an attribute's type, a managed object, its identifier, `nil`, or an array
///   or set of them; `%K` a key path; `%d` and `%f` numbers.
/// - Nothing that was accepted fails when it runs: a value that is missing compares with nothing, a
///   division by zero has no value.
public struct PredicateFormat: Sendable {
    /// The format string.
    public let format: String
    let root: FormatNode
    var variables: [String: FormatValue] = [:]

    /// Parses a format string and takes its arguments.
    ///
    /// - Throws: `PredicateFormatError`, which names the column and what belongs there.
    /// - Complexity: O(n).
    public init(_ format: String, _ arguments: Any?...) throws(PredicateFormatError) {
        try self.init(format, arguments: arguments)
    }

    /// Parses a format string and takes its arguments from an array.
    ///
    /// - Throws: `PredicateFormatError`, which names the column and what belongs there.
    public init(_ format: String, arguments: [Any?]) throws(PredicateFormatError) {
        self.format = format
        root = try FormatParser.parse(format, arguments)
    }

    /// A predicate that was parsed as a part of a longer text.
    init(format: String, root: FormatNode) {
        self.format = format
        self.root = root
    }

    /// The predicate with values for its variables, as `$NAME`.
    ///
    /// - Throws: `PredicateFormatError` for a value of a type that no attribute has.
    public func withSubstitutionVariables(
        _ values: [String: Any?]
    ) throws(PredicateFormatError) -> PredicateFormat {
        var result = self
        for (name, value) in values {
            guard let converted = FormatValue(value) else {
                throw PredicateFormatError(
                    format: format, column: 1,
                    problem: .argumentType(
                        place: "$\(name)", type: value.map { "\(type(of: $0))" } ?? "nil"))
            }
            result.variables[name] = converted
        }
        return result
    }
}
