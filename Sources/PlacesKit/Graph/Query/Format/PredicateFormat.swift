import Foundation

/// A predicate written as a format string, in the language of NSPredicate.
///
/// ```swift
/// let predicate = try PredicateFormat("takenAt.name == %@ AND isFavorite == YES", "Paris")
/// ```
///
/// - The string is parsed once, here. A request checks its key paths and types against its class.
/// - `%@` takes a value of an attribute's type, a managed object, its identifier, `nil`, or an
///   array or set of them; `%K` takes a key path; `%d` and `%f` take numbers.
/// - An accepted predicate never fails when it runs: a missing value is equal to `nil` alone, and a
///   division by zero has no value.
/// - It can be saved with its arguments and the values of its variables, also as an attribute.
public struct PredicateFormat: Sendable, Hashable, CustomStringConvertible, CodableAttribute {
    /// The format string.
    public let format: String
    let root: FormatNode
    let arguments: [FormatValue]
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
        (root, self.arguments) = try FormatParser.parse(format, arguments)
    }

    /// A predicate that was parsed as a part of a longer text.
    init(format: String, root: FormatNode) {
        self.format = format
        self.root = root
        arguments = []
    }

    /// Gives values to the variables of the predicate, such as `$NAME`.
    ///
    /// - Throws: `PredicateFormatError` if a value has a type that no attribute has, or is a range and stands elsewhere
    ///   than behind `BETWEEN`.
    public func withSubstitutionVariables(
        _ values: [String: Any?]
    ) throws(PredicateFormatError) -> PredicateFormat {
        var result = self
        let uses = values.values.contains(where: FormatValue.isRange) ? root.freeVariables : []
        for (name, value) in values {
            if FormatValue.isRange(value),
                let use = uses.first(where: { $0.name == name && !$0.isBounds })
            {
                throw .range(at: use.column, of: format)
            }
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
