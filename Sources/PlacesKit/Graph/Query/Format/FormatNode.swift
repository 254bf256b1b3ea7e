import Foundation

/// A part of a parsed predicate format, and where it begins.
struct FormatNode: Sendable {
    var column: Int
    var kind: Kind
    /// How many levels lie under this one: what walks the tree by recursion is bounded by it.
    var depth = 1
    /// Whether no operator beside the part can take a piece of it, as parentheses say.
    var isGrouped = false

    /// What a part is: a predicate or an expression.
    indirect enum Kind: Sendable {
        // Predicates
        case truth(Bool)
        case not(FormatNode)
        case all([FormatNode])
        case any([FormatNode])
        case comparison(FormatComparison)
        // Expressions
        case value(FormatValue)
        case list([FormatNode])
        case path(FormatPath)
        /// What lies behind a value that is no key path, as the second element of a list.
        case steps(FormatNode, [FormatStep])
        case arithmetic(FormatNode, ArithmeticOperator, FormatNode)
        case negative(FormatNode)
        case subquery(FormatPath, variable: String, FormatNode)
        case now
        case function(FormatFunction, [FormatNode])
        /// One of two values, as a predicate decides.
        case ternary(FormatNode, FormatNode, otherwise: FormatNode)
    }

    /// The parts of which the part is made, in their order.
    var children: [FormatNode] {
        switch kind {
        case .truth, .value, .path, .now: []
        case .not(let inner), .negative(let inner), .steps(let inner, _),
            .subquery(_, variable: _, let inner):
            [inner]
        case .all(let parts), .any(let parts), .list(let parts), .function(_, let parts): parts
        case .comparison(let comparison): [comparison.left, comparison.right]
        case .arithmetic(let left, _, let right): [left, right]
        case .ternary(let test, let first, let second): [test, first, second]
        }
    }

    /// Whether the part is one value, as the text of an argument is: a number with its sign, a list of them, a `CAST`.
    var isLiteral: Bool { isLiteral(levels: 4) }

    private func isLiteral(levels: Int) -> Bool {
        guard levels > 0 else { return false }
        return switch kind {
        case .value: true
        case .negative(let inner): inner.isLiteral(levels: levels - 1)
        case .function(.cast, let parts), .list(let parts):
            parts.allSatisfy { $0.isLiteral(levels: levels - 1) }
        // The least integer there is, which has no opposite.
        case .arithmetic(let left, .minus, let right):
            left.isLiteral(levels: levels - 1) && right.isLiteral(levels: levels - 1)
        case .truth, .not, .all, .any, .comparison, .path, .steps, .arithmetic, .subquery, .now,
            .function, .ternary:
            false
        }
    }

    /// Whether the part is true or false, and not a value.
    var isPredicate: Bool {
        switch kind {
        case .truth, .not, .all, .any, .comparison: true
        case .value, .list, .path, .steps, .arithmetic, .negative, .subquery, .now, .function,
            .ternary:
            false
        }
    }
}

/// Two expressions and how they compare.
struct FormatComparison: Sendable {
    /// Which of the many values on the left must compare so.
    enum Quantifier: String, Sendable {
        case any = "ANY"
        /// The same as `any`.
        case some = "SOME"
        case all = "ALL"
        case none = "NONE"

        /// Whether one of the values is enough.
        var isAny: Bool { self == .any || self == .some }
    }

    var quantifier: Quantifier?
    var left: FormatNode
    var operation: FormatOperator
    var operationColumn: Int
    var folding: TextFolding
    var right: FormatNode
}

/// How two expressions compare.
enum FormatOperator: Hashable, Sendable {
    case order(ComparisonOperator)
    case between, isIn
    case text(TextOperator)

    /// The operator as an error calls it.
    var name: String {
        switch self {
        case .order(let order): order.symbol
        case .between: "BETWEEN"
        case .isIn: "IN"
        case .text(let operation): operation.keyword ?? "a search for whole words"
        }
    }
}

extension TextOperator {
    /// What formats call the operator; `nil` where they do not know it.
    var keyword: String? {
        switch self {
        case .contains: "CONTAINS"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .like: "LIKE"
        case .matches: "MATCHES"
        case .wordPrefixes: "TEXT"
        case .words: nil
        }
    }
}

/// A key path from an object.
struct FormatPath: Sendable {
    /// The variable where it starts, or `nil` for the object that the predicate is asked about.
    var variable: String?
    /// Where the variable stands.
    var variableColumn = 0
    var steps: [FormatStep] = []
    /// What stands in the path for the values of all members, as `distinctUnionOfObjects`.
    var union: String?
}

/// One step of a key path, and where it stands.
struct FormatStep: Sendable {
    enum Kind: Sendable, Equatable {
        /// A property.
        case key(String)
        /// A function of many values, as `@count`.
        case aggregate(String)
        /// A member of an ordered relationship: from the start, or from the end where negative.
        case index(Int)
        /// The number of members.
        case size
    }

    var kind: Kind
    var column: Int
}

extension FormatPath {
    /// The path as a person would write it.
    var text: String {
        var text = variable.map { "$\($0)" } ?? ""
        for step in steps {
            switch step.kind {
            case .key(let name): text += (text.isEmpty ? "" : ".") + name
            case .aggregate(let name): text += (text.isEmpty ? "" : ".") + "@" + name
            case .index(0): text += "[FIRST]"
            case .index(-1): text += "[LAST]"
            case .index(let index): text += "[\(index)]"
            case .size: text += "[SIZE]"
            }
        }
        return text.isEmpty ? "SELF" : text
    }
}
