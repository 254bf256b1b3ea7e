/// Reads a predicate format string: NSPredicate's grammar, without what needs the Objective-C
/// runtime.
///
/// Precedence climbing over one kind of node: whether a parenthesis holds a predicate or an
/// expression shows when it is read, so nothing is read twice and the cost is O(n).
struct FormatParser {
    let format: String
    private let tokens: [FormatToken]
    private var position = 0
    var arguments: FormatArguments
    private var depth = 0
    /// Where arguments stand that are ranges, and not the bounds of `BETWEEN`.
    private var ranges: Set<Int> = []
    /// Levels of nesting that any hand-written predicate stays far below, and any stack bears.
    static let limit = 100
    /// Levels that a literal may have beyond: a printed argument has more of them than its placeholder, as
    /// `{CAST((-1.0), 'NSDate')}` has.
    private static let levelsOfLiterals = 4

    /// The tree of a format string with its arguments, and the arguments' values.
    static func parse(
        _ format: String, _ arguments: [Any?]
    ) throws(PredicateFormatError) -> (root: FormatNode, arguments: [FormatValue]) {
        var parser = try FormatParser(format, arguments)
        let node = try parser.predicate(level: .or)
        guard parser.token.kind == .end else { throw parser.expected("AND, OR or the end") }
        try parser.checkArguments()
        return (node, parser.arguments.values)
    }

    init(_ format: String, _ arguments: [Any?]) throws(PredicateFormatError) {
        self.format = format
        tokens = try FormatLexer.tokens(of: format)
        self.arguments = FormatArguments(arguments)
    }

    // MARK: - Tokens

    var token: FormatToken { tokens[position] }

    mutating func advance() { position = min(position + 1, tokens.count - 1) }

    mutating func skip(_ mark: FormatMark) -> Bool {
        guard token.kind == .mark(mark) else { return false }
        advance()
        return true
    }

    mutating func skip(_ keyword: FormatKeyword) -> Bool {
        guard self.keyword == keyword else { return false }
        advance()
        return true
    }

    mutating func require(_ mark: FormatMark) throws(PredicateFormatError) {
        guard skip(mark) else { throw expected(mark.rawValue) }
    }

    /// The keyword that the present word is.
    var keyword: FormatKeyword? {
        guard case .word(let word) = token.kind else { return nil }
        return FormatKeyword(rawValue: word.uppercased())
    }

    func expected(_ what: String) -> PredicateFormatError {
        unexpected(token.kind.description, expected: what)
    }

    func unexpected(
        _ found: String, expected: String, at column: Int? = nil
    ) -> PredicateFormatError {
        problem(.unexpected(found: found, expected: expected), at: column)
    }

    func problem(
        _ problem: PredicateFormatError.Problem, at column: Int? = nil
    ) -> PredicateFormatError {
        PredicateFormatError(format: format, column: column ?? token.column, problem: problem)
    }

    /// Reads what lies a level deeper.
    mutating func nested(
        _ body: (inout FormatParser) throws(PredicateFormatError) -> FormatNode
    ) throws(PredicateFormatError) -> FormatNode {
        let column = token.column
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.limit + Self.levelsOfLiterals else {
            throw problem(.tooDeep(limit: Self.limit))
        }
        let node = try body(&self)
        guard depth <= Self.limit || node.isLiteral else {
            throw problem(.tooDeep(limit: Self.limit), at: column)
        }
        return node
    }

    mutating func nestedValue(_ binding: Binding) throws(PredicateFormatError) -> FormatNode {
        try nested { parser throws(PredicateFormatError) in try parser.value(binding) }
    }

    mutating func nestedPredicate(_ level: Level) throws(PredicateFormatError) -> FormatNode {
        try nested { parser throws(PredicateFormatError) in try parser.predicate(level: level) }
    }

    /// A node over others, unless they lie too deep.
    func node(
        _ kind: FormatNode.Kind, at column: Int, over children: [FormatNode] = []
    ) throws(PredicateFormatError) -> FormatNode {
        var node = FormatNode(column: column, kind: kind)
        // A literal is one value, however it is written.
        if !node.isLiteral { node.depth += children.lazy.map(\.depth).max() ?? 0 }
        guard node.depth <= Self.limit * 4 else {
            throw problem(.tooDeep(limit: Self.limit), at: column)
        }
        return node
    }

    mutating func argument(_ letter: Character) throws(PredicateFormatError) -> FormatValue {
        do throws(FormatArguments.Mistake) {
            let value = try arguments.next(for: letter)
            if arguments.isRange { ranges.insert(token.column) }
            return value
        } catch {
            throw problem(error.problem)
        }
    }

    /// Finds fault with arguments that no placeholder asked for, and with ranges that would be read as lists of two.
    func checkArguments() throws(PredicateFormatError) {
        try arguments.checkAllUsed(format, at: token.column)
        if let column = ranges.min() { throw .range(at: column, of: format) }
    }

    mutating func keyArgument() throws(PredicateFormatError) -> String {
        guard case .datum(.string(let name)) = try argument("K") else {
            throw problem(.argumentType(place: "%K", type: "something else than String"))
        }
        return name
    }

    // MARK: - Predicates

    /// How tightly predicates are bound.
    enum Level { case or, and, not }

    /// A predicate; anything else is an error.
    mutating func predicate(level: Level) throws(PredicateFormatError) -> FormatNode {
        let node = try logic(level: level)
        guard node.isPredicate else { throw expectedComparison }
        return node
    }

    private var expectedComparison: PredicateFormatError {
        expected("a comparison, as in == YES or > 1")
    }

    /// A predicate, or an expression that stands alone.
    mutating func logic(level: Level) throws(PredicateFormatError) -> FormatNode {
        switch level {
        case .or: try chain(.or, .or, tighter: .and) { .any($0) }
        case .and: try chain(.and, .and, tighter: .not) { .all($0) }
        case .not: try negation()
        }
    }

    private mutating func chain(
        _ mark: FormatMark, _ keyword: FormatKeyword, tighter: Level,
        _ kind: ([FormatNode]) -> FormatNode.Kind
    ) throws(PredicateFormatError) -> FormatNode {
        let first = try logic(level: tighter)
        var parts = [first]
        while token.kind == .mark(mark) || self.keyword == keyword {
            guard first.isPredicate else { throw expectedComparison }
            advance()
            parts.append(try predicate(level: tighter))
        }
        return parts.count == 1 ? first : try node(kind(parts), at: first.column, over: parts)
    }

    private mutating func negation() throws(PredicateFormatError) -> FormatNode {
        let column = token.column
        guard skip(FormatMark.not) || skip(FormatKeyword.not) else { return try comparison() }
        let operand = try nestedPredicate(.not)
        return try node(.not(operand), at: column, over: [operand])
    }

    // MARK: - Comparisons

    private mutating func comparison() throws(PredicateFormatError) -> FormatNode {
        let column = token.column
        if skip(.truePredicate) { return try node(.truth(true), at: column) }
        if skip(.falsePredicate) { return try node(.truth(false), at: column) }
        let quantifier = quantifier()
        let left = try expression(.bits)
        guard !left.isPredicate else {
            guard quantifier == nil else {
                throw unexpected("a predicate", expected: "a key path", at: column)
            }
            return left
        }
        let operationColumn = token.column
        let isNegated = skip(FormatKeyword.not)
        guard let operation = operation() else {
            if isNegated { throw expected("IN behind NOT") }
            if quantifier != nil { throw expectedComparison }
            return left
        }
        if isNegated { try checkNegated(operation, quantifier, at: operationColumn) }
        let folding = try folding()
        let right = try value(.bits)
        if operation == .between, case .value = right.kind { ranges.remove(right.column) }
        let comparison = try node(
            .comparison(
                FormatComparison(
                    quantifier: quantifier, left: left, operation: operation,
                    operationColumn: operationColumn, folding: folding, right: right)),
            at: column, over: [left, right])
        return isNegated ? try node(.not(comparison), at: column, over: [comparison]) : comparison
    }

    private mutating func quantifier() -> FormatComparison.Quantifier? {
        guard let keyword,
            let quantifier = FormatComparison.Quantifier(rawValue: keyword.rawValue)
        else { return nil }
        advance()
        return quantifier
    }

    /// Finds fault with `NOT` before an operator: `IN` alone may have it, as in SQL.
    private func checkNegated(
        _ operation: FormatOperator, _ quantifier: FormatComparison.Quantifier?, at column: Int
    ) throws(PredicateFormatError) {
        guard operation == .isIn else {
            throw unexpected(
                "NOT \(operation.name)",
                expected: "\(operation.name), with NOT before the whole comparison", at: column)
        }
        guard let quantifier else { return }
        // What says the same of many values, also where there are none.
        let instead =
            switch quantifier {
            case .any, .some: "NOT ALL … IN"
            case .all: "NONE … IN"
            case .none: "ALL … IN"
            }
        throw unexpected("\(quantifier.rawValue) … NOT IN", expected: instead, at: column)
    }

    private mutating func operation() -> FormatOperator? {
        let operation: FormatOperator? =
            switch (token.kind, keyword) {
            case (.mark(.equal), _), (.mark(.assign), _): .order(.equal)
            case (.mark(.notEqual), _), (.mark(.notEqualSQL), _): .order(.notEqual)
            case (.mark(.less), _): .order(.less)
            case (.mark(.lessOrEqual), _), (.mark(.lessOrEqualSwapped), _): .order(.lessOrEqual)
            case (.mark(.greater), _): .order(.greater)
            case (.mark(.greaterOrEqual), _), (.mark(.greaterOrEqualSwapped), _):
                .order(.greaterOrEqual)
            case (_, .between): .between
            case (_, .isIn): .isIn
            case (_, .contains): .text(.contains)
            case (_, .beginsWith): .text(.beginsWith)
            case (_, .endsWith): .text(.endsWith)
            case (_, .like): .text(.like)
            case (_, .matches): .text(.matches)
            // Not a reserved word: many models have a property of this name.
            case (.word(let word), _) where word.uppercased() == "TEXT": .text(.wordPrefixes)
            default: nil
            }
        if operation != nil { advance() }
        return operation
    }

    /// The modifiers behind an operator, as in `[cd]`.
    private mutating func folding() throws(PredicateFormatError) -> TextFolding {
        guard skip(.leftBracket) else { return [] }
        var folding: TextFolding = []
        guard case .word(let letters) = token.kind else { throw expected("c, d, n or l") }
        for letter in letters.lowercased() {
            switch letter {
            case "c": folding.insert(.caseInsensitive)
            case "d": folding.insert(.diacriticInsensitive)
            // Text is compared as it stands with n; there is one locale for all, so l adds nothing.
            case "n", "l": break
            default: throw expected("c, d, n or l")
            }
        }
        advance()
        try require(.rightBracket)
        return folding
    }
}

/// The words of the grammar, in any case of letters.
enum FormatKeyword: String {
    case and = "AND"
    case or = "OR"
    case not = "NOT"
    case any = "ANY"
    case some = "SOME"
    case all = "ALL"
    case none = "NONE"
    case between = "BETWEEN"
    case isIn = "IN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
    case truePredicate = "TRUEPREDICATE"
    case falsePredicate = "FALSEPREDICATE"
    case subquery = "SUBQUERY"
    case nilValue = "NIL"
    case null = "NULL"
    case yes = "YES"
    case no = "NO"
    case isTrue = "TRUE"
    case isFalse = "FALSE"
    case isSelf = "SELF"
}
